"""Processor seconds of candidates and base models, with and without cross-validation.

    python experiments/benchmarks/candidates.py [--rows 20000] [--columns 20]

One process, one thread. Cross-validation repeats the fit in five folds: an ensemble needs
its models without each pair of folds for it, 16 fits of each in all; of more than 5,000 rows
without each pair of neighbours, 11 in all.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pandas as pd

from moselect.candidates.candidates import CandidateFits, FitSettings
from moselect.costs import Costs
from moselect.costs.criteria import resolve_costs
from moselect.datasets import load_boston
from moselect.models.ensemble.base_models import base_models
from moselect.models.ensemble.fit_cache import NO_FOLD, Features, FitCache
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples

CUTS = (-1.0, 0.0, 1.0, 2.0)
N_FOLDS = 5


def synthetic(n: int, p: int) -> Samples:
    """Draw features (n, p) and five classes along nonlinear terms, a product and noise."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, p))
    latent = (
        X[:, 0]
        + np.sin(2.0 * X[:, 1])
        + 0.5 * X[:, 2] * X[:, 3]
        + X[:, 4:] @ np.ones(p - 4)
    )
    y = np.digitize(latent / np.sqrt(p) + 0.5 * rng.logistic(size=n), CUTS)
    return Samples(X, y, np.arange(len(CUTS) + 1))


def seconds_of_bases(samples: Samples, folds: Folds) -> pd.DataFrame:
    """Time every base model on all rows, without single folds and without pairs."""
    features = Features(np.asarray(samples.X, dtype=np.float64))
    table = FitCache(
        base_models(None, 0),
        lambda without: features,
        samples,
        folds.index,
        1,
    )
    singles = [table.and_later(fold) for fold in table.fold_numbers()]
    pairs = [
        single | table.and_later(fold)
        for single in singles
        for fold in table.fold_numbers(single)
    ]
    rows = {}
    for name in table.models:
        rows[name] = {
            what: processor_seconds(lambda sets=sets, name=name: table.fit([name], sets))
            for what, sets in {
                "all rows": [NO_FOLD],
                "without a fold": singles,
                "without two": dict.fromkeys(pairs),
            }.items()
        }
    found = pd.DataFrame.from_dict(rows, orient="index")
    found["ensemble"] = found["all rows"] + found["without a fold"]
    found["ensemble with evidence"] = found["ensemble"] + found["without two"]
    found.loc["sum"] = found.sum()
    return found


def seconds_of_kinds(samples: Samples, folds: Folds) -> pd.Series:
    """Time the candidates that share no fits with the ensemble, with cross-validation."""
    maker = FitSettings(random_state=0, n_jobs=1)
    fits = CandidateFits(samples, maker, folds)
    costs = Costs(np.arange(1.0, samples.n_classes + 1.0))
    goal = resolve_costs(costs, samples)
    spent = {
        kind: processor_seconds(lambda kind=kind: fits(kind, goal))
        for kind in ("scorecard", "linear")
    }
    return pd.Series(spent, name="with evidence")


def processor_seconds(task: object) -> float:
    started = time.process_time()
    task()
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--only", choices=["boston", "synthetic"])
    options = parser.parse_args()
    X, y = load_boston()
    warm = Samples.from_table(X.iloc[::2], y.iloc[::2])  # compiles what is compiled
    seconds_of_bases(warm, Folds.deal(warm.groups, warm.codes, N_FOLDS))
    tables = {}
    if options.only != "synthetic":
        tables["boston"] = Samples.from_table(X, y)
    if options.only != "boston":
        name = f"synthetic, {options.rows:,} x {options.columns}"
        tables[name] = synthetic(options.rows, options.columns)
    for name, samples in tables.items():
        folds = Folds.deal(samples.groups, samples.codes, N_FOLDS)
        print(f"\n{name}: processor seconds")
        print(seconds_of_bases(samples, folds).round(2).to_string())
        print(seconds_of_kinds(samples, folds).round(2).to_string())


if __name__ == "__main__":
    main()
