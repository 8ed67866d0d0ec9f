"""Weighted counts of ascending sequences of one sample of each class, and each sample's share."""

import numpy as np

from moselect._kernels.compilation import inlined, kernel


@inlined
def strict_chains(keys, weights, bits, n_classes):
    """Return the total weight of the strictly ascending sequences (Waegeman et al. 2008, eq. 8).

    ``ahead[k]`` counts sequences of the classes ``0 .. k - 1`` in the first half of the
    ranking, ``after[k]`` sequences of ``k .. r - 1`` in the second half: two independent
    sums.
    """
    low_bits = (1 << bits) - 1
    top = n_classes - 1
    n = keys.shape[0]
    # Each half of the ranking keeps r + 1 sums alive: the two recursions share no result,
    # so the processor runs them concurrently.
    ahead = np.zeros(n_classes + 1)
    after = np.zeros(n_classes + 1)
    ahead[0] = 1.0
    after[n_classes] = 1.0
    half = n // 2
    for i in range(half):
        # From the lower end, a sample of class k extends every sequence of the classes
        # below k; from the upper end it is put before every sequence of the classes
        # above.
        j = n - 1 - i
        early = top - (keys[i] & low_bits)
        late = top - (keys[j] & low_bits)
        weight_early = 1.0 if weights is None else weights[i]
        weight_late = 1.0 if weights is None else weights[j]
        ahead[early + 1] += weight_early * ahead[early]
        after[late] += weight_late * after[late + 1]
    if n % 2:
        middle = top - (keys[half] & low_bits)
        weight = 1.0 if weights is None else weights[half]
        ahead[middle + 1] += weight * ahead[middle]
    total = 0.0
    # A sequence is split between the halves after any number k of its classes.
    for k in range(n_classes + 1):
        total += ahead[k] * after[k]
    return total


@kernel
def average_chains(keys, weights, bits, n_classes):
    """Count as `strict_chains`, but with credit 1/m! for a tied run of m classes."""
    low_bits = (1 << bits) - 1
    top = n_classes - 1
    n = keys.shape[0]
    chains = np.zeros(n_classes + 1)
    chains[0] = 1.0
    tie_weights = np.zeros(n_classes)
    start = 0
    while start < n:
        prefix = keys[start] | low_bits
        stop = start
        tie_weights[:] = 0.0
        while stop < n and (keys[stop] | low_bits) == prefix:
            tie_weights[top - (keys[stop] & low_bits)] += (
                # Keys of a tie are sorted by class from high to low, so its first and
                # last keys bound its classes.
                1.0 if weights is None else weights[stop]
            )
            stop += 1
        highest = top - (keys[start] & low_bits)
        # A sequence may take any run of neighbouring classes from one tie; m tied samples
        # come in ascending order in one of m! arrangements, whence the division by the
        # length of the run.
        lowest = top - (keys[stop - 1] & low_bits)
        # Downwards: chains[<= upper] still exclude this tie.
        for upper in range(highest, lowest - 1, -1):
            share = 1.0
            added = 0.0
            for length in range(1, upper - lowest + 2):
                share *= tie_weights[upper - length + 1] / length
                if share == 0.0:
                    break
                added += share * chains[upper - length + 1]
            chains[upper + 1] += added
        start = stop
    return chains[n_classes]


@kernel
def disjoint_chains(labels, second, position, by_class, inverse_counts):
    """Count pairs of strictly ascending sequences, one in each of two rankings, as a share of all.

    Only pairs that have no sample in common count. By inclusion and exclusion these are
    the pairs that share the samples of any set of classes, counted with the sign
    (-1)^(number of shared samples). The sum over sets folds into a recursion over
    classes: with w1(a, b) and w2(a, b) the numbers of ascending sequences from a to b
    through the classes between, under either ranking,

        G[b] = - sum over all a of lower classes, and a start, of G[a] w1(a, b) w2(a, b),

    and the absolute value of G at an end is the count. O(r + n) storage, O(n^2) time.

    Samples are numbered by their position in the first ranking: ``labels`` (n,) are their
    classes, ``second`` (n,) lists them in the order of the second ranking, ``position``
    (n,) is its inverse permutation, and ``by_class`` (n,) lists them class by class. In both
    rankings the higher class comes first in a tie. Every sample weighs one over the size
    of its class, ``inverse_counts`` (r,).
    """
    # A sequence in either ranking is sorted by class, so sequences from one sample to
    # another only pass the classes between: two one-dimensional recursions give w1 and
    # w2.
    n = labels.shape[0]
    r = inverse_counts.shape[0]
    shared = np.zeros(n)  # G
    ways = np.zeros(n)  # w1 from the present sample
    # sequences so far, by the number of classes up to their last
    chains = np.zeros((2, r + 1))
    total = 0.0
    for step in range(-1, n):
        if step < 0:  # the start: before all samples and classes
            here = -1
            there = -1
            source = 0
            sign_and_count = 1.0
        else:
            here = by_class[step]
            there = position[here]
            source = labels[here] + 1
            sign_and_count = shared[here]
        if sign_and_count == 0.0:
            continue
        chains[:] = 0.0
        chains[:, source] = 1.0
        # Sequences of the first ranking: weights of later samples are multiplied in, that
        # of the present one is not.
        first = chains[0]
        other = chains[1]
        for b in range(here + 1, n):
            label = labels[b]
            ways[b] = first[label]
            first[label + 1] += first[label] * inverse_counts[label]
        for i in range(there + 1, n):
            b = second[i]
            # Only a sample after this one in both rankings can be the next that the two
            # sequences share.
            label = labels[b]
            count = other[label]
            other[label + 1] += count * inverse_counts[label]
            if b > here:
                scale = inverse_counts[label] * inverse_counts[label]
                shared[b] -= sign_and_count * ways[b] * count * scale
        # Both sequences end at different samples, after the last that they share.
        total += sign_and_count * first[r] * other[r]
    return total


@kernel
def ranking_components(order, codes, weights, pair_gains, vus_gain, components):
    """Fill ``components`` (n,) and return VUS and the total gain of right pairs.

    ``order`` (n,) sorts the scores, and among equal ones the classes, highest first: then
    only strictly higher scores are right. ``pair_gains[l, k]``, k < l, is the gain of a
    right pair, ``vus_gain`` the gain of VUS = 1. The component of a sample is the gain of the
    pairs and chains through it, for weight 1. VUS is 0 if a class has no samples.
    """
    n = order.shape[0]
    r = pair_gains.shape[0]
    inverse = np.zeros(r)
    # Inverse class weights turn counts of chains into shares: VUS is the share of all
    # chains that ascend.
    for i in range(n):
        inverse[codes[i]] += weights[i]
    complete = True
    for k in range(r):
        complete = complete and inverse[k] > 0.0
        inverse[k] = 1.0 / inverse[k] if inverse[k] > 0.0 else 0.0
    chains = np.zeros(r + 1)
    chains[0] = 1.0
    met = np.zeros(r)
    lower = np.empty(n)
    # Upwards: the weight of samples of lower classes met so far gives the right pairs
    # below each sample, and `chains` the ascending chains that end with it.
    pairs = 0.0
    for i in range(n):
        sample = order[i]
        code = codes[sample]
        w = weights[sample]
        right = 0.0
        for k in range(code):
            right += pair_gains[code, k] * met[k]
        pairs += w * right
        components[sample] = right
        met[code] += w
        # The sample's own weight is left out: a component is the derivative by that
        # weight.
        lower[sample] = chains[code]
        chains[code + 1] += w * inverse[code] * chains[code]
    vus = chains[r] if complete else 0.0
    gain = vus_gain if complete else 0.0
    chains[:] = 0.0
    # Downwards: right pairs above each sample, and chains that go on from it. A chain
    # through a sample is any chain up to it times any chain from it.
    chains[r] = 1.0
    met[:] = 0.0
    for i in range(n - 1, -1, -1):
        sample = order[i]
        code = codes[sample]
        w = weights[sample]
        right = 0.0
        for k in range(code + 1, r):
            right += pair_gains[k, code] * met[k]
        met[code] += w
        components[sample] += (
            right + gain * inverse[code] * lower[sample] * chains[code + 1]
        )
        chains[code] += w * inverse[code] * chains[code + 1]
    return vus, pairs
