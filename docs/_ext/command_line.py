"""The directive ``commands``: every command of ``moselect`` with its options, from the code."""

from __future__ import annotations

import inspect
import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from typer.models import ArgumentInfo, OptionInfo

from moselect.cli import app as moselect

CANDIDATES = {int: "integer", float: "number", Path: "path", str: "text"}


class Commands(SphinxDirective):
    """Write a section for each command: description, usage, arguments and options."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        sections: list[nodes.Node] = []
        for command in moselect.registered_commands:
            name = command.name or command.callback.__name__
            section = nodes.section(ids=[f"moselect-{name}"])
            section += nodes.title(text=f"moselect {name}")
            lines = StringList(
                describe(name, command.callback), source=f"moselect {name}"
            )
            self.state.nested_parse(lines, 0, section)
            sections.append(section)
        return sections


def describe(name: str, command: Any) -> list[str]:
    """Return the description of a command in Markdown, line by line."""
    hints = get_type_hints(command, include_extras=True)
    arguments, options = [], []
    for parameter in inspect.signature(command).parameters.values():
        annotation, info = get_args(hints[parameter.name])
        if isinstance(info, ArgumentInfo):
            optional = parameter.default is not inspect.Parameter.empty
            word = info.metavar or parameter.name.upper()
            arguments.append((f"[{word}]" if optional else word, info.help))
        elif isinstance(info, OptionInfo) and not info.hidden:
            options.append((_option(parameter, annotation, info), _help(parameter, info)))
    usage = " ".join(["moselect", name, *(word for word, _ in arguments), "[options]"])
    lines = [
        *str(inspect.getdoc(command)).splitlines(),
        "",
        "```console",
        f"$ {usage}",
        "```",
        "",
    ]
    for word, text in arguments:
        lines += [f"`{word}`", f": {text}", ""]
    for words, text in options:
        lines += [words, f": {text}", ""]
    return lines


def _option(parameter: inspect.Parameter, annotation: Any, info: OptionInfo) -> str:
    # typer takes the first flag for the default.
    first = [info.default] if isinstance(info.default, str) else []
    names = [*first, *info.param_decls] or [f"--{parameter.name.replace('_', '-')}"]
    annotation = next(
        k
        for k in (get_args(annotation) if _is_union(annotation) else [annotation])
        if k is not type(None)
    )
    value = info.metavar or CANDIDATES.get(annotation, "")
    if get_origin(annotation) is Literal:
        value = " | ".join(map(str, get_args(annotation)))
    return ", ".join(f"`{name}`" for name in names) + (f" *{value}*" if value else "")


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, types.UnionType)


def _help(parameter: inspect.Parameter, info: OptionInfo) -> str:
    text = (info.help or "").replace("*", r"\*").replace("<", r"\<")
    if (
        parameter.default in (None, False, inspect.Parameter.empty)
        or not info.show_default
    ):
        return text
    return f"{text} Default: `{parameter.default}`."


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
