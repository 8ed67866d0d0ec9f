"""Tables of a result: candidates, confusion matrix, groups; each figure is formatted here.

A notebook shows the first of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from moselect.costs.decisions import answers, costs_at
from moselect.inference.standard_errors import interval
from moselect.inspection.groups import GroupEstimates
from moselect.listing import counted, decimals_of, in_one_line, rounded, with_interval
from moselect.predictor.card import Bar, Section
from moselect.report.headline import BASELINE_WORDS, headline, is_significant

if TYPE_CHECKING:
    from moselect.selection.evidence import Evidence


def candidate_table(evidence: Evidence) -> list[list[str]]:
    """Tabulate each candidate and baseline, the best first, below the headings.

    Its value, the saving of the selected model over it, and its size.
    """
    # Differences in the last bits are no differences between models.
    candidates = evidence.candidates.round(12)
    decimals = decimals_of(candidates["std_error"])
    lines = []
    for name, row in candidates.iterrows():
        difference = evidence.differences.get(str(name))
        line = {
            "model": str(name),
            evidence.loss.heading: with_interval(
                interval_of(evidence, str(name)), decimals
            ),
            evidence.loss.gained: _saving_cell(evidence, str(name), row),
            "difference": "",
        }
        if difference is not None:
            clear = "" if is_significant(difference) else "not "
            line["difference"] = f"{clear}significant"
        if "holdout" in row:
            line["holdout"] = f"{row['holdout']:.{decimals}f}"
        line["parameters"] = f"{row['terms']:g}".replace("nan", "")
        line["fit s"] = f"{row['seconds']:.1f}"
        lines.append(line)
    return [[*lines[0]], *([*line.values()] for line in lines)]


def _saving_cell(evidence: Evidence, name: str, row: pd.Series) -> str:
    """Format the saving over another model, and which limits or directions that one misses."""
    words = ""
    if name == evidence.selected:
        words = "selected"
    elif name in evidence.differences:
        estimate, _, low, high = evidence.differences[name]
        words = f"{estimate:z.2g} ({low:z.2g} to {high:z.2g})"
        if evidence.loss.by_cost:
            words = "{:z.0f} % ({:z.0f} to {:z.0f} %)".format(
                *(100.0 * share for share in (estimate, low, high))
            )
    if not row.get("within limits", True):
        words += "; exceeds a limit"
    if not row.get("monotone", True):
        words += "; not monotone"
    return words.removeprefix("; ")


def interval_of(evidence: Evidence, name: str) -> tuple[float, float, float]:
    """Return the value of a candidate with the ends of its 95 % interval, of Student's t."""
    row: Any = evidence.candidates.loc[name]
    n_clusters = len(evidence.chosen.cv_loss[1])
    value = float(row[evidence.value])
    return interval(value, row["std_error"], n_clusters, *evidence.bounds)


def baseline_bars(evidence: Evidence) -> list[Bar]:
    """Return the values of the selected model and of the baselines, with 95 % intervals.

    First that of the selected model on the latest cases, if times are known.
    """
    decimals = decimals_of(evidence.candidates["std_error"])
    bars = []
    if evidence.latest is not None:
        ends = evidence.expected_interval
        bars.append(Bar("on the latest cases", with_interval(ends, decimals), *ends))
    for name in dict.fromkeys([evidence.selected, *BASELINE_WORDS]):
        if name in evidence.candidates.index:
            ends = interval_of(evidence, name)
            words = BASELINE_WORDS.get(name, name)
            bars.append(Bar(words, with_interval(ends, decimals), *ends))
    return bars


# Mistakes that are listed.
MOST_MISTAKES = 5


def mistake_section(evidence: Evidence) -> Section:
    """List the costliest out-of-fold mistakes by the names of their rows."""
    title = "The costliest mistakes"
    given = evidence.sample_costs
    if not evidence.loss.by_cost or given is None:
        return Section(title)
    samples = evidence.samples
    codes = evidence.chosen.out_of_fold.codes
    costs = costs_at(given, samples.codes, codes)
    labels = answers(samples.classes, evidence.criteria.referral)
    cases = pd.DataFrame(
        {
            "was": samples.classes[samples.codes],
            "called": labels[codes],
            "cost": costs,
            "share": costs * samples.sample_weight_or_ones,
        },
        index=np.asarray(samples.rows),
    )
    mistakes = cases[codes != samples.codes].sort_values(
        "cost", ascending=False, kind="stable"
    )
    # A row that stands for several cases is listed once.
    worst = mistakes[~mistakes.index.duplicated()].head(MOST_MISTAKES)
    if worst.empty:
        return Section(title)
    key, names = "row", [str(row + 1) for row in worst.index]
    model = evidence.chosen.fit.model
    if model is not None and model.columns.first.key in evidence.table:
        key = model.columns.first.key
        names = evidence.table[key].loc[worst.index].map(str).tolist()
    listed = worst.set_axis(names)[["was", "called", "cost"]].itertuples()
    rows = [[*map(str, row), rounded(cost, 4, ",")] for *row, cost in listed]
    share = cases["share"][worst.index].sum() / cases["share"].sum()
    sentence = f"These {len(worst)} rows make {share:.0%} of the whole cost."
    return Section(title, [sentence], [[key, "was", "called", "cost"], *rows])


def columns_of(table: list[list[str]], *headings: str) -> list[list[str]]:
    """Select the columns of a table by their headings, as far as it has them."""
    places = [table[0].index(heading) for heading in headings if heading in table[0]]
    return [[row[place] for place in places] for row in table]


def confusion_table(confusion: pd.DataFrame) -> list[list[str]]:
    """Tabulate the rows of each true class (down) by decision (across), with the recall."""
    counts = confusion.to_numpy()
    recall = counts.diagonal() / np.maximum(counts.sum(axis=1), np.finfo(float).tiny)
    cells = [
        [*map(counted, row), f"{share:.0%}"]
        for row, share in zip(counts, recall, strict=True)
    ]
    return class_table(confusion, cells, "recall")


def rate_table(confusion: pd.DataFrame) -> list[list[str]]:
    """Tabulate the rates of each true class, for classes that are too many for a matrix."""
    counts = confusion.to_numpy()
    rows = counts.sum(axis=1)
    called = counts[:, : len(counts)]  # a referred row is in no class
    parts = {"recall": called.diagonal()}
    parts["too low"] = np.tril(called, -1).sum(axis=1)
    parts["too high"] = np.triu(called, 1).sum(axis=1)
    if counts.shape[1] > len(counts):
        parts["referred"] = counts[:, -1]
    rates = pd.DataFrame(parts).div(np.maximum(rows, 1.0), axis=0)
    cells = rates.map("{:.0%}".format).to_numpy()
    return [
        ["true class", "rows", *rates],
        *(
            [str(label), counted(total), *row]
            for label, total, row in zip(confusion.index, rows, cells, strict=True)
        ),
    ]


def class_table(
    confusion: pd.DataFrame, cells: Sequence[Sequence[str]], *extra: str
) -> list[list[str]]:
    """Tabulate true classes (down) by decisions and ``extra`` columns (across)."""
    heading = ["true class", *(f"as {name}" for name in confusion), *extra]
    width = 1 + len(cells[0])
    return [
        heading[:width],
        *([str(name), *row] for name, row in zip(confusion.index, cells, strict=True)),
    ]


# Shares and means of fewer cases are not shown.
FEWEST_CASES = 10


def group_table(found: GroupEstimates) -> list[list[str]]:
    """Tabulate cost, accuracy and errors at the costliest class, the worst group first.

    Each with its 95 % interval, if there are cases enough.
    """
    rates = [str(name) for name in found.overall.index if "_rate " in str(name)]
    missed, alarms = rates[-2:]
    label = missed.partition(" ")[2]
    if found.lowest is not None:
        # Of the lowest class, predictions above it are misses.
        alarms, missed = rates[:2]
        label = found.lowest
    columns = {"cost": "cost"} if "cost" in found.table else {}
    columns |= {
        "accuracy, %": "accuracy",
        f"missed {label}, %": missed,  # a long heading is shortened by its middle
        "false alarms, %": alarms,
    }
    lines = [
        [str(found.table.index.name), "rows", *(f"{name} (95 %)" for name in columns)]
    ]
    worst, *_ = columns.values()
    table = found.table.sort_values(worst, ascending=worst != "cost", kind="stable")
    cost_decimals = decimals_of(table.get("std_error", ()))
    row: Any
    for name, row in table.iterrows():
        cells = list[str]()
        for key in columns.values():
            n_cases = found.cases[key][str(name)]
            error = row[found.errors[key]]
            if n_cases < FEWEST_CASES:
                cells.append("too few" if n_cases else "none")
            elif key == "cost":
                ends = interval(row[key], error, n_cases, 0.0)
                cells.append(with_interval(ends, cost_decimals))
            else:
                ends = interval(100.0 * row[key], 100.0 * error, n_cases, 0.0, 100.0)
                cells.append(with_interval(ends, 0))
        lines.append([str(name), f"{row['rows']:,.0f}", *cells])
    return lines


def as_html(evidence: Evidence) -> str:
    """Format the headline and the table of the candidates as HTML.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> names = ["proportional_odds", "linear"]
    >>> evidence = moselect.compare(names, X, y, cv=3, random_state=1)
    >>> as_html(evidence).startswith("<p>Use the linear model ")
    True
    """
    sentences = [*headline(evidence), *_correction(evidence)]
    paragraphs = "".join(f"<p>{escape(in_one_line(each))}</p>" for each in sentences)
    headings, *rows = candidate_table(evidence)
    return paragraphs + pd.DataFrame(rows, columns=headings).to_html(
        index=False, border=0
    )


def _correction(evidence: Evidence) -> list[str]:
    """Give the value of the selected model before the correction for its selection."""
    figures = evidence.candidates
    corrected = figures[evidence.value][evidence.selected]
    loss, _ = evidence.chosen.cv_loss
    decimals = decimals_of(figures["std_error"])
    value = f"{evidence.loss.value(loss):.{decimals}f}"
    if value == f"{corrected:.{decimals}f}":
        return []
    best = f"the best of {len(figures)} models"
    return [f"Not corrected: {value}, optimistic for {best}."]
