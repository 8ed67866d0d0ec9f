"""Pages of the reference, one per package, written from the public names of each package."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from types import ModuleType

from sphinx.application import Sphinx

PACKAGES = (
    "search",
    "selection",
    "candidates",
    "costs",
    "metrics",
    "inference",
    "models",
    "predictor",
    "preprocessing",
    "samples",
    "tables",
    "evaluation",
    "inspection",
    "monitoring",
    "tuning",
    "datasets",
    "plots",
    "page",
    "export",
    "operators",
    "io",
    "pymoo_adapter",
)
LONGEST = 90  # of a constant's value that is shown


def write_pages(app: Sphinx) -> None:
    """Write ``reference/packages/<package>.rst``; files that would not change are left alone."""
    folder = Path(app.srcdir) / "reference" / "packages"
    folder.mkdir(exist_ok=True)
    current = set()
    for package in PACKAGES:
        path, text = folder / f"{package}.rst", page(f"moselect.{package}")
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        classes, functions, _, _ = public_names(
            importlib.import_module(f"moselect.{package}")
        )
        current |= {f"moselect.{package}.{name}.rst" for name in (*classes, *functions)}
    for path in (Path(app.srcdir) / "reference" / "api").glob("*.rst"):
        if (
            path.name not in current
        ):  # a page that autosummary wrote for a name that is gone
            path.unlink()


def page(name: str) -> str:
    """Return the page of a package."""
    module = importlib.import_module(name)
    classes, functions, constants, elsewhere = public_names(module)
    parts = [
        f"{name}\n{'=' * len(name)}\n\n.. automodule:: {name}\n\n.. currentmodule:: {name}\n"
    ]
    for title, names in (("Classes", classes), ("Functions", functions)):
        if names:
            rows = "\n".join(f"   {n}" for n in names)
            parts.append(
                f"{title}\n{'-' * len(title)}\n\n"
                f".. autosummary::\n   :toctree: ../api\n   :nosignatures:\n\n{rows}\n"
            )
    if constants:
        rows = "\n".join(
            f"``{n}``\n   ``{short(getattr(module, n))}``\n".replace("\\", "\\\\")
            for n in constants
        )
        parts.append(f"Constants and types\n-------------------\n\n{rows}")
    if elsewhere:
        rows = ", ".join(f":py:obj:`{home}.{n}`" for n, home in elsewhere)
        parts.append(f"Also to be imported from here: {rows}.\n")
    return "\n".join(parts)


def public_names(
    module: ModuleType,
) -> tuple[list[str], list[str], list[str], list[tuple[str, str]]]:
    """Return the public classes, functions and constants of a package, and names with their home.

    A name's home is the package that defines it; it has its page there.
    """
    classes, functions, constants, elsewhere = [], [], [], []
    for name in sorted(module.__all__, key=str.lower):
        value = getattr(module, name)
        if not (inspect.isclass(value) or inspect.isroutine(value)) or not _is_ours(
            value
        ):
            constants.append(name)
            continue
        home = ".".join(value.__module__.split(".")[:2])
        if home != module.__name__ and name in getattr(
            importlib.import_module(home), "__all__", ()
        ):
            elsewhere.append((name, home))
        else:
            (classes if inspect.isclass(value) else functions).append(name)
    return classes, functions, constants, elsewhere


def _is_ours(value: object) -> bool:
    return str(getattr(value, "__module__", "")).startswith("moselect")


def short(value: object) -> str:
    """Return a value as text of one line."""
    if isinstance(value, dict):
        value = list(value)
    text = " ".join(str(value).split()).replace("`", "'")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages before any is read."""
    # Before sphinx looks which pages there are: autosummary takes those that it found.
    app.connect("config-inited", lambda app, _: write_pages(app))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
