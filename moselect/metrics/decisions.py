"""Decisions of least expected cost, and the reject option (abstention) at a given cost."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers, Labels


class Referral(Struct, frozen=True, forbid_unknown_fields=True):
    """Label of referred rows, and the score ranges in which rows are referred.

    ``thresholds`` (k,) ascend, and ``codes`` (k + 1,) are the decisions between them: class
    codes, or r for referral. Decisions by probabilities have no thresholds.
    """

    label: str = "refer"
    thresholds: list[float] = []
    codes: list[int] = []


def answers(classes: Labels, referral: Referral | None) -> Labels:
    """Return all decisions of a model: classes (r,) and the label of the reject option."""
    if referral is None:
        return classes
    return np.array([*classes.tolist(), referral.label], dtype=object)


def read_referral(
    refer: float | ArrayLike | Mapping[str, object] | None, classes: Labels
) -> tuple[str, Floats] | None:
    """Parse the label of the reject option and its cost for each class (r,).

    The cost is a number, one for each class, or either of them by a label, such as ``{"person":
    2.5}``.

    Raises
    ------
    ValueError
        If costs are negative, not finite or of other classes, or the label is a class.
    """
    if refer is None:
        return None
    label, cost = (
        next(iter(refer.items())) if isinstance(refer, Mapping) else ("refer", refer)
    )
    costs = np.asarray(cost, dtype=np.float64)
    if (
        costs.shape not in ((), classes.shape)
        or not (np.isfinite(costs) & (costs >= 0.0)).all()
    ):
        raise ValueError(
            f"the cost of a referral is {cost!r}: give a number of at least 0, or one for each of "
            f"the {len(classes)} classes"
        )
    if str(label) in map(str, classes.tolist()):
        raise ValueError(
            f"{label!r} is a class: call a row that is referred something else"
        )
    # One cost for all classes is the same for each of them.
    return str(label), np.broadcast_to(costs, classes.shape).copy()


def costs_at(costs: Floats, codes: Any, predicted: Any = slice(None)) -> Floats:
    """Look up the costs of samples by true class, and by decision if it is given.

    ``costs`` are one matrix (r, m), or one for each of the samples (n, r, m); the result
    is (n, m), or (n,) for ``predicted`` codes (n,).
    """
    cells = (codes, predicted)
    if costs.ndim == 3:
        cells = (np.arange(len(codes)), *cells)  # type: ignore[assignment]
    return costs[cells]


def expected_costs(proba: Floats, costs: Floats) -> Floats:
    """Compute the expected cost (n, m) of each decision by class probabilities (n, r).

    ``costs`` are one matrix (r, m), or one for each of the samples (n, r, m).

    Examples
    --------
    >>> costs = np.array([[[0.0, 1.0], [5.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]]])
    >>> expected_costs(np.array([[0.7, 0.3], [0.7, 0.3]]), costs)
    array([[1.5, 0.7],
           [0.3, 0.7]])
    """
    if costs.ndim == 2:
        return proba @ costs
    return np.einsum("nc,ncm->nm", proba, costs)


def least_expected_cost(proba: Floats, costs: Floats) -> Integers:
    """Return the codes (n,) of the decisions of least expected cost, the first if tied.

    ``proba`` (n, r) are class probabilities, ``costs`` (r, m) the costs of each decision
    (columns) for each true class (rows), or (n, r, m) for each sample.

    Examples
    --------
    >>> least_expected_cost(np.array([[0.7, 0.3]]), np.array([[0.0, 1.0], [5.0, 0.0]]))
    array([1])
    """
    return expected_costs(proba, costs).argmin(axis=1).astype(np.int64)
