"""An objective of a search, and the costs and values at chance of declared ones.

Functions of the class counts take the number of samples of each class (r,).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sized
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the command line lists the objectives before it loads numpy
    from moselect._types import Array, Floats, Integers
    from moselect.metrics.decision_metrics import DecisionMetric


@dataclass(frozen=True)
class Objective:
    """One maximised objective, with a perfect value of 1.

    There are three families. *Linear*: 1 - the mean cost of a sample; its optimal
    thresholds are computed. *Ranking*: one of the four measures of a ranking. *Measured*:
    a function of the confusion matrix or of the model, evaluated at the thresholds of the
    other objectives; a measure that is `solved` also has optimal thresholds of its own.

    Parameters
    ----------
    name : str
        Name in tables of fronts and in settings.
    costs : callable, optional
        Linear objectives: non-negative costs (r, r), rows true classes, columns predicted
        ones, as a function of the number of samples of each class (r,).
    measure : callable, optional
        Measured objectives: value as a function of the confusion matrix (r, r).
    solved : DecisionMetric, optional
        Measured objectives: the metric behind the measure, whose optimal thresholds are
        computed.
    of_labels : callable, optional
        Measured objectives: value as a function of the true and the predicted labels (n,).
    scorer : callable, optional
        Measured objectives: value as a function of ``(model, X, y)``, as for scorers of
        scikit-learn.
    chance : callable, optional
        Value without features, as a function of the number of samples of each class (r,);
        by default the value of the best constant prediction.
    label : str, optional
        Short plain text, for tables.
    symbol : str, optional
        With subscripts, for matplotlib.
    description : str, optional
        A few words.
    meaning : str, optional
        A sentence of explanation.

    Examples
    --------
    >>> import numpy as np
    >>> def far_off(class_counts):  # more than one class away
    ...     ranks = np.arange(len(class_counts))
    ...     return 1.0 * (np.abs(np.subtract.outer(ranks, ranks)) > 1)
    >>> Objective("within_one", far_off).label
    'within one'
    """

    name: str
    costs: Callable[[Integers], Floats] | None = None
    measure: Callable[[Floats], float] | None = None
    of_labels: Callable[..., float] | None = None
    scorer: Callable[..., float] | None = None
    solved: DecisionMetric | None = None
    chance: Callable[[Integers], float] | None = None
    label: str = ""
    symbol: str = ""
    description: str = ""
    meaning: str = ""

    def __post_init__(self) -> None:
        label = self.label or self.name.replace("_", " ")
        for what in ("label", "symbol", "description", "meaning"):
            object.__setattr__(self, what, getattr(self, what) or label)

    @property
    def measured(self) -> bool:
        """Whether it is a measured objective, without optimal thresholds or gradients."""
        functions = (self.measure, self.of_labels, self.scorer)
        return any(function is not None for function in functions)

    @property
    def of_classes(self) -> bool:
        """Whether it depends on predicted classes, not on the ranking alone."""
        return self.costs is not None or self.measured

    def among(self, observed: Integers, n_classes: int) -> Objective:
        """Restrict the objective to the classes that have samples."""
        functions: dict[str, Any] = {"costs": self.costs, "measure": self.measure}
        for name, function in functions.items():
            if function is not None:
                functions[name] = partial(among, function, observed, n_classes)
        return replace(self, **functions)


def distances(class_counts: Sized) -> Floats:
    """Absolute distance between true and predicted class, (r, r)."""
    import numpy as np

    ranks = np.arange(len(class_counts), dtype=float)
    return np.abs(ranks[:, None] - ranks)


def errors(class_counts: Sized) -> Floats:
    """Zero-one loss, (r, r)."""
    import numpy as np

    return np.minimum(distances(class_counts), 1.0)


def squares(class_counts: Sized) -> Floats:
    """Squared distance between true and predicted class, (r, r)."""
    return distances(class_counts) ** 2


def by_class(costs: Callable[[Sized], Floats], class_counts: Integers) -> Floats:
    """Weight costs so that all classes count equally; NaN for classes without samples."""
    import numpy as np

    counts = np.asarray(class_counts, float)
    known = np.where(counts > 0.0, counts, np.nan)
    shares = counts.sum() / (np.count_nonzero(counts) * known)
    return costs(class_counts) * shares[:, None]


def among(
    function: Callable[[Array], Any],
    observed: Integers,
    n_classes: int,
    counts: Array,
) -> Floats | float:
    """Restrict a cost function of all classes to the classes with samples.

    ``observed`` are their indices among all classes; costs are returned for these alone.
    """
    import numpy as np

    padded = np.zeros((n_classes,) * counts.ndim, counts.dtype)
    padded[np.ix_(*[observed] * counts.ndim)] = counts
    result = function(padded)
    if np.ndim(result) == 0:
        return result
    return result[np.ix_(observed, observed)]


def no_costs(class_counts: Integers) -> Floats:
    """Raise ValueError, in place of costs that were not given."""
    raise ValueError("the objective 'cost' needs class_costs=1,1,5 or a cost_matrix")


def largest_share(class_counts: Integers) -> float:
    """Accuracy of always predicting the most frequent class."""
    return float((class_counts / class_counts.sum()).max())


def one_in_orders(class_counts: Integers) -> float:
    """VUS of a random ranking, 1 / r!."""
    return 1.0 / math.factorial(len(class_counts))


def half(class_counts: Integers) -> float:
    """AUC of a random ranking, 1/2."""
    return 0.5
