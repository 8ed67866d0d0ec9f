"""Counts of rightly ordered pairs of two classes, and the measures U_cons, U_ovo and U_pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from moselect._kernels.concordance import concordance
from moselect._kernels.pair_counts import right_pairs, tied_pairs
from moselect._kernels.pair_measures import u_cons, u_ovo, u_pairs
from moselect._types import Floats, Integers
from moselect._validation import require_samples
from moselect.metrics.ranking.samples import ScoredSamples, SortedSamples

# Of counts of right pairs (r, r), the higher class in the row, and of class weights (r,).
PAIR_MEASURES: dict[str, Callable[[Floats, Floats], float]] = {
    "u_cons": u_cons,
    "u_ovo": u_ovo,
    "u_pairs": u_pairs,
}


MANY_CLASSES = 500  # above which a matrix (r, r) of counts would cost more than a search tree


def measure_pairs(
    names: Iterable[str], samples: ScoredSamples, ranking: SortedSamples, half_credit: bool
) -> list[float]:
    """Return measures of pairs of one ranking."""
    if ranking.n_classes > MANY_CLASSES:
        return [_measure_many_classes(name, samples, ranking, half_credit) for name in names]
    right = count_right_pairs(ranking, half_credit)
    return [PAIR_MEASURES[name](right, samples.class_weights) for name in names]


def _measure_many_classes(
    name: str, samples: ScoredSamples, ranking: SortedSamples, half_credit: bool
) -> float:
    """Return a measure of pairs in O(n log r), U_cons in O(n r), with O(n) memory."""
    r, low_bits = ranking.n_classes, (1 << ranking.bits) - 1
    codes, weights = r - 1 - (ranking.keys & low_bits), ranking.weights
    tied = ranking.keys | low_bits
    ends = np.append(tied[1:] != tied[:-1], True)

    def auc(levels: Integers, n_levels: int, weights: Floats | None) -> float:
        concordant, discordant, _ = concordance(levels, ends, weights, n_levels)
        level_weights = np.bincount(levels, weights, minlength=n_levels)
        possible = level_weights[1:] @ np.cumsum(level_weights)[:-1]
        if half_credit:
            return float(0.5 + 0.5 * (concordant - discordant) / possible)
        return float(concordant / possible)

    if name == "u_cons":
        splits = [auc((codes >= cut).astype(np.int64), 2, weights) for cut in range(1, r)]
        return float(np.mean(splits))
    if name == "u_ovo":  # every class counts as one sample
        weights = (1.0 if weights is None else weights) / samples.class_weights[codes]
    return auc(codes, r, weights)


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
