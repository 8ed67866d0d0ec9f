"""Lower and upper bounds of ranking measures from counts of samples in ordered bins.

``counts`` (m, r) are the weights of the classes in ascending bins. ``tied`` (m,) says that all
samples of a bin have the same score. In every other bin the order is unknown: no pair of classes,
or every pair, may be right.
"""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel

BLOCK = 4096  # bins whose chains are kept at a time
LOWER, UPPER = 0, 1


@kernel(inline="always")
def _run_credit(bound, tied, length, tie_credit):
    """Weight of a run of ``length`` classes of a sequence in one bin."""
    if length == 1:
        return 1.0
    if tied:
        return tie_credit[length]
    return 0.0 if bound == LOWER else 1.0


@kernel
def _extend(row, inverse, bound, tied, tie_credit, chains):
    """Extend ascending sequences ``chains`` (r + 1,) by the samples of one bin."""
    r = row.shape[0]
    for upper in range(r - 1, -1, -1):  # downwards: chains[<= upper] end in earlier bins
        share = 1.0
        added = 0.0
        for length in range(1, upper + 2):
            label = upper - length + 1
            share *= row[label] * inverse[label]
            if share == 0.0:
                break
            added += share * _run_credit(bound, tied, length, tie_credit) * chains[label]
        chains[upper + 1] += added


@kernel
def _extend_back(row, inverse, bound, tied, tie_credit, after):
    """Extend ascending sequences ``after`` (r + 1,), by their first class, to lower scores."""
    r = row.shape[0]
    for lower in range(r):  # upwards: after[> lower] start in later bins
        share = 1.0
        added = 0.0
        for length in range(1, r - lower + 1):
            label = lower + length - 1
            share *= row[label] * inverse[label]
            if share == 0.0:
                break
            added += share * _run_credit(bound, tied, length, tie_credit) * after[label + 1]
        after[lower] += added


@kernel
def sweep_bins(counts, tied, inverse, tie_credit, chains, met, right, unknown, equal):
    """Carry the sums of a ranking over some more of its bins, in ascending order.

    ``inverse`` (r,) holds one over the total weight of each class, ``tie_credit`` (r + 1,) what a
    tied run of so many classes counts. ``chains`` (2, r + 1) becomes the lower and upper bound of
    the share of ascending sequences of the first classes, ``met`` (r,) the weight of the samples
    so far. ``right``, ``unknown`` and ``equal`` (r, r), the higher class in the row, become the
    weights of the pairs that are in the right order, in one bin, and of equal score.
    """
    m, r = counts.shape
    for b in range(m):
        row = counts[b]
        for bound in (LOWER, UPPER):
            _extend(row, inverse, bound, tied[b], tie_credit, chains[bound])
        for label in range(r):
            if row[label] == 0.0:
                continue
            for k in range(label):
                right[label, k] += row[label] * met[k]
                if tied[b]:
                    equal[label, k] += row[label] * row[k]
                else:
                    unknown[label, k] += row[label] * row[k]
        for label in range(r):
            met[label] += row[label]


@kernel
def pair_component_sums(counts, tied, factors, credit, sums, squares):
    """Fill ``sums`` and ``squares`` (2, r): bounds of the sums of the components of each class.

    ``squares`` are the sums of their squares.

    The component of a sample is the sum over the other classes k of ``factors[own, k]`` times the
    samples of k that it is rightly ordered against. ``credit`` is what equal scores count.
    """
    m, r = counts.shape
    left = np.zeros(r)
    for b in range(m):
        left += counts[b]
    met = np.zeros(r)
    sums[:] = 0.0
    squares[:] = 0.0
    for b in range(m):
        row = counts[b]
        left -= row
        for label in range(r):
            if row[label] == 0.0:
                continue
            sure, unknown = 0.0, 0.0
            for k in range(r):
                factor = factors[label, k]
                if k == label:
                    continue
                sure += factor * (met[k] if k < label else left[k])
                if tied[b]:
                    sure += factor * credit * row[k]
                else:
                    unknown += factor * row[k]
            sums[LOWER, label] += row[label] * sure
            sums[UPPER, label] += row[label] * (sure + unknown)
            squares[LOWER, label] += row[label] * sure * sure
            squares[UPPER, label] += row[label] * (sure + unknown) ** 2
        met += row


@kernel
def _through(row, inverse, bound, tied, tie_credit, ahead, after, label):
    """Share of the ascending sequences through a sample of one class in one bin."""
    r = row.shape[0]
    total = 0.0
    below = 1.0  # product of the shares of lower .. label - 1
    for lower in range(label, -1, -1):
        if lower < label:
            below *= row[lower] * inverse[lower]
        if below == 0.0:
            break
        run = below
        for upper in range(label, r):
            if upper > label:
                run *= row[upper] * inverse[upper]
            if run == 0.0:
                break
            credit = _run_credit(bound, tied, upper - lower + 1, tie_credit)
            total += ahead[lower] * run * credit * after[upper + 1]
    return total


@kernel
def chain_component_squares(counts, tied, inverse, tie_credit, squares):
    """Fill ``squares`` (2, r) with bounds of the sums of squared components of VUS.

    The component of a sample is the share of the ascending sequences through it. They
    need the sequences up to a bin and those after it. The former are kept at the start of each
    block of bins and counted again within it, so that memory does not grow with the bins times
    the classes.
    """
    m, r = counts.shape
    n_blocks = (m + BLOCK - 1) // BLOCK
    saved = np.empty((n_blocks, r + 1))
    ahead = np.empty((BLOCK + 1, r + 1))
    chains, after = np.empty(r + 1), np.empty(r + 1)
    squares[:] = 0.0
    for bound in (LOWER, UPPER):
        chains[:] = 0.0
        chains[0] = 1.0
        for b in range(m):
            if b % BLOCK == 0:
                saved[b // BLOCK] = chains
            _extend(counts[b], inverse, bound, tied[b], tie_credit, chains)
        after[:] = 0.0
        after[r] = 1.0
        for block in range(n_blocks - 1, -1, -1):
            first, last = block * BLOCK, min(m, (block + 1) * BLOCK)
            ahead[0] = saved[block]
            for b in range(first, last):
                ahead[b - first + 1] = ahead[b - first]
                _extend(counts[b], inverse, bound, tied[b], tie_credit, ahead[b - first + 1])
            for b in range(last - 1, first - 1, -1):
                for label in range(r):
                    if counts[b, label] > 0.0:
                        component = _through(
                            counts[b],
                            inverse,
                            bound,
                            tied[b],
                            tie_credit,
                            ahead[b - first],
                            after,
                            label,
                        )
                        squares[bound, label] += counts[b, label] * component * component
                _extend_back(counts[b], inverse, bound, tied[b], tie_credit, after)
