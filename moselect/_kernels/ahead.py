"""Slow kernels of a first search, compiled by another process while the search itself begins.

The two share numba's cache. In this order, each is ready before the search comes to it.
"""

from __future__ import annotations

from typing import Any

from numba import float64, int64, types

from moselect._kernels.components import ranking_components
from moselect._kernels.crossing import draw_misplaced
from moselect._kernels.objectives import (
    exact_models,
    exact_thresholds_of_rows,
    objectives_with_exact_thresholds,
)
from moselect._kernels.pareto import insert

WHOLE, NUMBERS = int64[::1], float64[::1]
WHOLE_TABLE, TABLE = int64[:, ::1], float64[:, ::1]
MATRICES, READ_ONLY = int64[:, :, ::1], types.Array(int64, 3, "C", readonly=True)

AHEAD: dict[Any, tuple[Any, ...]] = {
    objectives_with_exact_thresholds: (
        *(WHOLE_TABLE, int64, WHOLE, WHOLE_TABLE, WHOLE_TABLE),
        float64[:, :, ::1],
    ),
    insert: (TABLE, WHOLE, int64, TABLE, WHOLE),
    exact_thresholds_of_rows: (WHOLE_TABLE, int64, READ_ONLY, TABLE, NUMBERS),
    draw_misplaced: (NUMBERS, WHOLE, NUMBERS, float64, float64),
    exact_models: (WHOLE, int64, MATRICES, TABLE, MATRICES),
    ranking_components: (WHOLE, WHOLE, NUMBERS, TABLE, float64, NUMBERS),
}

if __name__ == "__main__":
    for kernel, signature in AHEAD.items():
        kernel.compile(signature)
