"""Catalogue of the folders: experiments of papers, and scripts with other purposes."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

HERE = Path(__file__).parent

Report = Callable[[float], None]


@dataclass(frozen=True)
class Experiment:
    """A folder with ``run.py`` and the figures that its paper prints, ``expected.csv``."""

    folder: Path

    @property
    def name(self) -> str:
        """Name of the folder."""
        return self.folder.name

    @property
    def summary(self) -> str:
        """Sentence on the reproduced figures."""
        return _docstring(self.folder / "run.py")[0]

    def run(self, out: Path, *, quick: bool, report: Report) -> pd.DataFrame:
        """Draw the figures into a folder and give the results, one row a key."""
        module = importlib.import_module(f"experiments.{self.name}.run")
        results: pd.DataFrame = module.run(out, quick=quick, report=report)
        return results


@dataclass(frozen=True)
class Script:
    """A script that is run by itself."""

    command: str
    summary: str


def find_experiments() -> list[Experiment]:
    """Give the papers' experiments by name."""
    return [Experiment(path.parent) for path in sorted(HERE.glob("*/expected.csv"))]


def find_scripts() -> list[Script]:
    """Give the scripts whose docstring says by which command they are run."""
    scripts = []
    for path in sorted(HERE.glob("*/*.py")):
        command = f"python {path.relative_to(HERE.parent).as_posix()}"
        lines = _docstring(path)
        if any(command in line for line in lines):
            scripts.append(Script(command, lines[0]))
    return scripts


def _docstring(path: Path) -> list[str]:
    """Give the lines of a module's docstring without importing the module."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    if text is None:
        raise ValueError(f"{path} has no docstring: say in its first line what it does")
    return text.splitlines()
