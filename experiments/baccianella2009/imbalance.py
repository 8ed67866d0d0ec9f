"""Imbalanced data on which trivial classifiers beat real models, if errors are micro-averaged."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from experiments.baccianella2009.averages import SHARES, STARS
from moselect.datasets import load_boston
from moselect.metrics import mean_absolute_error

Data = tuple[np.ndarray, np.ndarray]

REVIEWS = 2_000
BALANCED = "balanced logistic"
MODELS = {
    "SVR": SVR(epsilon=0.1),  # rounded to a class, as in the paper
    BALANCED: LogisticRegression(class_weight="balanced"),
}


def boston() -> Data:
    """Give Boston housing with all features."""
    X, y = load_boston()
    return X.to_numpy(), y.to_numpy()


def boston_by_rad() -> Data:
    """Give Boston housing with access to highways as its only feature."""
    X, y = load_boston()
    return X[["RAD"]].to_numpy(), y.to_numpy()


def reviews() -> Data:
    """Draw ratings with the printed shares of Amazon and five features that say little of them."""
    rng = np.random.default_rng(0)
    y = np.repeat(STARS, np.rint(REVIEWS * np.array(SHARES["Amazon"])).astype(int))
    return 0.2 * y[:, np.newaxis] + rng.normal(size=(len(y), 5)), y


DATA: dict[str, Callable[[], Data]] = {
    "Boston": boston,
    "Boston by RAD": boston_by_rad,
    "reviews": reviews,
}


def compare_models(name: str, *, n_splits: int) -> dict[str, tuple[object, ...]]:
    """Give both errors of the majority class and of models in ten-fold cross-validation."""
    X, y = DATA[name]()
    classes, sizes = np.unique(y, return_counts=True)
    majority = np.full(len(y), classes[sizes.argmax()])
    predicted = {
        label: [cross_predict(model, X, y, seed) for seed in range(n_splits)]
        for label, model in MODELS.items()
    }
    rows: dict[str, tuple[object, ...]] = {}
    for kind in ("micro", "macro"):
        error = partial(mean_absolute_error, average=kind)
        trivial = error(y, majority)
        rows[f"{name}: {kind} MAE of the majority class"] = (trivial,)
        for label, predictions in predicted.items():
            values = [error(y, prediction) for prediction in predictions]
            rows[f"{name}: {kind} MAE of {label}"] = (
                np.mean(values),
                min(values),
                max(values),
            )
        loses = min(error(y, prediction) for prediction in predicted[BALANCED]) > trivial
        rows[f"{name}: majority beats {BALANCED} by {kind} MAE"] = (
            "yes" if loses else "no",
        )
    return rows


def cross_predict(
    model: BaseEstimator, X: np.ndarray, y: np.ndarray, seed: int
) -> np.ndarray:
    """Give the class of each sample by a model fitted without its fold."""
    folds = StratifiedKFold(10, shuffle=True, random_state=seed)
    response = cross_val_predict(make_pipeline(StandardScaler(), model), X, y, cv=folds)
    return np.clip(np.rint(response), y.min(), y.max()).astype(int)
