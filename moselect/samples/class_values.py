"""Values of classes, such as costs and priors, in the order of the classes."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Labels


def in_class_order(
    what: str, values: ArrayLike | None, classes: Labels, *, guessed: bool = False
) -> Any:
    """Return values of classes without names, in the order of the classes.

    Those of pandas with the classes as index (and columns) are taken by name, others by
    position.

    Raises
    ------
    ValueError
        If names differ from the classes, or there are none and the order of the
        classes is ``guessed``.

    Examples
    --------
    >>> costs = pd.Series({"low": 1, "high": 5})
    >>> in_class_order("class_costs", costs, np.array(["high", "low"])).tolist()
    [5, 1]
    """
    axes = values.axes if isinstance(values, pd.Series | pd.DataFrame) else [None]
    # Values by position are safe only where the user has stated the order of the classes.
    if guessed and values is not None and any(map(_is_unnamed, axes)):
        raise ValueError(
            f"{what} goes by the order of the classes, which y does not tell: give "
            f"labels={classes.tolist()} if that is it, lowest first, or name the classes of "
            f"{what} (a pandas Series or DataFrame)"
        )
    if not isinstance(values, pd.Series | pd.DataFrame):
        return values
    ordered = np.asarray(values)
    names = [str(label) for label in classes.tolist()]
    for axis, index in enumerate(axes):
        if _is_unnamed(index):
            continue
        labels = [str(label) for label in index]
        # All names must match: a missing class would otherwise get the cost of another
        # one.
        if sorted(labels) != sorted(names):
            raise ValueError(
                f"{what} is labelled {', '.join(labels)[:200]}, but the classes are "
                f"{', '.join(names)[:200]}"
            )
        ordered = ordered.take([labels.index(name) for name in names], axis=axis)
    return ordered


def _is_unnamed(index: pd.Index | None) -> bool:
    # The default index of pandas counts positions and names nothing.
    return index is None or (
        isinstance(index, pd.RangeIndex) and index.equals(pd.RangeIndex(len(index)))
    )


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
    # of class probabilities near a boundary, from one class to the next
    decay = 0.3
    weights = decay ** np.abs(np.arange(r)[:, None] - np.arange(r - 1) - 0.5)
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
    ordered = np.array(costs, dtype=np.float64)
    ordered[:, :r] = relative + (costs.diagonal() - relative.diagonal())[:, None]
    # Shifting a row up until no cost is negative changes no decision either.
    return ordered - np.minimum(ordered.min(axis=1), 0.0)[:, None]
