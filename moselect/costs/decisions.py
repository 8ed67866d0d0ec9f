"""Decisions of least expected cost, and the reject option (abstention) at a given cost."""

from collections.abc import Mapping

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers, Labels
from moselect.validation import as_costs

# the cost, of classes, or by its answer
Refer = float | ArrayLike | Mapping[str, ArrayLike]


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
    return np.array([*classes.tolist(), referral.label], object)


def read_referral(refer: Refer | None, classes: Labels) -> tuple[str, Floats] | None:
    """Parse the label of the reject option and its cost for each class (r,).

    The cost is a number or a number for each class, optionally by a label, such as ``{"person":
    2.5}``.

    Raises
    ------
    ValueError
        If costs are negative, not finite or of other classes, or the label is a class.
    """
    if refer is None:
        return None
    given = refer if isinstance(refer, Mapping) else {"refer": refer}
    if len(given) != 1:
        raise ValueError(
            f"refer has {len(given)} labels: give one, such as {{'person': 2.5}}"
        )
    ((label, cost),) = given.items()
    costs = as_costs("refer", cost)
    if costs.shape not in ((), classes.shape):
        raise ValueError(
            f"the cost of a referral is {cost!r}: give a number, or one for each of the "
            f"{len(classes)} classes"
        )
    if str(label) in map(str, classes.tolist()):
        raise ValueError(
            f"{label!r} is a class: call a row that is referred something else"
        )
    # One cost for all classes is the same for each of them.
    return str(label), np.broadcast_to(costs, classes.shape).copy()


def costs_at(
    costs: Floats, codes: Integers, predicted: Integers | int | slice = slice(None)
) -> Floats:
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
    return expected_costs(proba, costs).argmin(axis=1)


# Decay of class probabilities near a boundary, from one class to the next.
PROBABILITY_DECAY = 0.3


def costs_in_order(costs: Floats) -> Floats:
    """Return costs near the given ones whose decisions rise with the class probabilities.

    The class of least expected cost rises, or stays, whenever all P(y > k) rise if what
    each class saves beside the one below, ``C[y, k] - C[y, k + 1]``, ascends with the true
    class y: its mean then rises (stochastic dominance), and the least cost moves up
    (Topkis 1978, Minimizing a submodular function on a lattice, Operations Research 26,
    305-321). Where the savings do not ascend they are replaced by the nearest that do,
    by isotonic regression, with weights as class probabilities have them at the boundary
    between the two decisions: they fall by a constant factor from class to class.

    Parameters
    ----------
    costs : ndarray of shape (r, r), or (r, r + 1) with a referral
        Rows true classes, columns decisions. The referral column stays.

    Examples
    --------
    >>> zero_one = 1.0 - np.eye(3)
    >>> -np.diff(costs_in_order(zero_one)).round(2)
    array([[-1.  , -0.77],
           [ 0.77, -0.77],
           [ 0.77,  1.  ]])
    >>> absolute = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    >>> bool((costs_in_order(absolute) == absolute).all())
    True
    """
    r = len(costs)
    savings = -np.diff(costs[:, :r], axis=1)
    # Absolute and squared costs are in order already, and stay as they are to the last
    # bit.
    if (np.diff(savings, axis=0) >= 0.0).all():
        return costs
    weights = PROBABILITY_DECAY ** np.abs(np.arange(r)[:, None] - np.arange(r - 1) - 0.5)
    from scipy.optimize import isotonic_regression  # slow to import, and seldom needed

    # One isotonic regression for each pair of neighbouring decisions, over the true
    # classes.
    ascending = [
        isotonic_regression(saved, weights=weight).x
        for saved, weight in zip(savings.T, weights.T, strict=True)
    ]
    # Costs follow from savings up to a constant in each row: cumulative sums undo the
    # differences.
    relative = np.zeros((r, r))
    relative[:, 1:] = -np.cumsum(ascending, axis=0).T
    # A constant of a row changes no decision: keep the costs of the right ones.
    ordered = np.array(costs, float)
    ordered[:, :r] = relative + (costs.diagonal() - relative.diagonal())[:, None]
    # Shifting a row up until no cost is negative changes no decision either.
    return ordered - np.minimum(ordered.min(axis=1), 0.0)[:, None]


def cheapest_thresholds_of_costs(
    scores: Floats, object_costs: Floats
) -> tuple[Floats, float]:
    """Find thresholds of least total cost for sample-dependent costs (n, r)."""
    # slow to import, and most predictions need no thresholds
    from moselect._kernels.cutpoints import best_positions, positions_to_thresholds

    n, r = object_costs.shape
    order = np.argsort(scores, kind="stable")
    ascending = scores[order]
    ends = np.append(ascending[1:] != ascending[:-1], True)
    positions = np.empty(r - 1, int)
    counts = np.ones(n, int)
    total = best_positions(
        np.arange(n), counts, np.ones(n), ends, n, object_costs[order], positions
    )
    return positions_to_thresholds(ascending, positions), total
