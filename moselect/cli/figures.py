"""The figures of a model of a front, as a search and a selection print them."""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING

from moselect.cli.terminal import Terminal, short
from moselect.listing import listing, measured
from moselect.metrics.objectives import objective_named

if TYPE_CHECKING:  # slow to import
    import pandas as pd

    from moselect.front import Front
    from moselect.io import Run


def print_summary(run: Run, terminal: Terminal) -> None:
    """Print the performance of the compromise model of a run, and the next command."""
    front = run.front
    record = run.record
    balanced = front.balanced()
    figures = figures_of(front, balanced)
    warnings = _warnings(figures)
    if terminal.json:
        about = {"balanced": balanced, "figures": figures}
        terminal.print_json(
            {"run": str(run.path), **record, **about, "warnings": warnings}
        )
        return
    print_figures(front, balanced, "compromise model", terminal)
    for warning in warnings:
        terminal.warn(warning)
    costs = ",".join(str(k) for k in range(1, len(run.scale) + 1))
    classes = listing(map(short, run.scale), limit=6)
    terminal.print(f"\nNext: state the costs of mistakes. Classes: {classes}")
    path = shlex.quote(str(run.path))
    terminal.print(f"  moselect select {path} --class-costs {costs}", soft_wrap=True)
    terminal.print(
        f"Saved in {run.path} · {len(front):,} model{'s' * (len(front) > 1)} · "
        f"{record['n_evaluations']:,} evaluations · "
        f"seed {record['settings']['random_state']} · {record['seconds']:.1f} s",
        soft_wrap=True,
    )


def print_figures(front: Front, index: int, heading: str, terminal: Terminal) -> None:
    """Print the measures of a member of the front: cross-validated, then training."""
    figures = figures_of(front, index)
    if len(front.classes) == 2:
        # accuracy is 1 - MAE, and all ranking measures are equal
        figures = figures[~figures.round(9).duplicated()]
    table = terminal.table(heading, *figures.columns.drop("std_error", errors="ignore"))
    for name, row in figures.to_dict("index").items():
        error = row.pop("std_error", math.nan)
        cells = {column: "" if x != x else f"{x:.4f}" for column, x in row.items()}
        if error == error:
            cells["cross-validated"] = measured(row["cross-validated"], error)
        table.add_row(objective_named(str(name)).label, *cells.values())
    terminal.print(table)


def figures_of(front: Front, index: int) -> pd.DataFrame:
    """Tabulate each objective: chance level, cross-validated, held-out and training."""
    tables = {
        "cross-validated": front.expected,
        "std_error": front.expected_se,
        "holdout": front.holdout,
        "training": front.objectives,
    }
    figures = front.chance.reindex(front.objectives.columns).to_frame("chance")
    for name, table in tables.items():
        if table is not None:
            figures[name] = table.iloc[index]
    return figures


def _warnings(figures: pd.DataFrame) -> list[str]:
    """Describe cross-validated objectives that do not differ clearly from chance."""
    if "cross-validated" not in figures:
        return []
    gain = figures["cross-validated"] - figures["chance"]
    uncertain = figures.index[gain <= figures["std_error"]]
    if uncertain.empty:
        return []
    labels = ", ".join(objective_named(str(name)).label for name in uncertain)
    return [
        f"{labels} {'does' if len(uncertain) == 1 else 'do'} not differ significantly from chance"
    ]
