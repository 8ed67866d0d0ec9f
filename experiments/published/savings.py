"""Costs of each row: savings on three tables, beside the methods of Bahnsen's thesis."""

from __future__ import annotations

import time
from importlib import import_module

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import moselect
from experiments.published.splits import rows_of_split

LOADERS = {
    "churn": "load_churn_tv_subscriptions",
    "credit": "load_credit_scoring_pakdd",
    "marketing": "load_upsell_bank_telemarketing",
}
LOSS_GIVEN_DEFAULT = 0.75
MARGIN = 0.25 * 0.02463333  # of the balance, if the deposit is not offered


def load(name: str) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Return the features, the classes 0 and 1, and the costs (n, 2, 2) of each row.

    The tables come with the package empulse.
    """
    loaded = getattr(import_module("empulse.datasets"), LOADERS[name])(backend=pd)
    y = loaded.target.to_numpy().astype(int)
    given = loaded.instance_costs
    costs = np.zeros((len(y), 2, 2))
    if name == "churn":
        for (true, predicted), key in {
            (0, 0): "tn_cost",
            (0, 1): "fp_cost",
            (1, 0): "fn_cost",
            (1, 1): "tp_cost",
        }.items():
            costs[:, true, predicted] = given[key]
    elif name == "credit":
        costs[:, 0, 1] = given["fp_cost"]
        costs[:, 1, 0] = LOSS_GIVEN_DEFAULT * given["cl"]
    else:
        costs[:, :, 1] = 1.0
        costs[:, 1, 0] = np.maximum(MARGIN * given["balance"], 1.0)
    X = loaded.data.reset_index(drop=True)
    # Whole numbers of few bytes are numbers all the same.
    return X.astype(dict.fromkeys(X.select_dtypes("number"), float)), y, costs


def savings(costs: np.ndarray, y: np.ndarray, predicted: np.ndarray) -> float:
    """Return the part of the cost of the cheaper constant class that is saved."""
    of_class = costs[np.arange(len(y)), y]
    return 1.0 - of_class[np.arange(len(y)), predicted].sum() / of_class.sum(axis=0).min()


def baselines() -> dict[str, object]:
    """Return scikit-learn's classifiers with encoded and scaled columns."""
    encoder = make_column_transformer(
        (
            make_pipeline(SimpleImputer(), StandardScaler()),
            make_column_selector(dtype_include="number"),
        ),
        (
            make_pipeline(
                SimpleImputer(strategy="constant", fill_value="missing"),
                OneHotEncoder(handle_unknown="ignore", min_frequency=20),
            ),
            make_column_selector(dtype_exclude="number"),
        ),
    )
    return {
        "logistic regression": make_pipeline(encoder, LogisticRegression(max_iter=2000)),
        "random forest": make_pipeline(
            encoder, RandomForestClassifier(300, min_samples_leaf=5, random_state=0)
        ),
    }


def measure(name: str, split: int) -> pd.DataFrame:
    """Return the savings of one split 50/25/25, of which 50 train and the last 25 test."""
    X, y, costs = load(name)
    train, rest = train_test_split(np.arange(len(y)), test_size=0.5, random_state=split)
    test = train_test_split(rest, test_size=0.5, random_state=split)[1]
    started = time.perf_counter()
    search = moselect.ParetoSearch(n_iterations=5, random_state=split)
    search.fit(X.iloc[train], y[train])
    model = search.select(cost_matrix=lambda table: costs[table.index])
    seconds = time.perf_counter() - started
    found = {"moselect": savings(costs[test], y[test], model.predict(X.iloc[test]))}
    for baseline, classifier in baselines().items():
        proba = classifier.fit(X.iloc[train], y[train]).predict_proba(X.iloc[test])
        least = np.einsum("nc,ncm->nm", proba, costs[test]).argmin(axis=1)
        found[baseline] = savings(costs[test], y[test], least)
    return rows_of_split(name, split, found, model.evidence.selected, seconds)
