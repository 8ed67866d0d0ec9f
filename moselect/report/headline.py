"""The result of a selection in a few sentences."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING

from moselect.candidates.names import MEMBER, PROPORTIONAL_ODDS, ROW_SHARES, TRIVIAL
from moselect.evaluation.choice import PairedDifference
from moselect.inspection.groups import is_lowest_costlier
from moselect.listing import (
    counted,
    decimals_of,
    listing,
    rounded,
    rows_of,
    with_interval,
)
from moselect.metrics.decision_metrics import RatioMetric

if TYPE_CHECKING:
    from moselect.selection.evidence import Evidence

BASELINE_WORDS = {
    TRIVIAL: "without a model",
    ROW_SHARES: "class shares with the costs of the row",
    PROPORTIONAL_ODDS: "ordinal logistic regression",
}


def headline(evidence: Evidence) -> list[str]:
    """Summarise a selection: the model to use, baselines, the basis, and the costliest class.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> len(headline(model.evidence))
    4
    """
    return [*_recommended(evidence), _basis(evidence), _severe(evidence)]


def costliest_class(evidence: Evidence) -> int:
    """Return the code of the outer class whose mistakes cost more; the highest if equal."""
    is_lowest = is_lowest_costlier(evidence.sample_costs)
    return 0 if is_lowest else evidence.samples.n_classes - 1


def criterion_words(evidence: Evidence) -> str | None:
    """Name the metric that decisions are solved for, and the lambda of a ratio N - lambda D.

    None for costs and preferences.
    """
    loss = evidence.loss
    if loss.metric is None:
        return None
    if not isinstance(loss.metric, RatioMetric):
        return loss.label
    return f"{loss.label}, lambda = {loss.value(evidence.chosen.cv_loss[0]):.3g}"


def is_any_worse(evidence: Evidence) -> bool:
    """Check whether groups of some categorical column differ beyond chance."""
    return bool((evidence.group_differences["low"] > 0.0).any())


def group_sentences(evidence: Evidence) -> list[str]:
    """Name the groups that differ most in cost, or accuracy, among categorical columns."""
    table = evidence.group_differences
    if table.empty:
        return []
    n_columns = f"{len(table)} column{'s' * (len(table) > 1)} compared"
    measure = "mean cost" if evidence.loss.by_cost else "accuracy"
    column = table.index[0]
    lowest, highest, *figures = table.iloc[0]
    if not is_any_worse(evidence):
        names = listing(table.index, 4)
        return [f"No significant difference in {measure} by {names} ({n_columns})."]
    difference, low, high = (rounded(figure, 2, ",") for figure in figures)
    interval = f"(95 % interval {low} to {high}, corrected for {n_columns})"
    if measure == "accuracy":
        gap = f"accuracy {difference} lower than for {highest}"
        return [f"Worst for {column} = {lowest}: {gap} {interval}."]
    gap = f"mean cost {difference} higher than for {lowest}"
    return [
        f"Worst for {column} = {highest}: {gap} {interval}.",
        "Groups with more cases of the costly classes cost more by any model.",
    ]


def is_significant(difference: PairedDifference) -> bool:
    """Check whether the 95 % interval of a difference excludes 0."""
    return difference.low > 0.0 or difference.high < 0.0


# Saving, or gain of a metric, over decisions without features: if the lower end of its
# interval is below it, the model is reported as hardly better.
SMALL_GAIN = 0.05


def _recommended(evidence: Evidence) -> Iterator[str]:
    """Name the model to use with its value, and compare it with the baselines."""
    values = evidence.candidates[evidence.value]
    decimals = decimals_of(evidence.candidates["std_error"])
    figures = {name: f"{value:z,.{decimals}f}" for name, value in values.items()}
    model = f"{evidence.selected} model"
    compared = {
        name: _difference(
            evidence, name, values[name], "it" if name == TRIVIAL else f"the {model}"
        )
        for name in BASELINE_WORDS
        if name in evidence.differences
    }
    start = f"Use the {model}"
    gains = [evidence.differences[name] for name in {ROW_SHARES, TRIVIAL} & {*compared}]
    if any(gain.low < SMALL_GAIN for gain in gains):
        start = f"The {model} is hardly better than no model"
    if any(not gain.estimate > 0.0 for gain in gains):
        start = f"The {model} is no better than no model"
    first = figures[evidence.selected]
    end = latest = ""
    if evidence.latest is not None:
        n_latest = len(evidence.latest.splits.cv)
        latest = f" on the latest {n_latest:,} cases; cross-validated {first}"
        first = f"{evidence.expected:z,.{decimals}f}"
    figure = (
        f"{first} per case" if evidence.loss.by_cost else f"{evidence.loss.words} {first}"
    )
    figure += latest
    if TRIVIAL in compared:
        figure += f", {figures[TRIVIAL]} {_named(evidence, TRIVIAL)}".removesuffix(",")
        end = f": {compared.pop(TRIVIAL)}"
    yield f"{start} ({figure}){end}."
    for name, difference in compared.items():
        words = _named(evidence, name)
        yield f"{words[0].upper()}{words[1:]} ({figures[name]}): {difference}."
    if evidence.compared is None:
        yield from _simpler(evidence, figures)


def _simpler(evidence: Evidence, figures: Mapping[Hashable, str]) -> Iterator[str]:
    """Name the simplest candidate whose value does not differ beyond chance, if any."""
    names = [*evidence.evaluations]  # of the candidates, simplest first
    for name in names[: names.index(evidence.selected)]:
        gain = evidence.differences.get(name)
        if name in (*BASELINE_WORDS, MEMBER) or gain is None or is_significant(gain):
            continue
        if evidence.evaluations[name].is_within:
            yield f"The {name} model ({figures[name]}) is simpler: no difference beyond chance."
            return


def _named(evidence: Evidence, name: str) -> str:
    """Name a baseline, and whether it meets the limits."""
    words = BASELINE_WORDS[name]
    if not evidence.limits:
        return words
    plural = "s" * (len(evidence.limits) > 1)
    if evidence.evaluations[name].is_within:
        return f"{words} within the same limit{plural}"
    return f"{words}, which exceeds the limit{plural},"


def _difference(evidence: Evidence, name: str, other: float, subject: str) -> str:
    """Describe the gain of the selected model over a baseline of the value ``other``.

    A gain in cost is a relative saving; it is reported in costs of 1,000 cases.
    """
    gain = evidence.differences[name]
    if not is_significant(gain):
        return "no difference beyond chance"
    by_cost = evidence.loss.by_cost
    unit = 1_000.0 * other if by_cost else 1.0
    ends = sorted(abs(unit * end) for end in (gain.low, gain.high))
    # Two digits of the standard error, of large numbers without the decimals.
    decimals = 1 - math.floor(math.log10(unit * gain.std_error))
    size, low, high = (
        f"{round(each, decimals):,.{max(0, decimals)}f}"
        for each in (abs(unit * gain.estimate), *ends)
    )
    interval = f"(95 %: {low} to {high})"
    if by_cost:
        words = f"saves {size}" if gain.estimate > 0.0 else f"costs {size} more"
        return f"{subject} {words} per 1,000 cases {interval}"
    words = "better" if gain.estimate > 0.0 else "worse"
    return f"{subject} is {words} by {size} {interval}"


def _severe(evidence: Evidence) -> str:
    """Count found and missed cases of the costliest class, and its false alarms."""
    counts = evidence.confusion.to_numpy()
    code = costliest_class(evidence)
    found = counts[code, code]
    total = counts[code].sum()
    referred = counts[code, len(counts) :].sum()
    missed = total - found - referred
    alarms = counts[:, code].sum() - found
    label = evidence.samples.classes[code]
    words = (
        f"Finds {counted(found)} of {counted(total)} cases of class {label}, misses "
        f"{counted(missed)}"
    )
    if evidence.confusion.shape[1] > len(counts):
        words += f" and refers {counted(referred)} for review"
    plural = "s" * (counted(alarms) != "1")
    words += f"; {counted(alarms)} false alarm{plural}"
    if evidence.splits.cv.weights is not None:
        words += " (weighted counts)"
    return f"{words}."


def _basis(evidence: Evidence) -> str:
    """Report the rows that the values hold for, and the interval of that on the latest rows."""
    splits = evidence.splits
    cases = rows_of(len(splits.cv), splits.n_source_rows, "cases")
    basis = f"Cross-validated on {cases}"
    if splits.train.times is not None:
        basis += ", each by a model of earlier ones"
    basis += ", and corrected for the selection of the best"
    if evidence.latest is not None:
        decimals = decimals_of(evidence.candidates["std_error"])
        basis += (
            f"; on the latest cases {with_interval(evidence.expected_interval, decimals)}"
        )
    return f"{basis}."
