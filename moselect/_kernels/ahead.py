"""Compile kernels of a search, the last ones first, while the search compiles the first ones.

    python -m moselect._kernels.ahead

A process compiles one kernel at a time. This one uses another processor, and the search
finds what it has compiled in the cache.
"""

from numba import float64, int64, none

from moselect._kernels.chain_counts import ranking_components
from moselect._kernels.cutpoints import count_predictions
from moselect._kernels.objectives import least_costs_of_rows, ranking_counts
from moselect._kernels.pareto import insert
from moselect._kernels.score_gradients import score_gradients

CODES = int64[::1]
KEYS = int64[:, ::1]
VALUES = float64[::1]
TABLE = float64[:, ::1]
CUBE = float64[:, :, ::1]
PASSING = float64[:, :, :, ::1]
# As unweighted samples call them, in the opposite order of their first calls.
SIGNATURES = {
    ranking_components: (CODES, CODES, VALUES, TABLE, float64, VALUES),
    count_predictions: (TABLE, TABLE, CODES, none, CUBE),
    insert: (TABLE, CODES, int64, TABLE, CODES),
    ranking_counts: (KEYS, none, int64, CUBE, VALUES),
    least_costs_of_rows: (KEYS, int64, KEYS, KEYS),
    score_gradients: (
        *(KEYS, TABLE, none, KEYS, int64, TABLE, VALUES, CUBE, PASSING, VALUES, TABLE),
    ),
}

if __name__ == "__main__":  # the documentation imports every module
    for kernel, signature in SIGNATURES.items():
        kernel.compile(signature)
