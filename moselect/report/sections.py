"""The report of a selection: sections of sentences and tables, which every output shows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec.structs import asdict

from moselect._types import Document
from moselect.evaluation.rules import OwnThresholds
from moselect.inspection.groups import GroupEstimates
from moselect.listing import counted, decimals_of, in_one_line, rounded, with_interval
from moselect.metrics.objectives import objective_named
from moselect.monitoring.all_rows import AllRows
from moselect.predictor.card import Section
from moselect.report.figures import (
    candidate_table,
    class_table,
    columns_of,
    confusion_table,
    group_table,
    mistake_section,
)
from moselect.report.headline import (
    costliest_class,
    criterion_words,
    group_sentences,
    headline,
)

if TYPE_CHECKING:
    from moselect.selection.evidence import Evidence


class Report(NamedTuple):
    """Sections of a result: the terminal, the summary and the page take their words from it.

    Examples
    --------
    >>> Report._fields[:3]
    ('headline', 'limits', 'changes')
    """

    headline: list[str]
    limits: (
        Section  # on missing the costliest class: one at the same cost, and stricter ones
    )
    changes: Section  # the decision at other costs of the costliest class
    mistakes: Section  # rows that cost most
    criteria: Section  # costs, metric or preferences, and limits
    candidates: Section
    findings: Section  # figures of a referral
    confusion: Section
    differences: Section  # between groups of any column
    groups: list[Section]  # of the columns that are named, and of all rows of a source


def report(
    evidence: Evidence,
    groups: Mapping[str, GroupEstimates] | None = None,
    all_rows: AllRows | None = None,
    changed: Mapping[float, Evidence] = MappingProxyType({}),
) -> Report:
    """Report a selection in sections, with a section for each column of ``groups``.

    Of a sample, the figures of all other rows of its source may be the last one. Evidence
    of the same table for other costs is ``changed``, by the factor of the cost of mistakes
    on the costliest class.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> report(model.evidence).candidates.table[1][:1]
    ['proportional odds']
    """
    excluded = [f"{sentence}." for sentence in evidence.exclusions]
    how = "Every case is predicted by a model fitted without it (cross-validation)."
    if evidence.splits.train.times is not None:
        how = "Every case is predicted by a model of earlier cases (cross-validation)."
    sections = group_sections(groups or {})
    if all_rows is not None:
        sections.append(_all_rows_section(all_rows))
    is_referred = evidence.criteria.referral is not None
    return Report(
        headline(evidence),
        _limits(evidence),
        _changes(evidence, changed),
        mistake_section(evidence),
        _criteria(evidence),
        Section("Is the difference real?", excluded, candidate_table(evidence)),
        Section("Further findings", [_referred(evidence)] if is_referred else []),
        Section("Confusion matrix", [how], confusion_table(evidence.confusion)),
        Section("For whom is it worse?", group_sentences(evidence)),
        sections,
    )


STRICTER = (0.75, 0.5, 0.25)  # limits in multiples of the present error rate
# Costs of two rules that differ by less are equal, and a rule finds more cases if these are
# at least two and a tenth of the class.
EQUAL_COST = 0.005
MORE_CASES = 2.0
MORE_OF_CLASS = 0.1


def _limits(evidence: Evidence) -> Section:
    """Offer a limit that finds more cases at the same cost, and tabulate stricter limits."""
    code = costliest_class(evidence)
    label = evidence.samples.classes[code]
    title = f"Limits on missing class {label}"
    # A comparison has no limits: they are set by a selection.
    is_selection = evidence.compared is None
    by_cost = evidence.loss.by_cost and bool(evidence.probabilities)
    if not is_selection or not by_cost or evidence.limits:
        return Section(title)
    # the miss rate at the boundary of this outer class, or beyond
    words = f"{label}<{label}" if code else f"{label}>{label}"
    counts = evidence.confusion.to_numpy()
    total = counts[code].sum()
    referred = counts[code, len(counts) :].sum()  # no mistakes, by the limit
    missed = 1.0 - (counts[code, code] + referred) / total
    cost = evidence.chosen.cv_loss[0]
    if not cost > 0.0 or not missed > 0.0:
        return Section(title)
    # Rules are ordered from the cheapest to the strictest.
    rules = evidence.price(words)
    # A limit is written with two decimals, and is to be met by the rule.
    rules["limit"] = np.ceil(100.0 * rules["limit"]) / 100.0
    rules = rules[rules["limit"] < 1.0]
    rows = []
    for share in STRICTER:
        for rule in rules[rules["share"] <= share * missed].head(1).to_dict("records"):
            more = max(0.0, rule["cost"] / cost - 1.0)
            row = [
                f"{words}:{rule['limit']:g}",
                f"{rule['share']:.0%}",
                f"{more:.0%} more",
            ]
            if row not in rows:
                rows.append(row)
    if not rows:
        return Section(title)
    sentences = []
    least = max(MORE_CASES, MORE_OF_CLASS * total)
    is_offer = (rules["cost"] <= (1.0 + EQUAL_COST) * cost) & (
        (missed - rules["share"]) * total >= least
    )
    if is_offer.any():
        offer = rules[is_offer].iloc[-1]
        found = counted(math.floor((1.0 - offer["share"]) * total))
        sentences.append(
            f"Can find {found} of these {counted(total)} at this cost, fewer later: "
            f"--limit '{words}:{offer['limit']:g}'"
        )
    heading = ["limit", "expected to be missed", "mean cost"]
    return Section(title, sentences, [heading, *rows])


def _changes(evidence: Evidence, changed: Mapping[float, Evidence]) -> Section:
    """Report the model to use at other costs of mistakes on the costliest class."""
    label = evidence.samples.classes[costliest_class(evidence)]
    sentences = []
    for factor, other in changed.items():
        recommended, *_ = headline(other)
        words = f"{recommended[0].lower()}{recommended[1:]}"
        sentences.append(f"Class {label} at {factor:g} times its cost: {words}")
    return Section("If costs change", sentences)


def _all_rows_section(found: AllRows) -> Section:
    """Report the figures of a model on the rows of a source that are not in its sample."""
    figure = with_interval(found.bounds, decimals_of([found.std_error]))
    rows = f"{found.n_rows:,} rows that are not in the sample"
    sentence = f"Mean cost {figure} at the class shares of the source, by {rows}"
    if found.n_excluded:
        sentence += f"; {found.n_excluded:,} have no class or no prediction"
    table = confusion_table(found.confusion)
    return Section("All other rows of the source", [f"{sentence}."], table)


def result_of(reported: Report, evidence: Evidence, file: str | None = None) -> Document:
    """Return the report of a selection, with the ``file`` of its model, as a page shows it."""
    headings = "model", evidence.loss.heading, evidence.loss.gained, "parameters"
    heads, *lines = columns_of(reported.candidates.table, *headings)
    figures = evidence.candidates[[evidence.value, "std_error"]].to_numpy().tolist()
    chosen = evidence.chosen
    thresholds = None
    # Thresholds that minimise costs along a score decide otherwise than its probabilities.
    if isinstance(chosen.rule, OwnThresholds) and chosen.fit.model is not None:
        thresholds = chosen.fit.model.thresholds_.tolist()
    return {
        "selected": evidence.selected,
        "file": file,
        "sentences": [
            *reported.headline,
            *reported.criteria.sentences,
            *reported.findings.sentences,
        ],
        "groups": [asdict(section) for section in reported.groups],
        "decided": chosen.out_of_fold.codes.tolist(),
        "thresholds": thresholds,
        "heads": heads,
        "lines": [
            {"cells": cells, "cost": value, "error": error}
            for cells, (value, error) in zip(lines, figures, strict=True)
        ],
    }


def group_sections(groups: Mapping[str, GroupEstimates]) -> list[Section]:
    """Report the measures of each group of each column, and the largest difference."""
    sections = []
    for column, found in groups.items():
        largest = [
            f"Largest difference in {measure}: {rounded(row['difference'])} between "
            f"{row['lowest']} and {row['highest']} (95 % interval {rounded(row['low'])} to "
            f"{rounded(row['high'])})."
            for measure, row in found.differences.head(1).iterrows()
        ]
        sections.append(Section(f"By {column}", largest, group_table(found)))
    return sections


def _criteria(evidence: Evidence) -> Section:
    """Describe costs, metric or preferences, and limits."""
    limits = [f"Limit {limit}." for limit in evidence.limits]
    free = evidence.without_limits
    if free is not None:
        # A difference of the same candidate needs no correction for selection.
        held = evidence.loss.value(evidence.chosen.cv_loss[0])
        words = f"Effect of the limits on the {evidence.loss.words}: {held - free:+z.2g}."
        if evidence.loss.by_cost and free > 0.0:
            words = f"Excess cost of the limits: {max(0.0, held / free - 1.0):.0%}."
        limits.append(words)
    if evidence.costs is None:
        weights = ", ".join(
            f"{objective_named(name).label} {100 * weight:.0f} %"
            for name, weight in (evidence.loss.preferences or {}).items()
            if weight > 0.0
        )
        words = f"Weights: {weights}. A gain of 1 is the training maximum of the front."
        return Section("Preferences", [words, *limits])
    title = "Costs"
    sentences = []
    if evidence.loss.metric is not None:
        sentences.append(f"Costs: those that optimise {criterion_words(evidence)}.")
    if evidence.costs.row_costs is not None:
        title = "Mean costs"
        cells = in_one_line(evidence.costs.row_costs)
        total = f"total cost {evidence.sum:,.0f}, corrected for model selection"
        sentences.append(f"Costs of each row: {cells}; {total}.")
    costs = [[rounded(cost, 4, ",") for cost in row] for row in evidence.costs.matrix]
    return Section(title, [*sentences, *limits], class_table(evidence.confusion, costs))


def _referred(evidence: Evidence) -> str:
    """Report the share of rows referred for review (rejected), and the cost that they save."""
    curve = evidence.referral().set_index("model").loc[evidence.selected]
    in_use = evidence.confusion.to_numpy() * evidence.criteria.ratios[:, None]
    share = in_use[:, -1].sum() / in_use.sum()
    # The curve begins with the cost without referrals.
    saved = 1.0 - evidence.chosen.cv_loss[0] / curve["cost"].iloc[0]
    return (
        f"Sent to review: {share:.1%} of all rows, which lowers the mean cost by "
        f"{saved:.0%}."
    )
