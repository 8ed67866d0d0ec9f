"""From counts of rightly ordered pairs of two classes to U_cons, U_ovo and U_pairs.

``right`` (..., r, r) has the higher class in the last axis but one: ``right[l, k]``, k < l, is the
weight of the pairs in which the object of class l scores higher. ``masses`` (r,) is the weight of
each class. Sums go over the classes in ascending order, one term after the other, so that equal
counts give equal bits everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from moselect._kernels.pair_counts import right_pairs, tied_pairs
from moselect.metrics.ranked import Ranked
from moselect.metrics.validation import Floats, require_objects

PairMeasure = Callable[[Floats, Floats], Any]


def count_right_pairs(ranking: Ranked, half_credit: bool) -> Floats:
    """Count the rightly ordered pairs (r, r) of every two classes; ties count 0 or 1/2."""
    right = np.empty((ranking.n_classes, ranking.n_classes))
    ranking.count(right_pairs, right)
    if half_credit:
        right += 0.5 * count_tied_pairs(ranking)
    return right


def count_tied_pairs(ranking: Ranked) -> Floats:
    """Count the pairs (r, r) of equal score of every two classes."""
    tied = np.empty((ranking.n_classes, ranking.n_classes))
    ranking.count(tied_pairs, tied)
    return tied


def has_ties(ranking: Ranked) -> bool:
    """Tell whether objects of different classes have equal scores."""
    return bool(count_tied_pairs(ranking).any())


def u_cons(right: Floats, masses: Floats) -> Any:
    """Mean AUC of the splits into lower and higher classes (Waegeman et al. 2008, eq. 18)."""
    r = len(masses)
    total: Any = 0.0
    for cut in range(1, r):
        lower, upper = masses[:cut].sum(), masses[cut:].sum()
        total = total + right[..., cut:, :cut].sum(axis=(-2, -1)) / (lower * upper)
    return total / (r - 1)


def u_ovo(right: Floats, masses: Floats) -> Any:
    """Mean AUC of all pairs of classes (eq. 17)."""
    r = len(masses)
    total: Any = 0.0
    for k in range(r):
        for label in range(k + 1, r):
            total = total + right[..., label, k] / (masses[k] * masses[label])
    return 2.0 * total / (r * (r - 1))


def u_pairs(right: Floats, masses: Floats) -> Any:
    """Share of rightly ordered pairs of objects of different classes (eq. 16)."""
    lower = np.tril_indices(len(masses), -1)
    return right[(..., *lower)].sum(axis=-1) / np.outer(masses, masses)[lower].sum()


PAIR_MEASURES: dict[str, PairMeasure] = {"u_cons": u_cons, "u_ovo": u_ovo, "u_pairs": u_pairs}


def require_pairs(name: str, masses: Floats, classes: NDArray[Any]) -> None:
    """Refuse what is undefined: eq. 16 to 18 divide by the pairs that they average over.

    U_ovo needs objects of every class, U_cons of the lowest and the highest, U_pairs of any two.
    """
    if name == "u_pairs":
        present = masses > 0
        if present.sum() < 2:
            only = ", ".join(str(c) for c in classes[present])
            raise ValueError(f"u_pairs needs objects of two classes: only class {only} is there")
    elif name == "u_cons" and len(classes) > 1:
        require_objects(masses[[0, -1]], classes[[0, -1]], name)
    else:
        require_objects(masses, classes, name)
