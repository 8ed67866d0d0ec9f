"""The ROC surface: what true positive rates of all classes a ranking can give at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ROCSurface:
    """True positive rates over a grid of threshold vectors.

    The threshold of class k (k < r) runs over minus infinity and the scores of that class, so
    the grid has the shape (m_1 + 1, ..., m_{r-1} + 1), m_k being the number of those scores.

    Attributes
    ----------
    thresholds : ndarray of shape (..., r - 1)
        Ascending thresholds; class k is predicted above threshold k - 1 and up to threshold k.
    true_positive_rates : ndarray of shape (..., r)
        Share of each class that is predicted as itself. For r = 3 the three slices of shape
        (m_1 + 1, m_2 + 1) are the X, Y and Z of a surface plot.
    """

    thresholds: Floats
    true_positive_rates: Floats

    @property
    def volume(self) -> float:
        """Volume under the surface: `vus_score` with strict ties (theorem 3.1, eq. 13).

        Each grid cell is a box: what its threshold adds to the rate of each class but the
        highest, times the rate of the highest class.
        """
        rates = self.true_positive_rates
        r = rates.shape[-1]
        boxes = rates[(slice(1, None),) * (r - 1) + (r - 1,)]
        for k in range(r - 1):
            added = np.diff(rates[..., k], axis=k)
            later = tuple(
                slice(None) if axis == k else slice(1, None) for axis in range(r - 1)
            )
            boxes = boxes * added[later]
        return float(boxes.sum())


def roc_surface(
    y_true: ArrayLike, y_score: ArrayLike, sample_weight: ArrayLike | None = None
) -> ROCSurface:
    """Compute the true positive rates of all r classes over all threshold vectors that matter.

    Every threshold vector is matched or beaten in all rates by one whose threshold k is a score
    of class k (eq. 10), so these make up the surface (eq. 9); for r = 2 it is the ROC curve.
    Labels, scores and weights have the shape (n,), and weights are positive.
    """
    y, scores = np.asarray(y_true), np.asarray(y_score, dtype=np.float64)
    weights = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight)
    members = [y == label for label in np.unique(y)]
    candidates = [np.append(-np.inf, np.unique(scores[of])) for of in members[:-1]]
    thresholds = np.stack(np.meshgrid(*candidates, indexing="ij"), axis=-1)
    thresholds = np.maximum.accumulate(thresholds, axis=-1)
    rates = np.empty((*thresholds.shape[:-1], len(members)))
    for k, of in enumerate(members):
        up_to = _share_up_to(scores[of], weights[of])
        upper = up_to(thresholds[..., k]) if k < len(members) - 1 else 1.0
        lower = up_to(thresholds[..., k - 1]) if k > 0 else 0.0
        rates[..., k] = upper - lower
    return ROCSurface(thresholds, rates)


def _share_up_to(scores: Floats, weights: Any) -> Callable[[Floats], Floats]:
    """Return the function of a threshold: the share of a class that scores no higher."""
    order = np.argsort(scores)
    ascending, total = scores[order], np.append(0.0, np.cumsum(weights[order]))
    return lambda thresholds: (
        total[np.searchsorted(ascending, thresholds, side="right")] / total[-1]
    )
