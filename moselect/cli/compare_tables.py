"""A comparison on the terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from moselect.cli.terminal import Terminal, in_one_line
from moselect.comparison import Comparison
from moselect.comparison.costs import cost_verdict, simplest_verdict
from moselect.comparison.text import (
    footnotes,
    legend,
    measures_table,
    p_text,
    seconds,
    short_measure,
    tests_table,
)


def print_comparison(comparison: Comparison, terminal: Terminal) -> None:
    """Print measures, the models that are not dominated, tests, and costs."""
    _print_table(measures_table(comparison).drop(columns="fit s"), terminal)
    terminal.results.print(f"{legend(comparison)}; seed {comparison.random_state}")
    for line in footnotes(comparison):
        terminal.results.print(in_one_line(line))
    names = ", ".join(short_measure(name) for name in comparison.measures)
    front = ", ".join(comparison.front()) or "none"
    terminal.results.print(f"\nNot dominated in {names}: {front}")
    tests = tests_table(comparison)
    if not tests.columns.empty:
        terminal.results.print("\np of the difference from the best:")
        _print_table(tests, terminal)
        terminal.results.print(
            "Corrected resampled t-test, adjusted for the number of models (Holm)."
        )
    if len(comparison.failures) < len(comparison.results):
        terminal.results.print()
        print_costs(comparison, terminal)


def print_costs(comparison: Comparison, terminal: Terminal) -> None:
    """Print what models cost beside how complex they are, and which ones to choose between."""
    costs = comparison.costs()
    marks = costs["significant"].map({True: "*", False: " "})
    table = pd.DataFrame(
        {
            "cost": costs["cost"].map("{:.4f}".format),
            "above least": costs["above least"].map("{:.4f}".format) + marks,
            "p": costs["p adjusted"].map(p_text),
            "terms": costs["terms"].map("{:g}".format).replace("nan", "none"),
            "fit s": costs["seconds"].map(seconds),
            "decision": costs["decision"],
        }
    )
    _print_table(table.rename_axis(None), terminal)
    unit = "" if comparison.fitted_for else " (no costs given: its distance in classes)"
    terminal.results.print(
        f"Cost of a row on new data{unit}, held out. *: significantly above the least, p < 0.05. "
        "Terms: weights, curves or products; none: cannot be written down as a sum. Decision: "
        "fitted for the costs, plug-in by probabilities, or as it is, without knowing of them."
    )
    simplest = f" {simplest_verdict(costs)}." if len(costs) > 1 else ""
    terminal.results.print(f"\n{cost_verdict(costs)}.{simplest}")


def print_comparison_json(
    comparison: Comparison, written: Sequence[Path], terminal: Terminal
) -> None:
    """Print all that the tables say, and more digits."""
    table = comparison.table
    working = len(comparison.failures) < len(comparison.results)
    costs = comparison.costs() if working else None
    tested = [m for m in comparison.measures if table[m, "mean"].count() > 1]
    terminal.print_json(
        {
            "classes": comparison.classes,
            "n_samples": len(comparison.codes),
            "n_folds": len(comparison.folds),
            "random_state": comparison.random_state,
            "fingerprint": comparison.fingerprint,
            "models": {
                name: {
                    "estimator": result.description,
                    "failure": result.failure,
                    "warnings": comparison.warnings.get(name, {}),
                    "measures": {m: table[m].loc[name].to_dict() for m in comparison.measures},
                    "seconds": table["seconds"].loc[name].to_dict(),
                }
                for name, result in comparison.results.items()
            },
            "front": comparison.front(),
            "tests": {m: comparison.test(m).to_dict("index") for m in tested},
            "costs": None if costs is None else costs.to_dict("index"),
            "verdict": None if costs is None else cost_verdict(costs),
            "written": list(map(str, written)),
        }
    )


def _print_table(table: pd.DataFrame, terminal: Terminal) -> None:
    text = table.to_string(line_width=terminal.results.width)
    terminal.results.print(text, soft_wrap=True)
