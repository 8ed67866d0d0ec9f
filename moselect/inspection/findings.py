"""Findings: figures of a selection that hold in special situations."""

from collections.abc import Mapping
from typing import NamedTuple

from moselect._types import Labels
from moselect.evaluation.choice import PairedDifference


class WithoutLimits(NamedTuple):
    """Cross-validated value of the selected candidate without its limits.

    Examples
    --------
    >>> WithoutLimits(0.8).value
    0.8
    """

    value: float


class ConstraintCost(NamedTuple):
    """Cross-validated excess cost, or lost utility, of a candidate that keeps directions.

    ``difference`` is paired by sample with the same ``candidate`` without directions, and
    relative to it for costs.

    Examples
    --------
    >>> excess = PairedDifference(0.01, 0.02, -0.03, 0.05)
    >>> ConstraintCost("linear", excess).difference.estimate
    0.01
    """

    candidate: str
    difference: PairedDifference

    def sentence(self, by_cost: bool) -> str:
        """Report the excess cost, or the lost share of the gain, with its interval."""
        estimate, _, low, high = self.difference
        figures = f"{estimate:.2g} of the gain ({low:.2g} to {high:.2g})"
        if by_cost:
            figures = f"{estimate:.1%} ({low:.1%} to {high:.1%}) of the cost"
        return f"Monotonic effects cost {figures}, estimated with {self.candidate}."


class Excluded(NamedTuple):
    """Reasons why candidates, or models of the ensemble, were left out.

    Examples
    --------
    >>> Excluded({"forest": "ValueError: too few rows"}).sentences
    ['forest is excluded: ValueError: too few rows']
    """

    reasons: Mapping[str, str]

    @property
    def sentences(self) -> list[str]:
        """Report each reason."""
        return [f"{name} is excluded: {why}" for name, why in self.reasons.items()]


class Comparison(NamedTuple):
    """Origin of a comparison: its class scale, and what repeats it.

    Attributes
    ----------
    scale : ndarray
        All classes, lowest first, including classes without samples.
    order_is_guessed : bool
        Whether the order of the classes was inferred from a known scale.
    random_state, fingerprint : int and str
        Seed of the folds and models, and hash of the data.

    Examples
    --------
    >>> import numpy as np
    >>> Comparison(np.array([1, 2]), False, 0, "").random_state
    0
    """

    scale: Labels
    order_is_guessed: bool
    random_state: int | None
    fingerprint: str


Finding = WithoutLimits | ConstraintCost | Excluded | Comparison
