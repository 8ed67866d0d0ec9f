"""The settings of a search as options of a command."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Annotated, Any

import typer

from moselect.cli import completion
from moselect.cli.options import split
from moselect.search.settings import SETTINGS, SearchSettings

COMPLETIONS = {"objectives": completion.objectives}


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each setting that has one to a command that takes any ``**options``."""
    *parameters, _ = inspect.signature(command, eval_str=True).parameters.values()
    for setting in SETTINGS.values():
        if setting.option is not None:
            name, kind, text, lowest = setting.option
            about = typer.Option(help=text, min=lowest, autocompletion=COMPLETIONS.get(name))
            annotation: Any = Annotated[kind | None, about]
            keyword = inspect.Parameter.KEYWORD_ONLY
            parameters.append(inspect.Parameter(name, keyword, default=None, annotation=annotation))
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


def settings_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that options give; 0 stands for None where that is not the default."""
    settings: dict[str, Any] = {}
    for one in fields(SearchSettings):
        option = SETTINGS[one.name].option
        value = None if option is None else options[option.name]
        if value is None or option is None:
            continue
        if option.kind is str:
            value = split(value)
        elif value == 0 and one.default is not None:
            value = None
        settings[one.name] = value
    return settings
