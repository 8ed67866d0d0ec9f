"""Sommer (2015): six model families on six sets (table 3.1), VUS and BSC of vectors (3.2)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from experiments.sommer2015.figure import draw
from experiments.sommer2015.table_3_1 import table_3_1
from experiments.sommer2015.table_3_2 import table_3_2


def run(out: Path, *, quick: bool, report: Callable[[float], None]) -> pd.DataFrame:
    families = table_3_1(quick, report)
    if not quick:
        draw(families).savefig(out / "table_3_1.png", dpi=110)
    return pd.concat([families, table_3_2()], ignore_index=True)
