"""Pareto fronts: non-dominated archives, crowding, quality indicators, subsets."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.pareto import insert
from moselect._types import Floats, Integers


class ParetoArchive:
    """Unbounded, exact set of non-dominated points, all objectives maximised.

    A point is non-dominated if no other point is at least as good in every objective and
    better in one.

    Parameters
    ----------
    n_objectives : int
        Number of objectives m.
    payload_width : int
        Number of floats kept with each point.

    Attributes
    ----------
    payload : ndarray of shape (n, payload_width)
        Payload of the points.

    Notes
    -----
    Of equal points the first is kept. The order of the points is arbitrary but
    reproducible.

    Examples
    --------
    >>> import numpy as np
    >>> archive = ParetoArchive(n_objectives=2, payload_width=1)
    >>> archive.add(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.5]]), np.array([[7.0], [8.0], [9.0]]))
    >>> sorted(archive.payload.ravel().tolist())
    [7.0, 8.0]
    """

    def __init__(self, n_objectives: int, payload_width: int) -> None:
        self._columns = np.empty((n_objectives, 0))  # the layout of the kernels
        self.payload = np.empty((0, payload_width))

    def __len__(self) -> int:
        return self._columns.shape[1]

    @property
    def points(self) -> Floats:
        """Points, shape (n, m)."""
        return self._columns.T

    def add(self, points: Floats, payload: Floats) -> None:
        """Insert points (k, m) with their payload (k, width), one after the other."""
        before = len(self)
        points = np.ascontiguousarray(points)
        columns = np.pad(self._columns, ((0, 0), (0, len(points))))
        # The kernel reorders points: ids tell which rows of the payload theirs are.
        ids = np.arange(before + len(points))
        size = int(insert(columns, ids, before, points, np.arange(before, len(ids))))
        self._columns = columns[:, :size]
        self.payload = np.concatenate([self.payload, payload])[ids[:size]]


def gain_above_chance(points: Floats, chance: Floats) -> Floats:
    """Normalise objectives (..., m) to 0 at chance (m,) and 1 at perfection.

    Examples
    --------
    >>> gain_above_chance(np.array([0.75, 0.25]), np.array([0.5, 0.5]))
    array([ 0.5, -0.5])
    """
    return (points - chance) / (1.0 - chance)


def hypervolume_above_chance(
    points: ArrayLike,
    chance: ArrayLike,
    *,
    exact_up_to: int = 1_000,
    n_samples: int = 2**18,
) -> float:
    """Share of the volume between chance and perfection that a front dominates.

    Parameters
    ----------
    points : array-like of shape (n, m)
        Objective values, maximised, perfect at 1.
    chance : array-like of shape (m,)
        Reference point: objectives attained without features; only points above it in every
        objective count.
    exact_up_to : int, default=1000
        Largest number of points with an exact hypervolume; above, it is
        approximated by a deterministic quadrature: compare approximate values only
        with approximate ones.
    n_samples : int, default=2**18
        Nodes of the quadrature.

    Returns
    -------
    float
        Between 0 and 1, higher is better.

    Raises
    ------
    ValueError
        If an objective is perfect without features.

    Examples
    --------
    >>> hypervolume_above_chance([[1.0, 0.5], [0.5, 1.0]], [0.0, 0.0])
    0.75
    """
    reference = np.asarray(chance, float)
    if not (reference < 1.0).all():
        raise ValueError(f"chance must be below 1, but there is {reference.max()}")
    values = np.asarray(points, float).reshape(-1, len(reference))
    gain = gain_above_chance(values, reference)
    # Points that are no better than chance in some objective add no volume.
    gain = gain[(gain > 0.0).all(axis=1)]
    if len(gain) == 0:
        return 0.0
    import moocore  # slow, and decisions on kept fits measure no front

    gain = gain[moocore.is_nondominated(gain, maximise=True)]
    if len(gain) <= exact_up_to:
        return float(moocore.hypervolume(gain, ref=0.0, maximise=True))
    # scale the front first: the quadrature is best for objectives of similar range
    best = gain.max(axis=0)
    share = moocore.hv_approx(gain / best, ref=0.0, maximise=True, nsamples=n_samples)
    # Scaling a box by its sides scales the volume by their product.
    return float(share * best.prod())


def crowding_distance(points: ArrayLike) -> Floats:
    """Crowding distance of each point (Deb et al. 2002, section III-B).

    The sum over objectives of the distance between the two neighbours of a point, divided
    by the range of the objective.

    Parameters
    ----------
    points : array-like of shape (n, m)
        Objective values.

    Returns
    -------
    ndarray of shape (n,)
        0 upwards, higher in less explored regions; infinite for the extremes of an
        objective.

    References
    ----------
    Deb, Pratap, Agarwal, Meyarivan (2002), A fast and elitist multiobjective genetic
    algorithm: NSGA-II, IEEE Transactions on Evolutionary Computation 6:182-197.

    Examples
    --------
    >>> crowding_distance([[0.0, 3.0], [1.0, 2.0], [3.0, 0.0]])
    array([inf,  2., inf])
    """
    values = np.asarray(points, float)
    distance = np.zeros(len(values))
    for column in values.T if len(values) else ():
        order = np.argsort(column, kind="stable")
        ascending = column[order]
        # A constant objective tells no points apart.
        if ascending[-1] > ascending[0]:
            # Ends of an objective are kept in any selection (Deb et al. 2002).
            distance[order[[0, -1]]] = np.inf
            span = ascending[-1] - ascending[0]
            distance[order[1:-1]] += (ascending[2:] - ascending[:-2]) / span
    return distance


def spread_subset(points: ArrayLike, k: int) -> Integers:
    """Choose ``k`` well-spread points: the best of each objective, then farthest points.

    Parameters
    ----------
    points : array-like of shape (n, m)
        Objective values, maximised; distances are taken after scaling each objective to
        0..1.
    k : int
        How many to choose, at least 1. If ``k < m``, only the first ``k`` objectives keep
        their best.

    Returns
    -------
    ndarray of int, shape (min(k, n),)
        Indices of the chosen points, in the order in which they were chosen.

    Raises
    ------
    ValueError
        If ``k`` is less than 1.

    Examples
    --------
    >>> spread_subset([[0.0, 1.0], [0.4, 0.9], [0.5, 0.5], [1.0, 0.0]], 3)
    array([3, 0, 2])
    """
    values = np.asarray(points, float)
    if k < 1:
        raise ValueError(f"k is {k}: choose at least one point")
    if len(values) == 0:
        return np.empty(0, int)
    span = np.ptp(values, axis=0)
    scaled = (values - values.min(axis=0)) / np.where(span > 0.0, span, 1.0)
    # Best points of each objective first; a point may be best in several.
    chosen = list(dict.fromkeys(values.argmax(axis=0).tolist()))[:k]
    # Squared distances order as distances do.
    nearest = np.min([((scaled - scaled[i]) ** 2).sum(axis=1) for i in chosen], axis=0)
    while len(chosen) < min(k, len(values)):
        # A point is chosen once, but equal points may both be chosen.
        nearest[chosen] = -1.0
        farthest = nearest.argmax()
        chosen.append(farthest)
        # Greedy farthest point: the distance to the nearest chosen one, updated by the
        # new one.
        nearest = np.minimum(nearest, ((scaled - scaled[farthest]) ** 2).sum(axis=1))
    return np.array(chosen, int)
