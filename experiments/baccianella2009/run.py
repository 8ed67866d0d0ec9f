"""Baccianella, Esuli, Sebastiani (2009): trivial classifiers under micro- and macro-averaging."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from experiments.baccianella2009.averages import closed_forms, coincidence, review_shares
from experiments.baccianella2009.imbalance import DATA, compare_models


def run(out: Path, *, quick: bool, report: Callable[[float], None]) -> pd.DataFrame:
    found = closed_forms() | coincidence() | review_shares()
    for k, name in enumerate(DATA):
        found |= compare_models(name, n_splits=2 if quick else 10)
        report((k + 1) / len(DATA))
    columns = ("key", "here", "low", "high")
    return pd.DataFrame(
        [
            dict(zip(columns, (key, *values), strict=False))
            for key, values in found.items()
        ]
    )
