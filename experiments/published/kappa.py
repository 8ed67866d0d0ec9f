"""Quadratic kappa on the sets of the benchmark of 46 that can be had without its server."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skordinal.classifiers import LogisticAT
from skordinal.datasets import load_balance_scale, load_esl

import moselect
from experiments.published import ordinal_sets
from experiments.published.splits import rows_of_split

FILES = ("abalone_ord", "auto_ord", "bostonhousing_ord", "machine_ord", "stock_ord")
LOADERS = {"balance_scale": load_balance_scale, "ESL": load_esl}
SETS = (*FILES, *LOADERS, *ordinal_sets.TARGETS)


def load(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Return features and classes of a set, as numbers."""
    if name in ordinal_sets.TARGETS:
        return ordinal_sets.load(name)
    if name in LOADERS:
        X, y = LOADERS[name](return_X_y=True)
        return pd.DataFrame(np.asarray(X, dtype=float)).add_prefix("x"), np.asarray(y)
    table = pd.read_csv(Path(os.environ["MOSELECT_DATA"]) / f"{name}.csv")
    y = table.pop("response").to_numpy()
    return table.astype(float), y


def measure(name: str, split: int) -> pd.DataFrame:
    """Return quadratic kappa on 30 % of the rows, drawn by class."""
    X, y = load(name)
    train, test = train_test_split(
        np.arange(len(y)), test_size=0.3, stratify=y, random_state=split
    )
    started = time.perf_counter()
    search = moselect.ParetoSearch(n_iterations=5, random_state=split)
    search.fit(X.iloc[train], y[train])
    model = search.select(metric="quadratic_kappa")
    seconds = time.perf_counter() - started
    logistic = make_pipeline(StandardScaler(), LogisticAT())
    logistic.fit(X.iloc[train].to_numpy(), y[train])
    predicted = {
        "quadratic kappa": model.predict(X.iloc[test]),
        "quadratic kappa of ordinal logistic regression": logistic.predict(
            X.iloc[test].to_numpy()
        ),
    }
    found = {
        method: cohen_kappa_score(y[test], classes, weights="quadratic")
        for method, classes in predicted.items()
    }
    return rows_of_split(name, split, found, model.evidence.selected, seconds)
