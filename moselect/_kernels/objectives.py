"""Counts, least costs and optimal cut points of a batch of rankings.

Rankings are rows of sorted keys (P, n), see `scores`.
"""

from __future__ import annotations

import numpy as np

from moselect._kernels.chain_counts import strict_chains
from moselect._kernels.compilation import kernel
from moselect._kernels.cutpoints import (
    LANES,
    best_positions,
    find_runs,
    least_costs,
    positions_to_thresholds,
)
from moselect._kernels.pair_counts import count_right_pairs, weigh_right_pairs
from moselect._types import Floats, Integers

NO_WEIGHTS = np.empty((0, 0))
NO_CONFUSIONS = np.empty((0, 0, 0, 0))


@kernel
def ranking_counts(keys, weights, bits, right, chains):
    """Fill ``right`` (P, r, r) with the right pairs of classes, ``chains`` (P,) with sequences.

    ``weights`` (P, n), in the order of the keys, may be None.
    """
    r = right.shape[1]
    for row in range(keys.shape[0]):
        if weights is None:
            count_right_pairs(keys[row], bits, right[row])
            chains[row] = strict_chains(keys[row], None, bits, r)
        else:
            weigh_right_pairs(keys[row], weights[row], bits, right[row])
            chains[row] = strict_chains(keys[row], weights[row], bits, r)


@kernel
def least_costs_of_rows(keys, bits, costs, totals):
    """Fill ``totals`` (P, LANES) with the least costs that thresholds can reach on each row.

    ``costs`` (r, r * LANES) are laid out as in `least_costs`.
    """
    n = keys.shape[1]
    r = costs.shape[0]
    # One allocation for all rows: the runs of a row overwrite the previous ones.
    run_class = np.empty(n, dtype=np.int64)
    run_count = np.empty(n, dtype=np.int64)
    run_ends = np.empty(n, dtype=np.bool_)
    best = np.empty(r * LANES, dtype=np.int64)
    for row in range(keys.shape[0]):
        n_runs = find_runs(keys[row], bits, r, run_class, run_count, run_ends)
        least_costs(run_class, run_count, run_ends, n_runs, costs, best)
        for lane in range(LANES):
            totals[row, lane] = best[(r - 1) * LANES + lane]


@kernel
def cheapest_positions_of_rows(keys, weights, bits, costs, positions, totals, confusions):
    """Fill ``positions`` (P, m, r - 1) and ``totals`` (P, m) of the thresholds of least cost.

    Each row has m cost matrices, ``costs`` (P, m, r, r). ``weights`` (P, n) are in the
    order of the keys, or none (0, 0). ``confusions`` (P, m, r, r), if there are any,
    become the samples, or their weights, by class (row) and by predicted class (column).
    """
    n = keys.shape[1]
    r = costs.shape[2]
    weighted = weights.shape[0] > 0
    run_class = np.empty(n, dtype=np.int64)
    run_count = np.empty(n, dtype=np.int64)
    run_ends = np.empty(n, dtype=np.bool_)
    run_weight = np.empty(n)
    for row in range(keys.shape[0]):
        n_runs = find_runs(keys[row], bits, r, run_class, run_count, run_ends)
        position = 0
        # Without weights the length of a run is its weight; with weights the samples of
        # the run are added up in their order.
        for i in range(n_runs):
            run_weight[i] = 0.0 if weighted else run_count[i]
            if weighted:
                for _ in range(run_count[i]):
                    run_weight[i] += weights[row, position]
                    position += 1
        for model in range(costs.shape[1]):
            own_positions = positions[row, model]
            totals[row, model] = best_positions(
                run_class,
                run_count,
                run_weight,
                run_ends,
                n_runs,
                costs[row, model],
                own_positions,
            )
            # Without room for confusion matrices only positions and costs are of
            # interest.
            if confusions.shape[0] == 0:
                continue
            confusion = confusions[row, model]
            confusion[:] = 0.0
            predicted = 0
            position = 0
            for i in range(n_runs):  # positions are ascending ends of runs
                while predicted < r - 1 and own_positions[predicted] <= position:
                    predicted += 1
                confusion[run_class[i], predicted] += run_weight[i]
                position += run_count[i]


def exact_models(
    keys: Integers,
    weights: Floats | None,
    bits: int,
    costs: Floats,
    *,
    with_confusions: bool = False,
) -> tuple[Floats, Floats, Floats]:
    """Return the thresholds (P, m, r - 1) of least cost, their costs, and confusion matrices.

    Arguments, totals and confusions as in `cheapest_positions_of_rows`.
    """
    n_rows, m, r, _ = shape = costs.shape
    positions = np.empty((n_rows, m, r - 1), dtype=np.int64)
    totals = np.empty((n_rows, m))
    confusions = np.empty(shape) if with_confusions else NO_CONFUSIONS
    if weights is None:
        weights = NO_WEIGHTS
    cheapest_positions_of_rows(keys, weights, bits, costs, positions, totals, confusions)
    # Positions count the samples of a ranking; thresholds lie between its scores.
    thresholds = positions_to_thresholds(keys, positions.reshape(n_rows, -1), bits)
    return thresholds.reshape(positions.shape), totals, confusions
