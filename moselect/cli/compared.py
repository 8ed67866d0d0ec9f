"""A comparison of models as tables to read, and as a document for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moselect.cli.tables import print_correction
from moselect.cli.terminal import Terminal
from moselect.listing import decimals_of, in_one_line, measured

if TYPE_CHECKING:  # slow to import
    from moselect.comparison import Comparison


def print_table(comparison: Comparison, terminal: Terminal) -> None:
    """Print the costs of models, cheapest first."""
    from moselect.metrics.metric_names import metric_label
    from moselect.selection.differences import cost_verdict, excess_words

    notes = [in_one_line(line) for line in comparison.notes]
    if len(comparison.failures) == len(comparison.results):
        terminal.print("\n".join(notes))
        return
    costs = comparison.costs()
    value = str(costs.columns[0])
    by_cost = costs.columns[0] == "cost"
    heading = "mean cost" if by_cost else metric_label(value)
    most_rows = 14
    shown = costs[:most_rows]
    others = costs.index[most_rows:]
    vus = comparison.measured(["vus"])["vus", "mean"]
    decimals = decimals_of(shown["std_error"])
    lines = (
        (
            str(name),
            measured(row[value], row["std_error"], decimals),
            "" if name == costs.index[0] else excess_words(row, by_cost=by_cost),
            row["decision"],
            f"{score:.2f}".replace("nan", ""),
            f"{row['terms']:g}".replace("nan", ""),
        )
        for (name, row), score in zip(shown.iterrows(), vus[shown.index], strict=True)
    )
    headings = ["model", heading, "vs best", "decision", "VUS", "terms"]
    terminal.print_table(headings, lines)
    print_correction(shown["excess"], terminal)
    if len(others):
        terminal.print(f"{'Higher cost' if by_cost else 'Worse'}: {', '.join(others)}.")
    unit = "Given costs" if by_cost else "Decisions optimise the metric"
    if comparison.fitted_for is None:
        unit = "Cost: distance between classes"
    n_folds = len(comparison.folds)
    seed = comparison.random_state
    terminal.print(
        f"{unit}; {n_folds} folds, seed {seed}. Plug-in: class with the lowest expected cost."
    )
    most_notes = 3
    for line in notes[:most_notes]:
        terminal.print(line)
    terminal.print(f"{cost_verdict(costs)}.")


def print_json(comparison: Comparison, terminal: Terminal) -> None:
    """Print all that the tables say, and more digits."""
    from moselect.selection.differences import cost_verdict

    table = comparison.table
    working = len(comparison.failures) < len(comparison.results)
    costs = comparison.costs() if working else None
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
                    "measures": {
                        m: table[m].loc[name].to_dict() for m in comparison.measures
                    },
                    "seconds": table["seconds"].loc[name].to_dict(),
                }
                for name, result in comparison.results.items()
            },
            "front": comparison.front(),
            "costs": costs,
            "verdict": None if costs is None else cost_verdict(costs),
        }
    )
