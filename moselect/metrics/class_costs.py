"""What mistakes cost by the objectives of a search, and what these reach by chance.

All take the number of samples of each class (r,), but kappa, which takes a confusion matrix.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the command line lists the objectives before it loads numpy
    from moselect._types import Floats, Integers


def distances(class_counts: Integers | Floats) -> Floats:
    """Return how many classes each prediction is off, (r, r)."""
    import numpy as np

    ranks = np.arange(len(class_counts), dtype=np.float64)
    return np.asarray(np.abs(ranks[:, None] - ranks))


def errors(class_counts: Integers) -> Floats:
    """Return 1 for each class but the right one, (r, r)."""
    import numpy as np

    return np.minimum(distances(class_counts), 1.0)


def squares(class_counts: Integers) -> Floats:
    """Return the squared `distances`."""
    return distances(class_counts) ** 2


def _by_class(costs: Floats, class_counts: Integers) -> Floats:
    """Return costs of which each class has the same share; NaN for classes without samples."""
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
    """Return `distances` of which each class has the same share."""
    return _by_class(distances(class_counts), class_counts)


def macro_errors(class_counts: Integers) -> Floats:
    """Return `errors` of which each class has the same share."""
    return _by_class(errors(class_counts), class_counts)


def among(
    function: Callable[[Any], Any], seen: Integers, n_classes: int, counts: Any
) -> Any:
    """Apply a function of all classes to counts of those that have samples.

    These are at their places ``seen`` among all, and costs (r, r) are returned for them
    alone.
    """
    import numpy as np

    whole = np.zeros((n_classes,) * counts.ndim, dtype=counts.dtype)
    whole[np.ix_(*[seen] * counts.ndim)] = counts
    result = function(whole)
    return result if np.ndim(result) == 0 else result[np.ix_(seen, seen)]


def no_costs(class_counts: Integers) -> Floats:
    """Raise ValueError: these costs were not given."""
    raise ValueError(
        "the objective 'cost' needs class_costs or cost_matrix (--class-costs 1,1,5)"
    )


def quadratic_kappa(confusion: Integers) -> float:
    """Return Cohen's kappa with quadratic weights (Cohen 1968); 0 where nothing can disagree."""
    true, predicted = confusion.sum(axis=1), confusion.sum(axis=0)
    costs = squares(true)
    by_chance = float(true @ costs @ predicted) / float(true.sum())
    return 1.0 - float((confusion * costs).sum()) / by_chance if by_chance > 0.0 else 0.0


def largest_share(class_counts: Integers) -> float:
    """Return the share of the commonest class: the accuracy of always that one."""
    return float((class_counts / class_counts.sum()).max())


def one_in_orders(class_counts: Integers) -> float:
    """Return 1 / r!, the share of sequences that a random ranking puts in order."""
    r = len(class_counts)
    return math.exp(-math.lgamma(r + 1)) if r > 20 else 1.0 / math.factorial(r)


def half(class_counts: Integers) -> float:
    """Return 1/2, the AUC of a random ranking."""
    return 0.5
