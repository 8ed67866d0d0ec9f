"""Compile the slow kernels of a first search in another process, concurrently.

The processes share numba's cache. Kernels come in the order of the search, so that each is
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

INTEGERS = int64[::1]
FLOATS = float64[::1]
INTEGER_TABLE = int64[:, ::1]
FLOAT_TABLE = float64[:, ::1]

AHEAD: dict[Any, tuple[Any, ...]] = {
    score_rows: (FLOAT_TABLE, FLOAT_TABLE, INTEGERS, int64, INTEGER_TABLE),
    least_costs_of_rows: (INTEGER_TABLE, int64, INTEGER_TABLE),
    ranking_counts: (INTEGER_TABLE, none, int64, int64),
    insert: (FLOAT_TABLE, INTEGERS, int64, FLOAT_TABLE, INTEGERS),
    ranking_components: (INTEGERS, INTEGERS, FLOATS, FLOAT_TABLE, float64, FLOATS),
}

if __name__ == "__main__":
    gc.disable()  # a short process: garbage collection would only cost time
    for kernel, signature in AHEAD.items():
        kernel.compile(signature)
