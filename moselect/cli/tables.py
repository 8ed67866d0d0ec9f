"""Tables that several commands print: of models, by class and by group."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING

from moselect.cli.terminal import Terminal, short
from moselect.listing import in_one_line, listing

if TYPE_CHECKING:  # slow to import
    import pandas as pd

    from moselect._types import Document
    from moselect.inspection.groups import GroupEstimates
    from moselect.io import Run
    from moselect.predictor.card import Section


def print_confusion(confusion: pd.DataFrame, terminal: Terminal) -> None:
    """Print the confusion matrix, or, of many classes, the rates of each."""
    from moselect.report.figures import confusion_table, rate_table

    names = [short(label) for label in confusion]  # a referral is the last
    if len(set(names)) < len(names):  # shortened to the same: numbers tell them apart
        names = [f"{k + 1} {name}" for k, name in enumerate(names)]
    shown = confusion.set_axis(names[: len(confusion)]).set_axis(names, axis="columns")
    table = [row[:-1] for row in confusion_table(shown)]
    # A matrix that is too wide for the terminal would be broken within its rows.
    first = max(map(len, ["true class", *names]))
    width = first + sum(len("  ") + len(heading) for heading in table[0][1:])
    if width > terminal.results.width:
        table = rate_table(shown)
    terminal.print_rows(table)


def print_section(section: Section, terminal: Terminal) -> None:
    """Print the table of a section, with short names, and its sentences."""
    terminal.print_rows([list(map(short, row)) for row in section.table])
    for sentence in section.sentences:
        terminal.print(in_one_line(sentence))


def records_of(groups: Mapping[str, GroupEstimates]) -> Document:
    """Return the tables of groups as documents for scripts."""
    return {
        column: {"groups": found.table, "differences": found.differences}
        for column, found in groups.items()
    }


def print_summary(run: Run, terminal: Terminal) -> None:
    """Print the performance of the compromise model of a run, and the next command."""
    from moselect.report.members import figure_rows, figure_warnings, figures_of

    front = run.front
    record = run.record
    balanced = front.balanced()
    figures = figures_of(front, balanced)
    warnings = figure_warnings(figures)
    if terminal.json:
        about = {"balanced": balanced, "figures": figures, "warnings": warnings}
        terminal.print_json({"run": str(run.path), **record, **about})
        return
    terminal.print_rows(figure_rows(front, balanced, "compromise model"))
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
