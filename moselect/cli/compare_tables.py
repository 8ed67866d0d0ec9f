"""A comparison on the terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd
from rich.table import Table
from rich.text import Text

from moselect.cli.kinds import LONGEST_NAME, p_text, print_kinds
from moselect.cli.terminal import Terminal, in_one_line, short
from moselect.comparison import Comparison
from moselect.comparison.text import (
    best_cells,
    cells,
    footnotes,
    in_order,
    legend,
    seconds,
    short_measure,
)

CELL = 11  # characters of a measure's column and the space beside it


def print_comparison(comparison: Comparison, terminal: Terminal) -> None:
    """Print measures, the models that are not dominated, tests, and costs if there are any."""
    _print_measures(comparison, terminal)
    names = ", ".join(short_measure(name) for name in comparison.measures)
    front = ", ".join(map(in_one_line, comparison.front())) or "none"
    terminal.results.print(f"\nNot dominated in {names}: {front}")
    _print_tests(comparison, terminal)
    if len(comparison.failures) < len(comparison.results):
        terminal.results.print()
        print_kinds(comparison.kinds(), terminal, has_costs=comparison.fitted_for is not None)


def print_comparison_json(
    comparison: Comparison, written: Sequence[Path], terminal: Terminal
) -> None:
    """Print all that the tables say, and more digits."""
    table = comparison.table
    working = len(comparison.failures) < len(comparison.results)
    costs = comparison.costs() if _has_costs(comparison) else None
    parts = {m: table[m].T.to_dict() for m in (*comparison.measures, "seconds")}
    models = {
        name: {
            "estimator": result.description,
            "failure": result.failure,
            "warnings": comparison.warnings.get(name, {}),
            "measures": {m: parts[m][name] for m in comparison.measures},
            "seconds": parts["seconds"][name],
        }
        for name, result in comparison.results.items()
    }
    terminal.print_json(
        {
            "classes": comparison.classes,
            "n_samples": len(comparison.codes),
            "n_folds": len(comparison.folds),
            "random_state": comparison.random_state,
            "fingerprint": comparison.fingerprint,
            "models": models,
            "front": comparison.front(),
            "tests": {m: tests.to_dict("index") for m, tests in _tests(comparison).items()},
            "costs": None if costs is None else costs.to_dict("index"),
            "verdict": None if costs is None else comparison.cost_verdict(),
            "kinds": comparison.kinds().to_dict("index") if working else {},
            "written": list(map(str, written)),
        }
    )


def _print_measures(comparison: Comparison, terminal: Terminal) -> None:
    plain = terminal.results.color_system is None  # bold would not be seen
    fit = comparison.table["seconds", "fit"]
    for measures in _blocks(comparison.measures, terminal):
        shown, best = cells(comparison, measures), best_cells(comparison, measures)
        table = _table(terminal, "model", *(short_measure(name) for name in measures), "fit s")
        for name in in_order(comparison):
            row = [_marked(shown[m][name], bool(best[m][name]), plain) for m in measures]
            table.add_row(short(name, LONGEST_NAME), *row, seconds(fit[name]))
        terminal.results.print(table)
    mark = "*" if plain else "bold"
    terminal.results.print(f"{legend(comparison)}; {mark}: best; seed {comparison.random_state}")
    for line in footnotes(comparison):
        terminal.results.print(in_one_line(line))


def _marked(text: str, best: bool, plain: bool) -> Text:
    if plain:
        return Text(f"{text}{'*' if best else ' '}")
    return Text(text, style="bold" if best else "")


def _print_tests(comparison: Comparison, terminal: Terminal) -> None:
    """Print p-values of the differences from the best, a column for each measure."""
    tests = _tests(comparison)
    if not tests:
        return
    terminal.results.print()
    for measures in _blocks(list(tests), terminal):
        table = _table(terminal, "p, against best", *(short_measure(name) for name in measures))
        for name in in_order(comparison):
            if name not in comparison.failures:
                row = [_p_value(comparison, tests[m], m, name) for m in measures]
                table.add_row(short(name, LONGEST_NAME), *row)
        terminal.results.print(table)
    terminal.results.print("Corrected resampled t-test, adjusted for the number of models (Holm).")


def _tests(comparison: Comparison) -> dict[str, pd.DataFrame]:
    """Test each measure that at least two models have."""
    values = {m: comparison.table[m, "mean"].count() for m in comparison.measures}
    return {m: comparison.test(m) for m, count in values.items() if count > 1}


def _p_value(comparison: Comparison, tests: pd.DataFrame, measure: str, name: str) -> str:
    if name in tests.index:
        p = float(tests["p adjusted"][name])
        return "n/a" if p != p else p_text(p)
    return "best" if comparison.table[measure, "rank"][name] == 1.0 else "n/a"


def _has_costs(comparison: Comparison) -> bool:
    """Return whether there are costs, and a model to have some."""
    working = len(comparison.failures) < len(comparison.results)
    return comparison.fitted_for is not None and working


def _blocks(measures: Sequence[str], terminal: Terminal) -> Iterator[Sequence[str]]:
    """Yield as many measures at a time as there is room for."""
    across = max(1, (terminal.results.width - LONGEST_NAME - len(" fit s")) // CELL)
    for first in range(0, len(measures), across):
        yield measures[first : first + across]


def _table(terminal: Terminal, first: str, *others: str) -> Table:
    table = terminal.table(first, *others)
    table.collapse_padding = True
    return table
