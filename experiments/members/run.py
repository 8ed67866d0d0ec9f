"""Members of the ensemble for small tables: each left out in turn, and a kernel machine added.

    python experiments/members/run.py [--splits 2]

Sets that come with packages and those of the folder MOSELECT_DATA, as they are (at most 1,500
rows) and in samples of 150 rows; 70 % of the rows are fitted. The losses are the log-loss and
the mean absolute distance between the true class and the median of the probabilities, relative
to the default members.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import skordinal.datasets
from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from moselect.datasets import load_boston, load_dataset
from moselect.models import OrdinalStacking

MEMBERS = ["proportional_odds", "splines", "boosting", "gaussian_process", "extra_trees"]
IN_SKORDINAL = ("era", "esl", "lev", "swd", "balance_scale")
IN_FOLDER = (
    "auto_ord",
    "machine_ord",
    "stock_ord",
    "wisconsin_breast_ord",
    "abalone_ord",
)
MAX_ROWS = 1_500
SMALL = 150
FEWEST = 6  # samples of a class, so that each inner fold has one


def kernel_machine() -> Any:
    """Build a support vector classifier with tuned width and penalty."""
    grid = {"C": [0.3, 3.0, 30.0], "gamma": [0.01, 0.05, 0.25]}
    tuned = GridSearchCV(SVC(probability=True, random_state=0), grid, cv=3)
    return make_pipeline(StandardScaler(), tuned)


def variants() -> dict[str, list[Any]]:
    """Build the lists of members by name."""
    without = {
        f"without {name}": [other for other in MEMBERS if other != name]
        for name in MEMBERS[2:]
    }
    return {
        "default": MEMBERS,
        **without,
        "with kernel": [*MEMBERS, ("svc", kernel_machine())],
    }


def merge_small(y: np.ndarray) -> np.ndarray:
    """Merge classes of few samples with their lower neighbour, the lowest with the next."""
    codes = np.unique(y, return_inverse=True)[1]
    while (counts := np.bincount(codes)).min() < FEWEST:
        small = int(counts.argmin())
        codes = np.where(codes >= max(small, 1), codes - 1, codes)
    return codes


def tables() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Give the name, features and class codes of each table."""
    sets = {"boston": load_boston()}
    for name in IN_SKORDINAL:
        sets[name] = getattr(skordinal.datasets, f"load_{name}")(return_X_y=True)
    for name in IN_FOLDER if "MOSELECT_DATA" in os.environ else ():
        data = load_dataset(name)
        sets[name] = data.X, data.y
    for name, (X, y) in sets.items():
        order = np.random.default_rng(0).permutation(len(y))
        for n in (MAX_ROWS, SMALL):
            rows = order[:n]
            yield (
                f"{name}, {len(rows):,}",
                np.asarray(X, float)[rows],
                merge_small(np.asarray(y)[rows]),
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=2)
    splits = parser.parse_args().splits
    warnings.simplefilter("ignore")
    rows = []
    for name, X, codes in tables():
        halves = StratifiedShuffleSplit(splits, test_size=0.3, random_state=1)
        losses: dict[str, list[tuple[float, float]]] = {}
        for train, test in halves.split(X, codes):
            for variant, members in variants().items():
                model = OrdinalStacking(members, random_state=1).fit(
                    X[train], codes[train]
                )
                proba = model.predict_proba(X[test])
                median = (proba.cumsum(axis=1) < 0.5).sum(axis=1)
                mae = np.abs(median - codes[test]).mean()
                log_loss = -np.log(proba[np.arange(len(test)), codes[test]]).mean()
                losses.setdefault(variant, []).append((mae, log_loss))
        means = {variant: np.mean(values, axis=0) for variant, values in losses.items()}
        for j, loss in enumerate(("MAE", "log-loss")):
            relative = {
                v: means[v][j] / means["default"][j] for v in means if v != "default"
            }
            rows.append(
                {"table": name, "loss": loss, "default": means["default"][j], **relative}
            )
            print(
                {
                    k: v if isinstance(v, str) else round(float(v), 3)
                    for k, v in rows[-1].items()
                },
                flush=True,
            )
    table = pd.DataFrame(rows).set_index(["loss", "table"])
    print(table.round(3).to_string())
    is_small = table.index.get_level_values("table").str.endswith(f", {SMALL}")
    # A table without a mistake has no relative MAE.
    logs = np.log(table.drop(columns="default").where(table["default"] > 0.0))
    print(
        np.exp(logs.groupby(["loss", np.where(is_small, "small", "known")]).mean()).round(
            3
        )
    )


if __name__ == "__main__":
    main()
