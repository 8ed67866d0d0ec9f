"""Summaries of a selected model: a record for scripts, tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd
from rich.columns import Columns

from moselect.cli.terminal import Terminal, decimals_of, measured, short
from moselect.front.selection import MEMBER
from moselect.listing import in_one_line
from moselect.metrics.objectives import objective_named
from moselect.predictor import Model, ModelCard
from moselect.scorecard.sheet import is_scorecard, sheet_of
from moselect.selection import Evidence
from moselect.selection.choice import BASELINES, CANDIDATES, PROPORTIONAL_ODDS
from moselect.selection.differences import (
    EXCESS,
    PairedDifference,
    excess_words,
    more_words,
)

FRACTIONS = {1 / 4: "a quarter", 1 / 3: "a third", 1 / 2: "half", 2 / 3: "two thirds"}


def record_of(model: Model, evidence: Evidence) -> dict[str, Any]:
    """Return the summary of a selected model as a document for scripts."""
    return {
        "classes": model.classes_,
        "thresholds": getattr(model, "thresholds_", None),
        "cost_matrix": None if evidence.costs is None else evidence.costs.matrix,
        "criterion": evidence.criterion,
        "preferences": evidence.preferences,
        "compared_by": evidence.value,
        "expected": evidence.expected,
        "std_error": evidence.expected_se,
        "candidates": evidence.candidates,
        "differences": {
            baseline: paired._asdict()
            for baseline, paired in evidence.differences.items()
        },
        "verdicts": evidence.verdicts,
        "confusion": evidence.confusion.to_numpy(),
        "objectives": evidence.objectives,
        "model": evidence.selected,
        "limits": [str(limit) for limit in evidence.limits],
        "without_limits": evidence.without_limits,
        "overall_limits": evidence.overall_limits,
        "shuffled": evidence.shuffled,
        "monotone": model.monotone,
        "constraint": None
        if evidence.constraint is None
        else {
            "candidate": evidence.constraint.candidate,
            **evidence.constraint.difference._asdict(),
        },
        "suggested": evidence.suggested,
        "latest": None if evidence.latest is None else evidence.latest._asdict(),
    }


def print_rule(model: Model, card: ModelCard | None, terminal: Terminal) -> None:
    """Print which scores mean which class."""
    if card is None or not is_scorecard(model):
        terminal.print(model.summary)
        return
    sheet = sheet_of(model, card)
    features = [
        in_one_line(
            f"{feature} {'; '.join(f'{line.text}: {line.points}' for line in lines)}"
        )
        for feature, lines in groupby(sheet.lines, key=lambda line: line.feature)
    ]
    terminal.print(Columns(features, padding=(0, 3)))
    sums = "; ".join(f"{in_one_line(label)}: {sums}" for label, sums in sheet.classes)
    terminal.print(
        f"Class by the sum of points: {sums}. As an index card: --export card.txt"
    )


def print_evidence(evidence: Evidence, terminal: Terminal) -> None:
    """Print cross-validated costs of all candidates, and errors of the selected one."""
    rules = evidence.candidates.round(12)
    decimals = decimals_of(rules["std_error"])
    if evidence.costs is None:
        said = ", ".join(
            f"{objective_named(name).label} {100 * weight:.0f} %"
            for name, weight in (evidence.preferences or {}).items()
            if weight > 0.0
        )
        terminal.print(
            f"Preference: {said}. Gain above chance: 1 is the training maximum of the front."
        )
    _print_rules(rules, evidence, decimals, terminal)
    for name, reason in evidence.excluded.items():
        terminal.warn(f"{name} is left out: {reason}")
    for sentence in _sentences(evidence, decimals):
        terminal.print(sentence)
    _print_confusion(evidence.confusion, terminal)
    if evidence.costs is not None and evidence.costs.referral is not None:
        _print_referral(evidence, terminal)


def _print_rules(
    rules: pd.DataFrame, evidence: Evidence, decimals: int, terminal: Terminal
) -> None:
    by_cost = evidence.value == "cost"
    held_out = ["holdout"] if "holdout" in rules else []
    headings = {"cost": "cost per row", "utility": "gain"}
    table = terminal.table(
        headings.get(evidence.value, evidence.value_label),
        *("cross-validated", "vs best", *held_out, "terms", "s"),
    )
    for name, row in rules.iterrows():
        excess, low, high = row[list(EXCESS)]
        words = excess_words(row, by_cost=by_cost)
        if excess == low == high == 0.0:
            words = ""
        if not row.get("within limits", True):
            words = "misses a limit"
        if not row.get("monotone", True):
            words = f"not monotone; {words}"
        table.add_row(
            str(name),
            measured(row[evidence.value], row["std_error"], decimals),
            words,
            *(f"{row[column]:.{decimals}f}" for column in held_out),
            "" if np.isnan(row["terms"]) else f"{row['terms']:g}",
            f"{row['seconds']:.1f}",
            style="bold" if name == evidence.selected else "",
        )
    terminal.print(table)


def _sentences(evidence: Evidence, decimals: int) -> Iterator[str]:
    """Yield the notes below the table of costs."""
    taken, candidates = evidence.selected, evidence.candidates.index
    others = [str(name) for name in candidates if name not in (*BASELINES, MEMBER, taken)]
    yield _why(evidence, others, decimals)
    if evidence.metric is not None:
        yield f"Decisions are those of least expected cost for {evidence.criterion}."
    not_fitted = [
        name for name in CANDIDATES if name not in {*candidates, *evidence.excluded}
    ]
    if others or not_fitted:
        yield f"Others: --model {' | '.join([*others, *not_fitted])}"
    if evidence.latest is not None:
        value, error, differs = evidence.latest
        sentence = f"On the last fold alone: {measured(value, error, decimals)}"
        if differs:
            sentence += "; earlier folds differ, so expect this cost in future"
        yield f"{sentence}."
    if evidence.shuffled is not None:
        shown = measured(*evidence.shuffled, decimals)
        yield (
            f"Later rows differ from earlier ones: shuffled folds give {shown} for {taken}."
        )
    yield from (f"Limit {limit}." for limit in evidence.limits)
    yield from _of_directions(evidence)
    if evidence.without_limits is not None:
        yield _price_of_limits(evidence, evidence.without_limits, decimals)


def _why(evidence: Evidence, others: Sequence[str], decimals: int) -> str:
    """Compare the cost of the selected model with the baseline and the runner-up."""
    taken, by_cost = evidence.selected, evidence.value == "cost"
    words = f"{taken.capitalize()}: {evidence.candidates[evidence.value][taken]:.{decimals}f} "
    counted = measured(evidence.expected, evidence.expected_se, decimals)
    unit = {"cost": "per row", "utility": "gained"}.get(
        evidence.value, evidence.value_label
    )
    words += f"{unit} ({counted} corrected for model selection)"
    baseline = evidence.differences.get(PROPORTIONAL_ODDS)
    if baseline is not None and by_cost:
        noise = "" if _is_clear(baseline) else " (within noise)"
        words += f", {_share_words(baseline.estimate)} {PROPORTIONAL_ODDS}{noise}"
    if others and others[0] in evidence.differences:
        excess = evidence.differences[others[0]]
        better = "better" if excess.estimate < 0.0 else "worse"
        words += f"; {others[0]} is {better if _is_clear(excess) else f'no {better} within noise'}"
    return f"{words}."


def _is_clear(difference: PairedDifference) -> bool:
    return difference.low > 0.0 or difference.high < 0.0


def _share_words(saving: float) -> str:
    """Return the relative saving of a candidate, worded as on the page."""
    share = abs(saving)
    if share < 0.005:
        return "as much as"
    near = [words for part, words in FRACTIONS.items() if abs(part - share) < 0.02]
    if saving < 0.0 and not near:
        return more_words(share, "as much as", " than")
    words = near[0] if near else f"{100.0 * share:.0f} %"
    return f"{words} {'less' if saving > 0.0 else 'more'} than"


def _of_directions(evidence: Evidence) -> Iterator[str]:
    """Describe the cost of known directions, and suggest further ones."""
    if evidence.constraint is not None:
        candidate, (estimate, _, low, high) = evidence.constraint
        if evidence.costs is None:
            figures = f"{estimate:.2g} of the gain ({low:.2g} to {high:.2g})"
        else:
            figures = f"{estimate:.1%} ({low:.1%} to {high:.1%}) of the cost"
        yield f"The directions cost {figures} on new data, by {candidate} with and without."
    if evidence.suggested:
        words = ",".join(
            f"{name}:{'+' if sign > 0 else '-'}"
            for name, sign in evidence.suggested.items()
        )
        yield f"Others that the data suggest: --monotone {in_one_line(words)}"


def _price_of_limits(evidence: Evidence, free: float, decimals: int) -> str:
    """Describe the cross-validated excess cost of limits over the cost without them."""
    held = evidence.candidates[evidence.value][evidence.selected]
    figures = f"({held:.{decimals}f} instead of {free:.{decimals}f}"
    what = "limit costs" if len(evidence.limits) == 1 else "limits cost"
    if evidence.value != "cost":
        lost = abs(free - held)
        return f"The {what} {lost:.2g} of the {evidence.value_label} {figures})."
    if evidence.overall_limits is not None:
        figures += (
            f", {evidence.overall_limits:.{decimals}f} with limits over all groups,"
        )
    more = "nothing" if held <= free else "all of it"
    if held > free > 0.0:
        more = more_words(held / free - 1.0)
    return f"The {what} {more} {figures} per row)."


def _print_confusion(confusion: pd.DataFrame, terminal: Terminal) -> None:
    """Print the confusion matrix, or, of many classes, the rates of each."""
    counts = confusion.to_numpy().round(1)
    names = [short(label) for label in confusion]  # a referral is the last
    if len(set(names)) < len(names):  # shortened to the same: numbers tell them apart
        names = [f"{k + 1} {name}" for k, name in enumerate(names)]
    headings = [f"as {name}" for name in names]
    first = max(map(len, ["cross-validated", *names]))
    if first + sum(len("  ") + len(heading) for heading in headings) > (
        terminal.results.width
    ):
        headings = ["rows", "recall", "too low", "too high"]
        rows, called = counts.sum(axis=1), counts[:, : len(counts)]
        parts = [called * np.eye(len(called)), np.tril(called, -1), np.triu(called, 1)]
        rates = np.transpose([part.sum(axis=1) for part in parts])
        rates /= np.maximum(rows, 1.0)[:, None]
        cells = [
            [str(total.round(1)), *(f"{rate:.0%}" for rate in row)]
            for total, row in zip(rows, rates, strict=True)
        ]
    else:
        cells = [list(map(str, row)) for row in counts]
    table = terminal.table("cross-validated", *headings)
    for name, row in zip(names, cells, strict=False):
        table.add_row(name, *row)
    terminal.print(table)


def _print_referral(evidence: Evidence, terminal: Terminal) -> None:
    """Print the share of rows referred for review (rejected), and the saving."""
    counts, curve = (
        evidence.confusion,
        evidence.referral().set_index("model").loc[evidence.selected],
    )
    class_shares = counts.iloc[:, -1] / counts.sum(axis=1)
    shares = ", ".join(
        f"{share:.0%} of {in_one_line(k)}" for k, share in class_shares.items()
    )
    in_use = counts.to_numpy() * evidence.class_ratios[:, None]
    share = in_use[:, -1].sum() / in_use.sum()
    terminal.print(
        f"Referred for review: {share:.1%} of all rows ({shares}); without referral the cost per "
        f"row is {curve['cost'].iloc[0]:.3g}.",
        soft_wrap=True,
    )
