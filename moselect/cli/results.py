"""Printed results: sections of a report and tables, and records for scripts."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from moselect._types import Document
from moselect.cli.terminal import Terminal, short
from moselect.inspection.groups import GroupEstimates
from moselect.io import Run
from moselect.io.run_record import RECORD
from moselect.monitoring import AllRows
from moselect.predictor import Model
from moselect.predictor.card import Section
from moselect.predictor.decisions import Thresholds
from moselect.report.figures import (
    columns_of,
    confusion_table,
    rate_table,
)
from moselect.report.headline import criterion_words, headline, is_any_worse
from moselect.report.sections import Report
from moselect.selection import Evidence
from moselect.tables.features import direction_words


def inform_of_run(run: Run, terminal: Terminal) -> None:
    """Report that a search was interrupted, or that its file has been written since."""
    if run.record["interrupted"]:
        terminal.inform(
            f"The search in '{run.path}' was interrupted: its front comes from "
            f"{run.record['n_evaluations']:,} evaluations."
        )
    source = Path(run.record["data"]["loaded_by"].get("source", ""))
    searched = (run.path / RECORD).stat().st_mtime
    if source.is_file() and source.stat().st_mtime > searched:
        terminal.inform(
            f"'{source}' was written after the search, whose rows are used: to use the "
            "new ones, search again."
        )


def print_confusion(confusion: pd.DataFrame, terminal: Terminal) -> None:
    """Print the confusion matrix, or, of many classes, the rates of each."""
    names = [short(label) for label in confusion]  # a referral is the last
    shown = confusion.set_axis(names[: len(confusion)]).set_axis(names, axis="columns")
    table = [row[:-1] for row in confusion_table(shown)]
    # A matrix that is too wide for the terminal would be broken within its rows.
    first = max(map(len, ["true class", *names]))
    width = first + sum(len("  ") + len(heading) for heading in table[0][1:])
    if width > terminal.results.width:
        table = rate_table(shown)
    terminal.print_table(table)


def print_sections(sections: Iterable[Section], terminal: Terminal) -> None:
    """Print the tables of sections, with short names, and their sentences."""
    for section in sections:
        heading, *rows = section.table
        terminal.print_table(
            [list(map(short, heading)), *([short(row[0]), *row[1:]] for row in rows)]
        )
        terminal.print_sentences(section.sentences)


def records_of(groups: Mapping[str, GroupEstimates]) -> Document:
    """Return the tables of groups as documents for scripts."""
    return {
        column: {"groups": found.table, "differences": found.differences}
        for column, found in groups.items()
    }


def record_of_selection(
    model: Model, groups: Mapping[str, GroupEstimates], all_rows: AllRows | None = None
) -> Document:
    """Return the result of a selection as a document for scripts."""
    evidence: Evidence = model.evidence
    has_thresholds = isinstance(model.decision, Thresholds)
    return record_of(evidence) | {
        "thresholds": model.thresholds_ if has_thresholds else None,
        "preferences": evidence.loss.preferences,
        "objectives": evidence.objectives,
        "limits": [str(limit) for limit in evidence.limits],
        "without_limits": evidence.without_limits,
        "monotone": model.monotone,
        "by": records_of(groups),
        "all_rows": None if all_rows is None else all_rows._asdict(),
    }


def record_of(evidence: Evidence) -> Document:
    """Return the evaluation of candidates as a document for scripts."""
    return {
        "headline": headline(evidence),
        "classes": evidence.samples.classes,
        "cost_matrix": None if evidence.costs is None else evidence.costs.matrix,
        "criterion": criterion_words(evidence),
        "compared_by": evidence.value,
        "expected": evidence.expected,
        "std_error": evidence.expected_se,
        "candidates": evidence.candidates,
        "differences": {
            baseline: paired._asdict()
            for baseline, paired in evidence.differences.items()
        },
        "confusion": evidence.confusion.to_numpy(),
        "model": evidence.selected,
        "notes": evidence.notes,
    }


def print_selection(model: Model, reported: Report, terminal: Terminal) -> None:
    """Print the report of a selection."""
    print_report(reported, model.evidence, terminal)
    print_sections(reported.groups, terminal)
    if model.monotone:
        terminal.print(f"{direction_words(model.monotone)}.")


def print_report(reported: Report, evidence: Evidence, terminal: Terminal) -> None:
    """Print the result, and the cross-validated values of all candidates."""
    terminal.print_sentences([*reported.headline, *reported.limits.sentences])
    headings = evidence.loss.heading, evidence.loss.gained
    table = columns_of(reported.candidates.table, "model", *headings, "holdout")
    terminal.print_table(table, bold=evidence.selected)
    terminal.warn(*evidence.notes)
    terminal.print_sentences(
        [
            *reported.criteria.sentences,
            *(reported.differences.sentences[:1] if is_any_worse(evidence) else []),
            *reported.findings.sentences,
        ]
    )
