"""The scripts of the page: plain ES modules, joined into one that a page can hold."""

from __future__ import annotations

import re
from importlib.resources import files

FOLDER = files("moselect.report") / "page"
IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:function|const) (\w+))", re.MULTILINE)


def read(name: str) -> str:
    """Return the text of a file of the page."""
    return (FOLDER / name).read_text(encoding="utf-8")


def join_modules(entry: str) -> str:
    r"""Join a module and all that it imports, each once and before those that import it.

    A module becomes a function that returns what it exports, and its imports become constants:
    inside one script, modules cannot import each other by address. Modules use
    ``import { a, b } from "./file.js"`` and ``export`` before functions and constants only.

    Examples
    --------
    >>> "\nimport " in join_modules("page")
    False
    """
    order: list[str] = []

    def visit(name: str) -> None:
        if name not in seen:
            seen.add(name)
            for _, imported in IMPORT.findall(read(f"{name}.js")):
                visit(imported)
            order.append(name)

    seen: set[str] = set()
    visit(entry)
    return "\n".join(map(_as_function, order))


def _as_function(name: str) -> str:
    """Return a module as a constant that holds its exports."""
    text = read(f"{name}.js")
    exports = ", ".join(found[1] for found in EXPORT.findall(text))
    body = EXPORT.sub(r"\1", IMPORT.sub(r"const \1 = \2Module;", text))
    return f"const {name}Module = await (async () => {{\n{body}return {{ {exports} }};\n}})();"
