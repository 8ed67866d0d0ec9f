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

from experiments.published.r_sample import RSampler
from moselect import Scorecard

POINTS = 10
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
        card = Scorecard(n_conditions, points=POINTS).fit(X.iloc[train], y[train])
        area = mean_auc(y[test], card.decision_function(X.iloc[test]))
        n_variables = len(variables_of(card))
        seconds = time.perf_counter() - started
        found.append((f"{n_conditions} conditions", area, n_variables, seconds))
    started = time.perf_counter()
    area = mean_auc(y[test], boosted_trees(X, y, train)[test])
    found.append(("boosted trees", area, X.shape[1], time.perf_counter() - started))
    return _table(found).assign(set=name, split=split)


def variables_of(card: Scorecard) -> list[str]:
    """Return the variables of the conditions of a card."""
    return sorted({text.split()[0] for text in card.card_["condition"]})


def boosted_trees(X: pd.DataFrame, y: np.ndarray, train: np.ndarray) -> np.ndarray:
    """Return the expected classes (n,) of boosted trees of all columns."""
    encoded = X.astype(dict.fromkeys(X.select_dtypes(exclude="number"), "category"))
    trees = HistGradientBoostingClassifier(
        max_iter=60,
        max_leaf_nodes=12,
        categorical_features="from_dtype",
        random_state=0,
    ).fit(encoded.iloc[train], y[train])
    return trees.predict_proba(encoded) @ trees.classes_


def measure_printed(name: str, split: int) -> pd.DataFrame:
    """Return the mean areas on the split 70/10/20 of AutoScore-Ordinal's guide.

    As there, variables and the number of conditions are chosen by the first two parts: cards
    of more and more conditions on the variables of the largest card that has at most 7, or 15.
    """
    X, y = load("autoscore")
    train, validation, test = printed_split(y)
    found = []
    for most in (7, 15):
        started = time.perf_counter()
        names = list[str]()
        for n_conditions in CONDITIONS:
            card = Scorecard(n_conditions, points=POINTS).fit(X.iloc[train], y[train])
            if len(variables_of(card)) <= most:
                names = variables_of(card)
        best = (0.0, 0.0)
        for n_conditions in CONDITIONS:
            card = Scorecard(n_conditions, points=POINTS)
            scores = card.fit(X[names].iloc[train], y[train]).decision_function(X[names])
            areas = [mean_auc(y[part], scores[part]) for part in (validation, test)]
            best = max(best, tuple(areas))
        seconds = time.perf_counter() - started
        for part, area in zip(("validation", "test"), best, strict=True):
            found.append((f"{most} variables, {part}", area, len(names), seconds))
    started = time.perf_counter()
    area = mean_auc(y[test], boosted_trees(X, y, train)[test])
    seconds = time.perf_counter() - started
    found.append(("boosted trees, test", area, X.shape[1], seconds))
    return _table(found).assign(set=name, split=split)


def printed_split(y: np.ndarray) -> list[np.ndarray]:
    """Return the rows that train, validate and test: by class, with R's seed 4."""
    sampler = RSampler(4)
    parts = np.zeros(len(y), dtype=np.int64)
    for label in np.unique(y):
        rows = np.flatnonzero(y == label)
        for part, share in ((2, 0.2), (1, 0.1)):
            left = rows[parts[rows] == 0].tolist()
            parts[sampler.sample(left, round(share * len(rows)))] = part
    return [np.flatnonzero(parts == part) for part in range(3)]


def _table(found: list[tuple[str, float, int, float]]) -> pd.DataFrame:
    return pd.DataFrame(found, columns=["method", "value", "variables", "seconds"])
