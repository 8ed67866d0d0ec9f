"""Tables that several commands print: of models, by class and by group."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING

from moselect.cli.terminal import Terminal, short
from moselect.listing import in_one_line, listing, measured
from moselect.metrics.objectives import objective_named

if TYPE_CHECKING:  # slow to import
    import pandas as pd

    from moselect._types import Document
    from moselect.inspection.groups import GroupEstimates
    from moselect.io import Run
    from moselect.search.front import Front


def print_confusion(confusion: pd.DataFrame, terminal: Terminal) -> None:
    """Print the confusion matrix, or, of many classes, the rates of each."""
    import numpy as np

    counts = confusion.to_numpy().round(1)
    names = [short(label) for label in confusion]  # a referral is the last
    if len(set(names)) < len(names):  # shortened to the same: numbers tell them apart
        names = [f"{k + 1} {name}" for k, name in enumerate(names)]
    headings = [f"as {name}" for name in names]
    first = max(map(len, ["true class", *names]))
    width = first + sum(len("  ") + len(heading) for heading in headings)
    # A matrix that is too wide for the terminal would be broken within its rows.
    cells = [list(map(str, row)) for row in counts]
    if width > terminal.results.width:
        headings = ["rows", "recall", "too low", "too high"]
        rows = counts.sum(axis=1)
        called = counts[:, : len(counts)]  # a referred row is in no class
        parts = [called * np.eye(len(called)), np.tril(called, -1), np.triu(called, 1)]
        rates = np.transpose([part.sum(axis=1) for part in parts])
        if counts.shape[1] > len(counts):
            headings.append("referred")
            rates = np.column_stack([rates, counts[:, -1]])
        rates /= np.maximum(rows, 1.0)[:, None]
        cells = [
            [str(total.round(1)), *(f"{rate:.0%}" for rate in row)]
            for total, row in zip(rows, rates, strict=True)
        ]
    lines = ([name, *row] for name, row in zip(names, cells, strict=False))
    terminal.print_table(["true class", *headings], lines)


def print_groups(groups: Mapping[str, GroupEstimates], terminal: Terminal) -> None:
    """Print the measures of each group, and the largest difference in the first one."""
    for found in groups.values():
        headings, *rows = [list(map(short, row)) for row in found.text_table]
        terminal.print_table(headings, rows)
        for sentence in found.sentences:
            terminal.print(in_one_line(sentence))


def records_of(groups: Mapping[str, GroupEstimates]) -> Document:
    """Return the tables of groups as documents for scripts."""
    return {
        column: {"groups": found.table, "differences": found.differences}
        for column, found in groups.items()
    }


def print_summary(run: Run, terminal: Terminal) -> None:
    """Print the performance of the compromise model of a run, and the next command."""
    front = run.front
    record = run.record
    balanced = front.balanced()
    figures = figures_of(front, balanced)
    warnings = figure_warnings(figures)
    if terminal.json:
        about = {"balanced": balanced, "figures": figures, "warnings": warnings}
        terminal.print_json({"run": str(run.path), **record, **about})
        return
    print_figures(front, balanced, "compromise model", terminal)
    for warning in warnings:
        terminal.warn(warning)
    costs = ",".join(str(k) for k in range(1, len(run.scale) + 1))
    classes = listing(map(short, run.scale), limit=6)
    terminal.print(f"\nNext: state misclassification costs. Classes: {classes}")
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
    headings, *lines = figure_rows(front, index, heading)
    terminal.print_table(headings, lines)


def figure_rows(front: Front, index: int, heading: str) -> list[list[str]]:
    """Format the measures of a member of the front, a row an objective below the headings."""
    figures = figures_of(front, index)
    if len(front.classes) == 2:
        # accuracy is 1 - MAE, and all ranking measures are equal
        figures = figures[~figures.round(9).duplicated()]
    shown = figures.drop(columns="std_error", errors="ignore")
    rows = [[heading, *shown]]
    for name, row in shown.iterrows():
        cells = row.map("{:.4f}".format, na_action="ignore").fillna("")
        if "std_error" in figures and row["cross-validated"] == row["cross-validated"]:
            error = figures["std_error"][str(name)]
            cells["cross-validated"] = measured(row["cross-validated"], error)
        rows.append([objective_named(str(name)).label, *cells])
    return rows


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


def figure_warnings(figures: pd.DataFrame) -> list[str]:
    """Describe cross-validated objectives that are undefined or do not differ from chance."""
    if "cross-validated" not in figures:
        return []
    # A model without features has these levels: a gain within one error may be noise.
    gain = figures["cross-validated"] - figures["chance"]
    # a ranking needs samples of every class, and a standard error two folds
    reasons = {
        "no cross-validated value, as only one fold or none has rows of every class": gain.isna(),
        "not significantly above chance": gain <= figures["std_error"],
    }
    return [
        f"{', '.join(objective_named(str(name)).label for name in gain.index[rows])}: {reason}"
        for reason, rows in reasons.items()
        if rows.any()
    ]
