"""Slow kernels of a first search, compiled by another process while the search itself begins.

The two share numba's cache. In this order, each is ready before the search comes to it.
"""

from __future__ import annotations

import gc
from typing import Any

from numba import float64, int64, none

from moselect._kernels.components import ranking_components
from moselect._kernels.crossing import draw_misplaced
from moselect._kernels.cutpoints import count_predictions
from moselect._kernels.objectives import (
    exact_models,
    exact_thresholds_of_rows,
    objectives_with_exact_thresholds,
)
from moselect._kernels.pareto import insert
from moselect._kernels.scores import linear_scores

WHOLE, NUMBERS = int64[::1], float64[::1]
WHOLE_TABLE, TABLE = int64[:, ::1], float64[:, ::1]
MATRICES = int64[:, :, ::1]

AHEAD: dict[Any, tuple[Any, ...]] = {
    linear_scores: (TABLE, TABLE, int64, TABLE),
    objectives_with_exact_thresholds: (
        *(WHOLE_TABLE, int64, WHOLE, WHOLE_TABLE, WHOLE_TABLE),
        float64[:, :, ::1],
    ),
    insert: (TABLE, WHOLE, int64, TABLE, WHOLE),
    exact_thresholds_of_rows: (WHOLE_TABLE, none, int64, MATRICES, TABLE, NUMBERS),
    draw_misplaced: (NUMBERS, WHOLE, NUMBERS, float64, float64),
    exact_models: (WHOLE, none, int64, MATRICES, TABLE, MATRICES),
    count_predictions: (TABLE, TABLE, WHOLE, none, MATRICES),
    ranking_components: (WHOLE, WHOLE, NUMBERS, TABLE, float64, NUMBERS),
}

if __name__ == "__main__":
    gc.disable()  # of the little that is compiled nothing need be collected
    for kernel, signature in AHEAD.items():
        kernel.compile(signature)
