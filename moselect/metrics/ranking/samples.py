"""Samples in ascending order of their scores, the input of every ranking measure."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels import code_bits
from moselect._kernels.scores import has_mixed_prefix, pack_keys
from moselect._types import Floats, Integers, LabelOrder, Labels
from moselect.samples.labels import check_not_continuous, encode, is_ordered_categorical
from moselect.samples.validation import check_scores, check_weights


class SortedSamples(NamedTuple):
    """One ranking: sorted keys with the class code in their low bits, and sample weights."""

    keys: Integers  # (n,)
    weights: Floats | None  # (n,) in the order of the keys
    order: Integers | None  # (n,) index of the sample, for each key
    bits: int
    n_classes: int

    def count(self, kernel: Callable[..., Any]) -> Any:
        """Run a counting kernel on this ranking."""
        return kernel(self.keys, self.weights, self.bits, self.n_classes)


def sort_samples(
    scores: Floats,
    codes: Integers,
    n_classes: int,
    weights: Floats | None = None,
    *,
    with_order: bool = False,
) -> SortedSamples:
    """Sort one row of scores (n,) together with the class codes (n,).

    Keys tie exactly where scores do. One sort of integers suffices, unless scores of
    different classes agree in all but their lowest bits: then ranks replace scores.
    """
    bits = code_bits(n_classes)
    keys = np.empty(len(scores), dtype=np.int64)
    lost = pack_keys(scores.view(np.int64), codes, n_classes, bits, keys)
    order = _sort(keys, with_order or weights is not None)
    if lost and has_mixed_prefix(keys, bits):
        ranks = np.unique(scores, return_inverse=True)[1].astype(np.int64)
        keys = (ranks << bits) | (n_classes - 1 - codes)
        order = _sort(keys, with_order or weights is not None)
    in_order = None if weights is None else weights[order]
    return SortedSamples(keys, in_order, order, bits, n_classes)


def _sort(keys: Integers, with_order: bool) -> Integers | None:
    """Sort keys in place; return the permutation on request, which is slower."""
    if not with_order:
        keys.sort()
        return None
    order = np.argsort(keys)
    keys[:] = keys[order]
    return order


class ScoredSamples(NamedTuple):
    """Checked input of a ranking measure: labelled samples and their scores in k rankings."""

    classes: Labels  # (r,)
    codes: Integers  # (n,)
    class_weights: Floats  # (r,) total weight of each class
    weights: Floats | None  # (n,)
    rows: Floats  # (k, n) scores
    single: bool  # whether the scores came as one vector

    def rank(self, row: Floats) -> SortedSamples:
        """Sort the samples by one row of scores."""
        return sort_samples(row, self.codes, len(self.classes), self.weights)

    def each(self, measure: Callable[[Floats], float]) -> float | Floats:
        """Apply a measure to every ranking: a float for one vector of scores, else (k,)."""
        values = np.array([measure(row) for row in self.rows])
        return float(values[0]) if self.single else values


def check_scored_samples(
    y_true: ArrayLike,
    y_score: ArrayLike,
    sample_weight: ArrayLike | None,
    labels: LabelOrder,
    continuous: bool = False,
) -> ScoredSamples:
    """Check and encode the input of a ranking measure, of a ``continuous`` target or not."""
    classes, codes = encode(y_true, labels)
    if labels is None and not continuous and not is_ordered_categorical(y_true):
        check_not_continuous(classes)
    weights = check_weights(sample_weight, len(codes))
    rows, single = check_scores(y_score, len(codes))
    class_weights = np.bincount(codes, weights, len(classes)).astype(np.float64)
    return ScoredSamples(classes, codes, class_weights, weights, rows, single)
