"""Sensitivity of a selection: to limits, and to known directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from moselect.candidates.candidates import CandidateFits
from moselect.candidates.names import ADDITIVE
from moselect.evaluation.evaluations import Evaluations
from moselect.inspection.findings import ConstraintCost, Finding, WithoutLimits
from moselect.models.learner import FitError


def evaluate(
    fits: CandidateFits, names: Iterable[str], others: Evaluations
) -> Evaluations:
    """Evaluate some candidates like others on the same folds; FitError if one cannot be fitted."""
    criteria = others.criteria
    known = {name: fits(name, criteria.of_classes) for name in names}
    splits = others.splits._replace(train=fits.samples)
    return Evaluations.of(known, criteria, splits)


def findings_of(
    evaluated: Evaluations,
    selected: str,
    fits: CandidateFits,
    unconstrained: CandidateFits | None,
) -> Iterator[Finding]:
    """Return the findings that hold for a selection with limits or known directions.

    Parameters
    ----------
    evaluated : Evaluations
        Candidates that keep the limits and directions.
    selected : str
        The selected candidate.
    fits, unconstrained : CandidateFits
        Fits of the same table and folds, with and without directions, if there are any.
    """
    if evaluated.criteria.limits:
        criteria = replace(evaluated.criteria, limits=())
        own = {selected: evaluated[selected].fit}
        other = Evaluations.of(own, criteria, evaluated.splits)
        yield WithoutLimits(float(evaluated.value_of(other[selected].figure()[0])))
    if unconstrained is None:
        return
    # An ensemble has no single score: the additive model is compared in its place.
    candidate = fits.candidates.get(selected)
    is_sum = candidate is not None and candidate.is_sum
    name = selected if is_sum else ADDITIVE
    with suppress(FitError):  # a candidate cannot be fitted: nothing to compare
        free = evaluate(unconstrained, [name], evaluated)
        if name not in evaluated:
            evaluated = evaluate(fits, [name], evaluated)
        difference = evaluated.excess_over(free, name)
        if difference is not None:
            yield ConstraintCost(name, difference)
