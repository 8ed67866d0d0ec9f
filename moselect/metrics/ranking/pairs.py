"""Counts of rightly ordered pairs of two classes, and the measures U_cons, U_ovo and U_pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from moselect._kernels.pair_counts import right_pairs, tied_pairs
from moselect._kernels.pair_measures import u_cons, u_ovo, u_pairs
from moselect._validation import Floats, require_samples
from moselect.metrics.ranking.samples import SortedSamples

# Of counts of right pairs (r, r), the higher class in the row, and of class weights (r,).
PAIR_MEASURES: dict[str, Callable[[Floats, Floats], float]] = {
    "u_cons": u_cons,
    "u_ovo": u_ovo,
    "u_pairs": u_pairs,
}


def count_right_pairs(ranking: SortedSamples, half_credit: bool) -> Floats:
    """Count the rightly ordered pairs (r, r) of every two classes; ties count 0 or 1/2."""
    right = np.empty((ranking.n_classes, ranking.n_classes))
    ranking.count(right_pairs, right)
    if half_credit:
        right += 0.5 * count_tied_pairs(ranking)
    return right


def count_tied_pairs(ranking: SortedSamples) -> Floats:
    """Count the pairs (r, r) of equal score of every two classes."""
    tied = np.empty((ranking.n_classes, ranking.n_classes))
    ranking.count(tied_pairs, tied)
    return tied


def has_ties(ranking: SortedSamples) -> bool:
    """Return whether samples of different classes have equal scores."""
    return bool(count_tied_pairs(ranking).any())


def require_pairs(name: str, class_weights: Floats, classes: NDArray[Any]) -> None:
    """Refuse what is undefined: eq. 16 to 18 divide by the pairs that they average over.

    U_ovo needs samples of every class, U_cons of the lowest and the highest, U_pairs of any two.
    """
    if name == "u_pairs":
        present = class_weights > 0
        if present.sum() < 2:
            only = ", ".join(str(c) for c in classes[present])
            raise ValueError(f"u_pairs needs samples of two classes: only class {only} is there")
    elif name == "u_cons" and len(classes) > 1:
        require_samples(class_weights[[0, -1]], classes[[0, -1]], name)
    else:
        require_samples(class_weights, classes, name)
