"""What a search found: the figures of a model of the front, and what to do next."""

from __future__ import annotations

import shlex

import pandas as pd

from moselect.cli.terminal import Terminal, short
from moselect.front import Front
from moselect.metrics.objectives import ALL_OBJECTIVES
from moselect.storage import Run

LABELS = {objective.name: objective.label for objective in ALL_OBJECTIVES}


def print_summary(run: Run, terminal: Terminal) -> None:
    """Print the figures of the balanced model of a run, and the command that selects another."""
    front, record = run.front, run.record
    balanced = front.balanced()
    warnings = _warnings(figures_of(front, balanced))
    if terminal.json:
        found = {"balanced": balanced, "figures": figures_of(front, balanced).to_dict("index")}
        terminal.print_json({"run": str(run.path), **record, **found, "warnings": warnings})
        return
    print_figures(front, balanced, terminal)
    for warning in warnings:
        terminal.warn(warning)
    costs = ",".join(str(k) for k in range(1, len(front.classes) + 1))
    classes = ", ".join(short(label) for label in front.classes[:6])
    more = ", ..." if len(front.classes) > 6 else ""
    terminal.results.print(f"\nNext: what does a mistake cost? Classes {classes}{more}")
    path = shlex.quote(str(run.path))
    terminal.results.print(f"  moselect select {path} --class-costs {costs}", soft_wrap=True)
    terminal.results.print(
        f"Saved in {run.path} · {len(front):,} models · {record['n_evaluations']:,} evaluations · "
        f"seed {record['settings']['random_state']} · {record['seconds']:.1f} s",
        soft_wrap=True,
    )


def print_figures(front: Front, index: int, terminal: Terminal) -> None:
    """Print the figures of a model of the front, those for new data before those of training."""
    figures = figures_of(front, index)
    if len(front.classes) == 2:  # then accuracy is 1 - MAE, and all ranking measures are equal
        figures = figures[~figures.round(9).duplicated()]
    cells = figures.map(terminal.number).where(figures.notna(), "")
    if "standard error" in figures:
        errors = figures["standard error"].map(" ± {:.2f}".format)
        cells["on new data"] += errors.where(figures["standard error"].notna(), "")
        cells = cells.drop(columns="standard error")
    table = terminal.table(f"model {index}", *cells)
    for name, row in cells.iterrows():
        table.add_row(LABELS[str(name)], *row)
    terminal.results.print(table)


def figures_of(front: Front, index: int) -> pd.DataFrame:
    """Return a row for each objective: by chance, on new data, held out and in training."""
    tables = {
        "on new data": front.expected,
        "standard error": front.expected_se,
        "held out": front.holdout,
        "training": front.objectives,
    }
    figures = pd.DataFrame({"chance": front.chance.reindex(front.objectives.columns)})
    for name, table in tables.items():
        if table is not None:
            figures[name] = table.iloc[index]
    return figures


def _warnings(figures: pd.DataFrame) -> list[str]:
    """Return what is to be said of figures for new data that chance may reach as well."""
    if "on new data" not in figures:
        return []
    gain = figures["on new data"] - figures["chance"]
    names = [LABELS[str(name)] for name in figures.index[gain <= figures["standard error"]]]
    if not names:
        return []
    return [
        f"on new data {', '.join(names)} {'is' if len(names) == 1 else 'are'} within noise of "
        "chance: take more rows or fewer features"
    ]
