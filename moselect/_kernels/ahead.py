"""Compile the slow kernels of a first search in another process, concurrently.

The processes share numba's cache. The order is that of the search, so that each kernel is
ready when needed.
"""

from __future__ import annotations

import gc
from typing import Any

from numba import float64, int64, none

from moselect._kernels.components import ranking_components
from moselect._kernels.objectives import (
    least_costs_of_rows,
    ranking_counts,
)
from moselect._kernels.pareto import insert
from moselect._kernels.scores import score_rows

WHOLE = int64[::1]
NUMBERS = float64[::1]
WHOLE_TABLE = int64[:, ::1]
TABLE = float64[:, ::1]
TABLES = float64[:, :, ::1]
STACK = float64[:, :, :, ::1]

AHEAD: dict[Any, tuple[Any, ...]] = {
    score_rows: (TABLE, TABLE, WHOLE, int64, WHOLE_TABLE),
    least_costs_of_rows: (WHOLE_TABLE, int64, WHOLE_TABLE, WHOLE_TABLE),
    ranking_counts: (WHOLE_TABLE, none, int64, TABLES, NUMBERS),
    insert: (TABLE, WHOLE, int64, TABLE, WHOLE),
    ranking_components: (WHOLE, WHOLE, NUMBERS, TABLE, float64, NUMBERS),
}

if __name__ == "__main__":
    gc.disable()  # a short process: garbage collection would only cost time
    for kernel, signature in AHEAD.items():
        kernel.compile(signature)
