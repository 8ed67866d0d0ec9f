"""Sommer (2015): VUS and BSC of twelve rankings (table 3.2)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from experiments.sommer2015.table_3_2 import table_3_2


def run(out: Path, *, quick: bool, report: Callable[[float], None]) -> pd.DataFrame:
    results = table_3_2()
    report(1.0)
    return results
