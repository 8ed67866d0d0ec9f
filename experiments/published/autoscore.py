"""Scorecards of more and more conditions on the sample of AutoScore-Ordinal."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

from moselect import Scorecard

CONDITIONS = (1, 2, 4, 6, 8, 10, 12, 16, 20)


def load(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Return features and classes 1 to 3."""
    table = pd.read_csv(Path(os.environ["MOSELECT_DATA"]) / "published" / f"{name}.csv")
    return table, table.pop("label").to_numpy()


def mean_auc(y: np.ndarray, scores: np.ndarray) -> float:
    """Return the mean of the areas under the curves of y >= 2 and y >= 3."""
    return float(np.mean([roc_auc_score(y >= k, scores) for k in (2, 3)]))


def measure(name: str, split: int) -> pd.DataFrame:
    """Return the mean areas of one split 80/20: cards, and boosted trees of all columns.

    The part that AutoScore-Ordinal needs to validate, a tenth, is trained on, too.
    """
    X, y = load(name)
    train, test = train_test_split(
        np.arange(len(y)), test_size=0.2, stratify=y, random_state=split
    )
    found = []
    for n_conditions in CONDITIONS:
        started = time.perf_counter()
        card = Scorecard(n_conditions, points=10).fit(X.iloc[train], y[train])
        variables = {text.split()[0] for text in card.card_["condition"]}
        area = mean_auc(y[test], card.decision_function(X.iloc[test]))
        seconds = time.perf_counter() - started
        found.append((f"{n_conditions} conditions", area, len(variables), seconds))
    started = time.perf_counter()
    encoded = X.astype(dict.fromkeys(X.select_dtypes(exclude="number"), "category"))
    trees = HistGradientBoostingClassifier(
        max_iter=60, max_leaf_nodes=12, categorical_features="from_dtype"
    ).fit(encoded.iloc[train], y[train])
    expected = trees.predict_proba(encoded.iloc[test]) @ trees.classes_
    area = mean_auc(y[test], expected)
    found.append(("boosted trees", area, X.shape[1], time.perf_counter() - started))
    columns = ["method", "value", "variables", "seconds"]
    return pd.DataFrame(found, columns=columns).assign(set=name, split=split)
