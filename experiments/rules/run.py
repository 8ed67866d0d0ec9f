"""Rule-like tables of categories: the ensemble beside boosted trees, plain and cumulative.

    python experiments/rules/run.py [--known]

Hierarchies with vetoes, k of n conditions, and parities of three, in one-hot categories; with
``--known`` also sets of the folder MOSELECT_DATA. The models are fitted to 70 % of the rows; a
row's class is the median of its probabilities. LightGBM, if it is installed, has its defaults.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd

from moselect.datasets import load_dataset
from moselect.models import CumulativeClassifier, OrdinalStacking

FIVE = ["proportional_odds", "splines", "boosting", "gaussian_process", "extra_trees"]
KNOWN = ("bostonhousing_ord", "auto_ord", "machine_ord", "stock_ord", "abalone_ord")
MOST_ROWS = 1_500  # of a known set


def hierarchy(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    cells = rng.integers(0, 4, (n, 6))
    price = np.maximum(cells[:, 0], cells[:, 1])
    comfort = np.minimum(cells[:, 2], cells[:, 3])
    use = np.where(cells[:, 4] == 0, 0, np.minimum(comfort, cells[:, 5]))
    codes = np.clip(use + 2 - price, 0, 3)
    return cells, np.where(cells[:, 5] == 0, 0, codes)


def k_of_n(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    cells = rng.integers(0, 3, (n, 10))
    return cells, np.digitize((cells[:, :7] == 1).sum(axis=1), [1.5, 2.5, 3.5])


def parity(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    cells = rng.integers(0, 2, (n, 8))
    return cells, 2 * (cells[:, :3].sum(axis=1) % 2) + cells[:, 3]


RULES = (
    (hierarchy, 1_000),
    (hierarchy, 1_728),
    (k_of_n, 1_500),
    (k_of_n, 3_000),
    (parity, 1_000),
    (parity, 2_000),
)


def tables(known: bool) -> Iterator[tuple[str, Any, Any]]:
    """Give the name, features and class codes of each table."""
    for rule, n in RULES:
        cells, codes = rule(np.random.default_rng(1), n)
        X = pd.get_dummies(pd.DataFrame(cells).astype(str)).to_numpy(float)
        yield f"{rule.__name__}, {n:,} rows", X, codes
    for name in KNOWN if known else ():
        data = load_dataset(name)
        rows = np.random.default_rng(0).permutation(len(data.y))[:MOST_ROWS]
        codes = np.unique(data.y, return_inverse=True)[1]
        yield name, data.X.to_numpy(float)[rows], codes[rows]


def models() -> dict[str, Any]:
    """Build the models by name."""
    named: dict[str, Any] = {
        "five members": OrdinalStacking(FIVE, random_state=1),
        "default": OrdinalStacking(random_state=1),
    }
    if find_spec("lightgbm") is not None:
        from lightgbm import LGBMClassifier

        plain = LGBMClassifier(verbose=-1, n_jobs=1)
        named |= {"LightGBM": plain, "LightGBM, cumulative": CumulativeClassifier(plain)}
    return named


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--known", action="store_true")
    warnings.simplefilter("ignore")
    results = []
    for name, X, codes in tables(parser.parse_args().known):
        order = np.random.default_rng(0).permutation(len(codes))
        train, test = np.split(order, [int(0.7 * len(codes))])
        row: dict[str, Any] = {"table": name}
        for label, model in models().items():
            started = time.process_time()
            proba = model.fit(X[train], codes[train]).predict_proba(X[test])
            row[f"{label}, s"] = round(time.process_time() - started, 1)
            median = (proba.cumsum(axis=1) < 0.5).sum(axis=1)
            row[label] = round(float(np.abs(median - codes[test]).mean()), 4)
            if label == "default":
                row["joined"] = len(model.model_names_) > len(FIVE)
        results.append(row)
        print(row, flush=True)
    table = pd.DataFrame(results).set_index("table")
    print(table[[name for name in table if not name.endswith(", s")]].to_string())
    print(table[[name for name in table if name.endswith(", s")]].to_string())


if __name__ == "__main__":
    main()
