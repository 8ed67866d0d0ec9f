"""Costs of misclassification behind the objectives, and their values at chance.

All take the number of samples of each class (r,).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the command line lists the objectives before it loads numpy
    from moselect._types import Floats, Integers


def distances(class_counts: Integers | Floats) -> Floats:
    """Absolute distance between true and predicted class, (r, r)."""
    import numpy as np

    ranks = np.arange(len(class_counts), dtype=np.float64)
    return np.abs(ranks[:, None] - ranks)


def errors(class_counts: Integers) -> Floats:
    """Zero-one loss, (r, r)."""
    import numpy as np

    return np.minimum(distances(class_counts), 1.0)


def squares(class_counts: Integers) -> Floats:
    """Squared distance between true and predicted class, (r, r)."""
    return distances(class_counts) ** 2


def _by_class(costs: Floats, class_counts: Integers) -> Floats:
    """Weight costs so that all classes count equally; NaN for classes without samples."""
    import numpy as np

    counts = np.asarray(class_counts, dtype=np.float64)
    unknown = np.full(len(counts), np.nan)
    shares = np.divide(
        counts.sum(),
        np.count_nonzero(counts) * counts,
        out=unknown,
        where=counts > 0.0,
    )
    return costs * shares[:, None]


def macro_distances(class_counts: Integers) -> Floats:
    """Class-balanced `distances`: their mean is the macro-averaged MAE."""
    return _by_class(distances(class_counts), class_counts)


def macro_errors(class_counts: Integers) -> Floats:
    """Class-balanced `errors`: their mean is 1 - the mean recall."""
    return _by_class(errors(class_counts), class_counts)


def among(
    function: Callable[[Any], Any], seen: Integers, n_classes: int, counts: Any
) -> Any:
    """Restrict a cost function of all classes to the classes with samples.

    ``seen`` are their indices among all classes; costs are returned for these alone.
    """
    import numpy as np

    padded = np.zeros((n_classes,) * counts.ndim, dtype=counts.dtype)
    padded[np.ix_(*[seen] * counts.ndim)] = counts
    result = function(padded)
    return result if np.ndim(result) == 0 else result[np.ix_(seen, seen)]


def no_costs(class_counts: Integers) -> Floats:
    """Raise ValueError, in place of costs that were not given."""
    raise ValueError("the objective 'cost' needs class_costs=1,1,5 or a cost_matrix")


def largest_share(class_counts: Integers) -> float:
    """Accuracy of always predicting the most frequent class."""
    return float((class_counts / class_counts.sum()).max())


def one_in_orders(class_counts: Integers) -> float:
    """VUS of a random ranking, 1 / r!."""
    r = len(class_counts)
    return math.exp(-math.lgamma(r + 1)) if r > 20 else 1.0 / math.factorial(r)


def half(class_counts: Integers) -> float:
    """AUC of a random ranking, 1/2."""
    return 0.5
