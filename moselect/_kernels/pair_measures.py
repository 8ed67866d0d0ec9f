"""U_cons, U_ovo and U_pairs (Waegeman et al. 2008, eq. 16-18) from counts of pairs.

``right[l, k]``, k < l, is the weight of the pairs whose class-l sample scores higher (see
`pair_counts`), ``class_weights`` (r,) that of the samples of each class. Their derivatives are
`gradient.pair_gains`.
"""

from __future__ import annotations

from moselect._kernels.compilation import kernel


@kernel
def u_cons(right, class_weights):
    """Return the mean AUC of the splits into lower and higher classes (eq. 18)."""
    r = class_weights.shape[0]
    total = 0.0
    for cut in range(1, r):
        pairs, lower, upper = 0.0, 0.0, 0.0
        for k in range(cut):
            lower += class_weights[k]
        for label in range(cut, r):
            upper += class_weights[label]
            row = 0.0
            for k in range(cut):
                row += right[label, k]
            pairs += row
        total += pairs / (lower * upper)
    return total / (r - 1)


@kernel
def u_ovo(right, class_weights):
    """Return the mean AUC of all pairs of classes (eq. 17)."""
    r = class_weights.shape[0]
    total = 0.0
    for k in range(r):
        for label in range(k + 1, r):
            total += right[label, k] / (float(class_weights[k]) * class_weights[label])
    return 2.0 * total / (r * (r - 1))


@kernel
def u_pairs(right, class_weights):
    """Return the share of rightly ordered pairs of samples of different classes (eq. 16)."""
    r = class_weights.shape[0]
    pairs, possible = 0.0, 0.0
    for label in range(1, r):
        for k in range(label):
            pairs += right[label, k]
            possible += float(class_weights[k]) * class_weights[label]
    return pairs / possible
