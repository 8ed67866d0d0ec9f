"""Objectives of a batch of particles, every one to be maximised (Waegeman et al. 2008, 4.2)."""

from __future__ import annotations

import numpy as np

from moselect._kernels.chain_counts import strict_chains
from moselect._kernels.compilation import kernel
from moselect._kernels.cutpoints import (
    LANES,
    best_cuts,
    count_between_cuts,
    cuts_to_thresholds,
    find_runs,
    least_costs,
    weigh_runs,
)
from moselect._kernels.pair_counts import right_pairs, u_cons, u_ovo, u_pairs
from moselect._kernels.scores import keys_to_scores


@kernel
def ranking_measures(keys, weights, bits, class_weights, out):
    """Fill ``out`` (P, 4) with VUS, U_cons, U_ovo and U_pairs (eq. 8, 16-18) of sorted ``keys``.

    ``weights`` (P, n), in the order of the keys, may be None. Every class must have samples.
    """
    r = class_weights.shape[0]
    pairs = np.empty((r, r))
    sequences = 1.0
    for k in range(r):
        sequences *= class_weights[k]
    for particle in range(keys.shape[0]):
        row = keys[particle]
        if weights is None:
            right_pairs(row, None, bits, r, pairs)
            chains = strict_chains(row, None, bits, r)
        else:
            right_pairs(row, weights[particle], bits, r, pairs)
            chains = strict_chains(row, weights[particle], bits, r)
        out[particle, 0] = chains / sequences
        out[particle, 1] = u_cons(pairs, class_weights)
        out[particle, 2] = u_ovo(pairs, class_weights)
        out[particle, 3] = u_pairs(pairs, class_weights)


@kernel
def objectives_with_exact_thresholds(keys, bits, class_counts, costs, lanes, out):
    """Fill ``out`` (P, LANES, 6) from sorted ``keys`` (P, n).

    Columns: accuracy, 1 - MAE, VUS, U_cons, U_ovo, U_pairs.

    ``costs`` (r, r * LANES) packs two counts into one integer, ``lanes`` (LANES, 3) says how:
    its ``(a, b, shift)`` stand for ``total = (a * errors + b * deviation) << shift | low``, where
    ``low`` is the errors, or, in the error-first lane (b = 0), the deviation.
    """
    n_particles, n = keys.shape
    r = class_counts.shape[0]
    run_class = np.empty(n, dtype=np.int64)
    run_count = np.empty(n, dtype=np.int64)
    run_ends = np.empty(n, dtype=np.bool_)
    best = np.empty(r * LANES, dtype=np.int64)
    ranking = np.empty((n_particles, 4))
    ranking_measures(keys, None, bits, class_counts, ranking)
    for particle in range(n_particles):
        row = keys[particle]
        n_runs = find_runs(row, bits, r, run_class, run_count, run_ends)
        least_costs(run_class, run_count, run_ends, n_runs, costs, best)
        for lane in range(LANES):
            a, b, shift = lanes[lane, 0], lanes[lane, 1], lanes[lane, 2]
            total = best[(r - 1) * LANES + lane]
            high = total >> shift
            low = total & ((np.int64(1) << shift) - np.int64(1))
            if b == 0:
                errors, deviation = high, low
            else:
                errors, deviation = low, (high - a * low) // b
            out[particle, lane, 0] = (n - errors) / n
            out[particle, lane, 1] = 1.0 - deviation / n
            for measure in range(4):
                out[particle, lane, 2 + measure] = ranking[particle, measure]


@kernel
def exact_thresholds(keys, weights, bits, cost, thresholds):
    """Fill ``thresholds`` (r - 1,) with those of least cost for one row of sorted keys.

    ``weights`` (n,), in the order of the keys, may be None.
    """
    n = keys.shape[0]
    r = cost.shape[0]
    run_class = np.empty(n, dtype=np.int64)
    run_count = np.empty(n, dtype=np.int64)
    run_ends = np.empty(n, dtype=np.bool_)
    cuts = np.empty(r - 1, dtype=np.int64)
    scores = np.empty(n)
    n_runs = find_runs(keys, bits, r, run_class, run_count, run_ends)
    if weights is None:
        total = best_cuts(run_class, run_count, run_count, run_ends, n_runs, cost, cuts)
    else:
        run_weight = weigh_runs(weights, run_count, n_runs)
        total = best_cuts(run_class, run_count, run_weight, run_ends, n_runs, cost, cuts)
    keys_to_scores(keys, bits, scores)
    cuts_to_thresholds(scores, cuts, thresholds)
    return total


@kernel
def exact_thresholds_of_rows(keys, weights, bits, costs, thresholds, totals):
    """Fill ``thresholds`` (P, r - 1) and the ``totals`` (P,) they cost for rows of sorted keys."""
    for particle in range(keys.shape[0]):
        row, cost, own = keys[particle], costs[particle], thresholds[particle]
        if weights is None:
            totals[particle] = exact_thresholds(row, None, bits, cost, own)
        else:
            totals[particle] = exact_thresholds(row, weights[particle], bits, cost, own)


@kernel
def exact_models(keys, weights, bits, costs, thresholds, confusions):
    """Fill the ``thresholds`` (m, r - 1) of least cost under each of ``costs`` (m, r, r).

    All are those of one row of sorted keys, whose ``weights`` (n,) may be None. ``confusions``
    (m, r, r) become the samples, or their weights, by class (row) and by predicted class (column).
    """
    n = keys.shape[0]
    r = costs.shape[1]
    run_class = np.empty(n, dtype=np.int64)
    run_count = np.empty(n, dtype=np.int64)
    run_ends = np.empty(n, dtype=np.bool_)
    cuts = np.empty(r - 1, dtype=np.int64)
    scores = np.empty(n)
    n_runs = find_runs(keys, bits, r, run_class, run_count, run_ends)
    keys_to_scores(keys, bits, scores)
    run_weight = weigh_runs(weights, run_count, n_runs) if weights is not None else np.empty(0)
    for model in range(costs.shape[0]):
        cost, counts = costs[model], confusions[model]
        if weights is None:
            best_cuts(run_class, run_count, run_count, run_ends, n_runs, cost, cuts)
            count_between_cuts(run_class, run_count, run_count, n_runs, cuts, counts)
        else:
            best_cuts(run_class, run_count, run_weight, run_ends, n_runs, cost, cuts)
            count_between_cuts(run_class, run_count, run_weight, n_runs, cuts, counts)
        cuts_to_thresholds(scores, cuts, thresholds[model])
