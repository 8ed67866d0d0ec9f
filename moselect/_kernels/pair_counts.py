"""Counts of correctly ordered pairs of samples of two classes.

Keys are sorted, the class code in their low bits (see `scores`); ``weights`` (n,), in
their order, may be None. A pair weighs the product of its samples' weights. Counts are
(r, r) with the higher class in the row; only the part below the diagonal has a meaning.
"""

import numpy as np

from moselect._kernels.compilation import code_mask, kernel


@kernel
def count_right_pairs(keys, weights, bits, right):
    """Fill ``right[l, k]``, k < l, with the pairs whose class-l sample scores strictly higher."""
    low_bits = code_mask(bits)
    n_classes = right.shape[0]
    top = n_classes - 1
    below = np.zeros(n_classes)
    right[:] = 0.0
    for i in range(keys.shape[0]):
        # Keys ascend, so every sample of a lower class met so far has a lower score, or
        # an equal one: among equal scores the higher class comes first and finds none of
        # these.
        label = top - (keys[i] & low_bits)
        weight = 1.0 if weights is None else weights[i]
        row = right[label]
        # All classes: a fixed length costs less than stopping at ``label``.
        for k in range(n_classes):
            row[k] += weight * below[k]
        below[label] += weight


@kernel
def pair_measures(right, masses, measures):
    """Fill columns 1 to 3 of ``measures`` (P, 4), after VUS, with U_cons, U_ovo and U_pairs.

    ``right`` (P, r, r) are the right pairs of P rankings, ``masses`` (r,) the weights of the
    classes. U_cons is the mean AUC of the splits
    into lower and higher classes, U_ovo the mean AUC of all pairs of classes, U_pairs the
    share of right pairs of samples (Waegeman et al. 2008, eq. 18, 17 and 16).
    """
    r = masses.shape[0]
    for row in range(right.shape[0]):
        splits = 0.0
        areas = 0.0
        all_right = 0.0
        possible = 0.0
        # U_cons: areas under the curve of the r - 1 splits into lower and higher classes
        # (eq. 18).
        for cut in range(1, r):  # lower classes from higher ones
            pairs = 0.0
            lower = 0.0
            upper = 0.0
            for k in range(cut):
                lower += masses[k]
            for label in range(cut, r):
                upper += masses[label]
                label_pairs = 0.0
                for k in range(cut):
                    label_pairs += right[row, label, k]
                pairs += label_pairs
            splits += pairs / (lower * upper)
        # U_ovo: areas under the curve of all pairs of classes (eq. 17).
        for k in range(r):
            for label in range(k + 1, r):
                areas += right[row, label, k] / (masses[k] * masses[label])
        # U_pairs: right pairs among all pairs of samples of different classes (eq. 16).
        for label in range(1, r):
            for k in range(label):
                all_right += right[row, label, k]
                possible += masses[k] * masses[label]
        measures[row, 1] = splits / (r - 1)
        measures[row, 2] = 2.0 * areas / (r * (r - 1))
        measures[row, 3] = all_right / possible
