"""Counts of correctly ordered pairs of samples of two classes.

Keys are sorted, the class code in their low bits (see `scores`); ``weights`` (n,), in
their order, may be None. A pair weighs the product of its samples' weights. Counts are
(r, r) with the higher class in the row; only the part below the diagonal has a meaning.
"""

import numpy as np

from moselect._kernels.compilation import inlined
from moselect._types import Floats


@inlined
def count_right_pairs(keys, weights, bits, right):
    """Fill ``right[l, k]``, k < l, with the pairs whose class-l sample scores strictly higher."""
    low_bits = (1 << bits) - 1
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


def pair_measures(right: Floats, masses: Floats) -> Floats:
    """Return U_cons, U_ovo and U_pairs (P, 3) of the right pairs (P, r, r) of P rankings.

    ``masses`` (r,) are the weights of the classes. U_cons is the mean AUC of the splits
    into lower and higher classes, U_ovo the mean AUC of all pairs of classes, U_pairs the
    share of right pairs of samples (Waegeman et al. 2008, eq. 18, 17 and 16).
    """
    r = len(masses)
    # Cumulated sums have one order of additions, whichever the batch.
    lower = masses.cumsum()
    below = right.cumsum(axis=2)  # right pairs of a class with the lowest k classes
    splits = np.zeros(len(right))
    for cut in range(1, r):
        pairs = below[:, cut:, cut - 1].cumsum(axis=1)[:, -1]
        splits += pairs / (lower[cut - 1] * masses[cut:].cumsum()[-1])
    k, label = np.triu_indices(r, 1)
    areas = (right[:, label, k] / (masses[k] * masses[label])).cumsum(axis=1)[:, -1]
    label, k = np.tril_indices(r, -1)
    possible = (masses[k] * masses[label]).cumsum()[-1]
    shares = right[:, label, k].cumsum(axis=1)[:, -1] / possible
    return np.column_stack([splits / (r - 1), 2.0 * areas / (r * (r - 1)), shares])
