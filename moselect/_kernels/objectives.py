"""Counts, least costs and optimal cut points of a batch of rankings.

Rankings are rows of sorted keys (P, n), see `scores`.
"""

import numpy as np

from moselect._kernels.chain_counts import strict_chains
from moselect._kernels.compilation import kernel
from moselect._kernels.cutpoints import (
    LANES,
    best_positions,
    find_runs,
    least_costs,
)
from moselect._kernels.pair_counts import count_right_pairs


@kernel
def ranking_counts(keys, weights, bits, right, chains):
    """Count the right pairs of classes and the ascending sequences of each row.

    ``right`` (P, r, r) and ``chains`` (P,) are filled. ``weights`` (P, n), in the order of
    the keys, may be None.
    """
    for row in range(keys.shape[0]):
        sample_weights = None if weights is None else weights[row]
        count_right_pairs(keys[row], sample_weights, bits, right[row])
        chains[row] = strict_chains(keys[row], sample_weights, bits, right.shape[1])


@kernel
def least_costs_of_rows(keys, bits, costs, totals):
    """Fill ``totals`` (P, LANES) with the least costs that thresholds can reach on each row.

    ``costs`` (r, r * LANES) are laid out as in `least_costs`.
    """
    n_rows, n = keys.shape
    r = costs.shape[0]
    # One allocation for all rows: the runs of a row overwrite the previous ones.
    run_class = np.empty(n, dtype=np.int64)
    run_count = np.empty(n, dtype=np.int64)
    run_ends = np.empty(n, dtype=np.bool_)
    best = np.empty(r * LANES, dtype=np.int64)
    for row in range(n_rows):
        n_runs = find_runs(keys[row], bits, r, run_class, run_count, run_ends)
        least_costs(run_class, run_count, run_ends, n_runs, costs, best)
        for lane in range(LANES):
            totals[row, lane] = best[(r - 1) * LANES + lane]


@kernel
def cheapest_positions_of_rows(keys, weights, bits, costs, positions, totals, confusions):
    """Fill in the cut ``positions`` (P, m, r - 1) of least cost, and the costs ``totals`` (P, m).

    Each row has m cost matrices, ``costs`` (P, m, r, r). ``weights`` (P, n), in the order
    of the keys, may be None. The samples, or their weights, are added to ``confusions``
    (P, m, r, r) by class (row) and by predicted class (column), unless these are empty.
    """
    n_rows, m, r, _ = costs.shape
    n = keys.shape[1]
    run_class = np.empty(n, dtype=np.int64)
    run_count = np.empty(n, dtype=np.int64)
    run_ends = np.empty(n, dtype=np.bool_)
    run_weight = np.empty(n)
    for row in range(n_rows):
        n_runs = find_runs(keys[row], bits, r, run_class, run_count, run_ends)
        position = 0
        # Without weights the length of a run is its weight; with weights the samples of
        # the run are added up in their order.
        for i in range(n_runs):
            if weights is None:
                run_weight[i] = run_count[i]
            else:
                run_weight[i] = 0.0
                for _ in range(run_count[i]):
                    run_weight[i] += weights[row, position]
                    position += 1
        for model in range(m):
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
            if confusions.shape[0] == 0:
                continue
            confusion = confusions[row, model]
            predicted = 0
            position = 0
            for i in range(n_runs):  # positions are ascending ends of runs
                while predicted < r - 1 and own_positions[predicted] <= position:
                    predicted += 1
                confusion[run_class[i], predicted] += run_weight[i]
                position += run_count[i]
