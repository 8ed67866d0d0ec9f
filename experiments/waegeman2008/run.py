"""Waegeman, De Baets and Boullart (2008): VUS, its approximations, and the front of Boston.

Figures 1 to 8 and what the text says of them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from experiments.waegeman2008 import figure_8, figures_1_2, figures_3_to_5, figures_6_7


def run(out: Path, *, quick: bool, report: Callable[[float], None]) -> pd.DataFrame:
    """Reproduce the figures and give the numbers that decide the claims: key, here, low, high."""

    def between(start: float, end: float) -> Callable[[float], None]:
        return lambda share: report(start + share * (end - start))

    rows = figures_1_2.run(out, n_seeds=2 if quick else 20)
    rows += figures_3_to_5.run(out, 2 if quick else 10, between(0.0, 0.1))
    rows += figures_6_7.run(out, 5 if quick else 50, between(0.1, 0.2))
    rows += figure_8.run(out, 1 if quick else 5, quick, between(0.2, 1.0))
    return pd.DataFrame(rows, columns=["key", "here", "low", "high"])
