"""The directives ``checks`` and ``coverage``: how figures are tested, and simulated."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).parents[2]
SIMULATED = ROOT / "experiments" / "coverage" / "designs.csv"


class Test(NamedTuple):
    """A test with the marker ``checks``: the figure that it checks, and the reference."""

    figure: str
    against: str
    name: str
    file: str


def marked() -> Iterator[Test]:
    """Yield the tests with the marker, by the syntax trees of their files."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for function in ast.parse(path.read_text(encoding="utf-8")).body:
            if not isinstance(function, ast.FunctionDef):
                continue
            for decorator in function.decorator_list:
                if (
                    isinstance(decorator, ast.Call)
                    and ast.unparse(decorator.func) == "pytest.mark.checks"
                ):
                    figure, against = map(ast.literal_eval, decorator.args)
                    name = function.name.removeprefix("test_").replace("_", " ")
                    file = path.relative_to(ROOT / "tests").as_posix()
                    yield Test(figure, against, name, file)


def simulated() -> pd.DataFrame:
    """Average the coverage of 95 % intervals over the simulated laws, by figure."""
    found = pd.read_csv(SIMULATED).dropna(subset=["sd of z"])
    weighted = found[["mean z", "covered"]].mul(found["n"], axis=0)
    sums = weighted.assign(draws=found["n"], laws=1).groupby(found["figure"]).sum()
    sums[["mean z", "covered"]] = sums[["mean z", "covered"]].div(sums["draws"], axis=0)
    shown = sums.sort_index().round({"mean z": 2, "covered": 3}).reset_index()
    return shown[["figure", "laws", "draws", "mean z", "covered"]]


def table_of(heading: list[str], rows: list[list[nodes.Node]]) -> nodes.table:
    """Build a table."""
    table = nodes.table()
    group = nodes.tgroup(cols=len(heading))
    table += group
    group += [nodes.colspec(colwidth=1) for _ in heading]
    cells: list[list[nodes.Node]] = [[nodes.Text(name)] for name in heading]
    for part, lines in ((nodes.thead(), [cells]), (nodes.tbody(), rows)):
        for line in lines:
            row = nodes.row()
            for cell in line:
                content = cell if isinstance(cell, list) else [cell]
                row += nodes.entry("", nodes.paragraph("", "", *content))
            part += row
        group += part
    return table


class Checks(SphinxDirective):
    """Show the marked tests as a table for each type of figure."""

    def run(self) -> list[nodes.Node]:
        """Return a title and a table for each type, in the order of their names."""
        by_figure: dict[str, list[Test]] = {}
        for test in marked():
            by_figure.setdefault(test.figure, []).append(test)
        if not by_figure:
            raise self.severe("no test has the marker 'checks'")
        found: list[nodes.Node] = []
        for figure in sorted(by_figure):
            rows: list[list[nodes.Node]] = [
                [
                    nodes.Text(test.against),
                    nodes.Text(test.name),
                    nodes.literal(text=test.file),
                ]
                for test in by_figure[figure]
            ]
            found.append(nodes.rubric("", figure))
            found.append(table_of(["compared with", "test", "file in tests/"], rows))
        return found


class Coverage(SphinxDirective):
    """Show the simulated coverage of intervals as a table."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        shown = simulated()
        rows: list[list[nodes.Node]] = [
            [nodes.Text(str(cell)) for cell in row]
            for row in shown.itertuples(index=False)
        ]
        return [table_of([*shown], rows)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directives."""
    app.add_directive("checks", Checks)
    app.add_directive("coverage", Coverage)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
