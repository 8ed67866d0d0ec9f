"""The ROC surface: what true positive rates of all classes a ranking can give at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats
from moselect._validation import require_samples
from moselect.metrics.ranking.samples import ScoredSamples, check_scored_samples

MAX_SIZE = 1 << 27  # numbers in the surface: one gigabyte


@dataclass(frozen=True)
class ROCSurface:
    """True positive rates over a grid of threshold vectors.

    The threshold of class k (k < r) runs over minus infinity and the scores of that class, so
    the grid has the shape (m_1 + 1, ..., m_{r-1} + 1), m_k being the number of those scores.

    Attributes
    ----------
    classes : ndarray of shape (r,)
        The classes, lowest first.
    thresholds : ndarray of shape (..., r - 1)
        Ascending thresholds; class k is predicted above threshold k - 1 and up to threshold k.
    true_positive_rates : ndarray of shape (..., r)
        Share of each class that is predicted as itself. For r = 3 the three slices of shape
        (m_1 + 1, m_2 + 1) are the X, Y and Z of a surface plot.

    Examples
    --------
    >>> surface = roc_surface([1, 2, 3], [1.0, 2.0, 3.0])
    >>> surface.thresholds[1, 1]
    array([1., 2.])
    >>> surface.true_positive_rates[1, 1]
    array([1., 1., 1.])
    """

    classes: NDArray[Any]
    thresholds: Floats
    true_positive_rates: Floats

    @property
    def volume(self) -> float:
        """Volume under the surface: `vus_score` with strict ties (theorem 3.1, eq. 13).

        Each grid cell is a box: what its threshold adds to the rate of each class but the
        highest, times the rate of the highest class.
        """
        r = len(self.classes)
        rates = self.true_positive_rates
        boxes = rates[(slice(1, None),) * (r - 1) + (r - 1,)]
        for k in range(r - 1):
            added = np.diff(rates[..., k], axis=k)
            later = tuple(slice(None) if axis == k else slice(1, None) for axis in range(r - 1))
            boxes = boxes * added[later]
        return float(boxes.sum())


def roc_surface(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    max_thresholds: int | None = None,
) -> ROCSurface:
    """Compute the true positive rates of all r classes over all threshold vectors that matter.

    Every threshold vector is matched or beaten in all rates by one whose threshold k is a score
    of class k (eq. 10), so these make up the surface; for r = 2 it is the ROC curve.

    Parameters
    ----------
    y_true, y_score, sample_weight, labels
        As in `ranking_scores`, but of one ranking.
    max_thresholds : int, optional
        Take at most so many scores of each class, evenly spread over its ranks and including the
        highest: a coarser surface, for drawing.

    Returns
    -------
    ROCSurface
        With ``thresholds``, ``true_positive_rates`` and ``volume``.

    Raises
    ------
    ValueError
        On wrong input as in `ranking_scores`, if a class has no samples, or if the surface would
        not fit into a gigabyte.

    References
    ----------
    Waegeman, De Baets, Boullart (2008), theorem 3.1, eq. (9) to (13).

    Examples
    --------
    >>> surface = roc_surface([1, 1, 2, 3], [0.1, 0.3, 0.2, 0.4])
    >>> surface.true_positive_rates.shape
    (3, 2, 3)
    >>> surface.true_positive_rates[1, 1]
    array([0.5, 1. , 1. ])
    >>> surface.volume
    0.5
    """
    samples = check_scored_samples(y_true, y_score, sample_weight, labels)
    if not samples.single:
        raise ValueError(f"a surface is of one ranking, but y_score has shape {np.shape(y_score)}")
    require_samples(samples.class_weights, samples.classes, "a ROC surface")
    if max_thresholds is not None and max_thresholds < 1:
        raise ValueError(f"max_thresholds is {max_thresholds}: it must be at least 1")
    r = len(samples.classes)
    candidates = [_class_thresholds(samples, k, max_thresholds) for k in range(r - 1)]
    shape = tuple(len(candidate) for candidate in candidates)
    if np.prod(shape, dtype=np.float64) * r > MAX_SIZE:
        raise ValueError(
            f"the surface has {' x '.join(map(str, shape))} threshold vectors, which are too "
            "many: give max_thresholds"
        )
    thresholds = np.stack(np.meshgrid(*candidates, indexing="ij"), axis=-1)
    thresholds = np.maximum.accumulate(thresholds, axis=-1)
    rates = np.empty((*shape, r))
    for k in range(r):
        up_to = _share_up_to(samples, k)
        upper = up_to(thresholds[..., k]) if k < r - 1 else 1.0
        lower = up_to(thresholds[..., k - 1]) if k > 0 else 0.0
        rates[..., k] = upper - lower
    return ROCSurface(samples.classes, thresholds, rates)


def _class_thresholds(samples: ScoredSamples, k: int, at_most: int | None) -> Floats:
    """Minus infinity and the scores of one class, ascending and each once."""
    members = samples.codes == k
    if samples.weights is not None:
        members &= samples.weights > 0.0
    scores = np.unique(samples.rows[0][members])
    if at_most is not None and at_most < len(scores):
        indices = np.arange(1, at_most + 1) * len(scores) // at_most - 1
        scores = scores[indices]
    return np.append(-np.inf, scores)


def _share_up_to(samples: ScoredSamples, k: int) -> Any:
    """Return the function of a threshold: the share of class k that scores no higher."""
    members = samples.codes == k
    order = np.argsort(samples.rows[0][members])
    scores = samples.rows[0][members][order]
    weights = np.ones(len(scores)) if samples.weights is None else samples.weights[members][order]
    total = np.append(0.0, np.cumsum(weights))
    return lambda thresholds: total[np.searchsorted(scores, thresholds, side="right")] / total[-1]
