"""Sets of contiguous classes on four tables, beside those of arXiv 2606.24959."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

import moselect
from experiments.published.splits import rows_of_split

TARGETS = {"LEV": "Out1", "SWD": "Out1", "ERA": "out1", "winequality-red": "quality"}
LEVELS = (0.9, 0.95)


def load(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Return features and classes; of red wine the two lowest classes are one."""
    folder = Path(os.environ["MOSELECT_DATA"]) / "published"
    table = pd.read_csv(folder / f"{name}.csv")
    y = table.pop(TARGETS[name]).to_numpy()
    if name == "winequality-red":
        y = np.maximum(y, 4)
    return table.astype(float), y


def measure(name: str, split: int) -> pd.DataFrame:
    """Return coverage, mean size and mean error of one split.

    Sixty percent train, as in the paper; half of the rest is tested. The other half,
    which the paper needs for calibration, is trained on, too: sets are calibrated on
    out-of-fold predictions.
    """
    X, y = load(name)
    rows = np.arange(len(y))
    train, rest = train_test_split(rows, test_size=0.4, stratify=y, random_state=32)
    calibration, test = train_test_split(rest, test_size=0.5, random_state=split)
    train = np.append(train, calibration)
    started = time.perf_counter()
    search = moselect.ParetoSearch(n_iterations=5, random_state=split)
    search.fit(X.iloc[train], y[train])
    model = search.select(class_costs=np.ones(len(np.unique(y))), loss="absolute")
    found = {"mean error": np.abs(model.predict(X.iloc[test]) - y[test]).mean()}
    for level in LEVELS:
        sets = model.predict_set(X.iloc[test], coverage=level)
        lowest = sets["lowest"].to_numpy().astype(int)
        highest = sets["highest"].to_numpy().astype(int)
        is_covered = (lowest <= y[test]) & (y[test] <= highest)
        found[f"coverage at {level:.0%}"] = is_covered.mean()
        found[f"size at {level:.0%}"] = (highest - lowest + 1).mean()
    seconds = time.perf_counter() - started
    return rows_of_split(name, split, found, model.evidence.selected, seconds)
