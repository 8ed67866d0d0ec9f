"""Summaries of a selected model: a record for scripts, tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from rich.columns import Columns

from moselect.candidates.names import BASELINES, CANDIDATES, PROPORTIONAL_ODDS
from moselect.cli.tables import print_confusion
from moselect.cli.terminal import Terminal
from moselect.evaluation.choice import ROW_SHARES
from moselect.evaluation.differences import EXCESS, excess_words
from moselect.listing import decimals_of, in_one_line, measured
from moselect.metrics.objectives import objective_named
from moselect.models.scorecard.sheet import is_scorecard, sheet_of
from moselect.predictor import Model
from moselect.report.headline import (
    criterion_words,
    group_sentences,
    headline,
    price_of_limits,
)
from moselect.selection import Evidence
from moselect.selection.front_selector import MEMBER

if TYPE_CHECKING:  # slow to import
    from moselect._types import Document


def record_of_selection(model: Model) -> Document:
    """Return the result of a selection as a document for scripts."""
    evidence: Evidence = model.evidence
    constraint = evidence.constraint
    return record_of(evidence) | {
        "thresholds": getattr(model, "thresholds_", None),
        "preferences": evidence.criteria.preferences,
        "objectives": evidence.objectives,
        "limits": [str(limit) for limit in evidence.limits],
        "without_limits": evidence.without_limits,
        "monotone": model.monotone,
        "constraint": None
        if constraint is None
        else {"candidate": constraint.candidate, **constraint.difference._asdict()},
        "suggested": evidence.suggested,
        "latest": None if evidence.latest is None else evidence.latest._asdict(),
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


def print_rule(model: Model, terminal: Terminal) -> None:
    """Print the decision rule: points of a scorecard, score ranges, or least expected cost."""
    if model.card is None or not is_scorecard(model):
        terminal.print(model.summary)
        return
    sheet = sheet_of(model, model.card)
    features = [
        in_one_line(
            f"{feature} {'; '.join(f'{line.text}: {line.points}' for line in lines)}"
        )
        for feature, lines in groupby(sheet.lines, key=lambda line: line.feature)
    ]
    terminal.print(Columns(features, padding=(0, 3)))
    sums = "; ".join(f"{in_one_line(label)}: {sums}" for label, sums in sheet.classes)
    terminal.print(f"Class by the sum of points: {sums}. To print it: --export card.html")


def print_evidence(evidence: Evidence, terminal: Terminal) -> None:
    """Print cross-validated costs of all candidates, and errors of the selected one."""
    for sentence in headline(evidence):
        terminal.print(in_one_line(sentence))
    if evidence.costs is None:
        weights = ", ".join(
            f"{objective_named(name).label} {100 * weight:.0f} %"
            for name, weight in (evidence.criteria.preferences or {}).items()
            if weight > 0.0
        )
        terminal.print(
            f"Weights: {weights}. A gain of 1 is the training maximum of the front."
        )
    print_candidates(evidence, terminal)
    for note in evidence.notes:
        terminal.warn(note)
    for sentence in _sentences(evidence, decimals_of(evidence.candidates["std_error"])):
        terminal.print(sentence)
    print_confusion(evidence.confusion, terminal)
    if evidence.costs is not None and evidence.costs.referral is not None:
        _print_referral(evidence, terminal)


def print_candidates(evidence: Evidence, terminal: Terminal) -> None:
    """Print the cross-validated costs of all candidates."""
    # Differences in the last bits are no differences between models.
    rules = evidence.candidates.round(12)
    decimals = decimals_of(rules["std_error"])
    by_cost = evidence.value == "cost"
    holdout = ["holdout"] if "holdout" in rules else []
    labels = {"cost": "mean cost", "utility": "gain"}
    value = labels.get(evidence.value, evidence.value_label)
    lines = []
    for name, row in rules.iterrows():
        # An excess of exactly 0 is that of the best candidate over itself.
        excess, low, high = row[list(EXCESS)]
        words = excess_words(row, by_cost=by_cost)
        if excess == low == high == 0.0:
            words = ""
        if not row.get("within limits", True):
            words = "exceeds a limit"
        if not row.get("monotone", True):
            words = f"not monotone; {words}"
        line = [
            str(name),
            measured(row[evidence.value], row["std_error"], decimals),
            words,
            *(f"{row[column]:.{decimals}f}" for column in holdout),
            f"{row['terms']:g}".replace("nan", ""),
            f"{row['seconds']:.1f}",
        ]
        lines.append(line)
    # The best was chosen for the lowest of several estimates.
    headings = ["model", value, "vs best (corrected)", *holdout, "parameters", "fit s"]
    terminal.print_table(headings, lines, bold=evidence.selected)


def _sentences(evidence: Evidence, decimals: int) -> Iterator[str]:
    """Yield the notes below the table of costs."""
    taken = evidence.selected
    candidates = evidence.candidates.index
    baselines = {*BASELINES, ROW_SHARES, MEMBER, taken}
    others = [str(name) for name in candidates if name not in baselines]
    if evidence.criteria.metric is not None:
        yield f"Costs: those that optimise {criterion_words(evidence)}."
    if evidence.costs is not None and evidence.costs.row_costs is not None:
        cells = in_one_line(evidence.costs.row_costs)
        total = f"total cost {evidence.sum:,.0f}, corrected for model selection"
        yield f"Costs of each row: {cells}; {total}."
    if evidence.chosen.fit.model is not None:  # not of a comparison
        better = candidates[: candidates.get_loc(taken)]
        references = [
            f"--model '{name}'"
            for name in better
            if name in (MEMBER, PROPORTIONAL_ODDS)
            and evidence.evaluations[name].is_within
        ]
        if references:
            found = " or ".join(references)
            yield f"Better, but references, which are selected by name only: {found}"
        known = {*candidates, *evidence.excluded}
        others += [name for name in CANDIDATES if name not in known]
        if others:
            yield f"Others: --model {' | '.join(others)}"
    if evidence.latest is not None:
        value, error, differs = evidence.latest
        sentence = f"Latest rows alone: {measured(value, error, decimals)}"
        if differs:
            sentence += "; earlier rows differ, so expect this in production"
        yield f"{sentence}."
    yield from (f"Limit {limit}." for limit in evidence.limits)
    yield from map(in_one_line, group_sentences(evidence)[:1])
    yield from _of_directions(evidence)
    yield from price_of_limits(evidence)


def _of_directions(evidence: Evidence) -> Iterator[str]:
    """Describe the cost of monotonic effects, and suggest further ones."""
    if evidence.constraint is not None:
        candidate, (estimate, _, low, high) = evidence.constraint
        if evidence.costs is None:
            figures = f"{estimate:.2g} of the gain ({low:.2g} to {high:.2g})"
        else:
            figures = f"{estimate:.1%} ({low:.1%} to {high:.1%}) of the cost"
        yield f"Monotonic effects cost {figures}, estimated with {candidate}."
    if evidence.suggested:
        words = ",".join(
            f"{name}:{'+' if sign > 0 else '-'}"
            for name, sign in evidence.suggested.items()
        )
        yield f"Directions suggested by the data: --monotone {in_one_line(words)}"


def _print_referral(evidence: Evidence, terminal: Terminal) -> None:
    """Print the share of rows referred for review (rejected), and the saving."""
    curve = evidence.referral().set_index("model").loc[evidence.selected]
    in_use = evidence.confusion.to_numpy() * evidence.criteria.ratios[:, None]
    share = in_use[:, -1].sum() / in_use.sum()
    terminal.print(
        f"Sent to review: {share:.1%} of all rows; without review the mean cost is "
        f"{curve['cost'].iloc[0]:.3g}.",
        soft_wrap=True,
    )
