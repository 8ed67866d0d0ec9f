"""The swarm compared with algorithms of pymoo on the same problem, for any objectives.

    MOSELECT_DATA=... python experiments/benchmarks/peers.py [--evaluations 5000] [--seeds 3]
        [--sets boston stock_ord auto_ord diabetes fair] [--algorithms NSGA2 SPEA2]
        [--objectives "cost, vus" "macro MAE, accuracy" six]

Hypervolume above chance, medians over seeds, at equal evaluations, at equal time and, for the
others, at five times the evaluations; populations of 100, kernels compiled beforehand. `outside`
is how far the farthest point found by another algorithm lies outside the front of moselect, in
shares of the box from chance to 1 (goal: no more than .0005), for the best seed and for all of
them together; `a sample` is what one more right prediction gains in accuracy. `re-read` is the
front of the six objectives, its models measured by these.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
from pymoo.optimize import minimize
from pymoo.termination.max_time import TimeBasedTermination
from sklearn.datasets import load_diabetes

from moselect import ParetoSearch, cost_matrix
from moselect.datasets import load_boston, load_dataset
from moselect.metrics import OBJECTIVES, Objective
from moselect.pymoo_adapter import MOPSO, OrdinalProblem
from moselect.samples.samples import Samples
from moselect.search import gain_above_chance, hypervolume_above_chance, measure_holdout

MORE = 5  # times the evaluations, for the other algorithms
OURS = "moselect"


def load(name: str) -> tuple[Any, Any]:
    """Load a bundled table, one of MOSELECT_DATA, or one of scikit-learn or statsmodels."""
    if name == "boston":
        return load_boston()
    if name == "diabetes":
        X, y = load_diabetes(return_X_y=True, as_frame=True)
        return X, pd.qcut(y, 4, labels=False)
    if name == "fair":
        from statsmodels.datasets import fair

        table = fair.load_pandas().data.sample(1_500, random_state=0)
        return table.drop(columns="rate_marriage"), table["rate_marriage"]
    dataset = load_dataset(name)
    return dataset.X, dataset.y


def dear_upper_classes(class_counts: np.ndarray) -> np.ndarray:
    """Five times the cost for mistakes on the upper two fifths of the classes."""
    r = len(class_counts)
    return cost_matrix([1] * (r - 2 * r // 5) + [5] * (2 * r // 5))


CHOICES = {
    "cost, vus": (Objective("own cost", dear_upper_classes), "vus"),
    "macro MAE, accuracy": ("one_minus_macro_mae", "accuracy"),
    "six": OBJECTIVES,
}


def baseline(name: str) -> Any:
    """Return a multi-objective algorithm of pymoo with a population of 100."""
    return getattr(import_module(f"pymoo.algorithms.moo.{name.lower()}"), name)(
        pop_size=100
    )


def search_by(
    algorithm: Any, problem: OrdinalProblem, termination: Any, seed: int
) -> tuple[np.ndarray, float]:
    """Return the front (k, m) that an algorithm of pymoo finds on a problem, and its seconds."""
    started = time.perf_counter()
    result = minimize(problem, algorithm, termination, seed=seed)
    return -np.atleast_2d(result.F), time.perf_counter() - started


def outside(points: np.ndarray, front: np.ndarray, chance: np.ndarray) -> float:
    """Return how far the farthest point lies outside a front, in shares of the box."""
    gains, reached = gain_above_chance(points, chance), gain_above_chance(front, chance)
    return max(float((gain - reached).max(axis=1).min()) for gain in gains)


def compare(
    problem: OrdinalProblem, algorithms: Sequence[str], evaluations: int, seeds: int
) -> pd.DataFrame:
    """Return a row for ours and for each algorithm of pymoo on a problem."""
    chance = problem.searched.chance
    search_by(MOPSO(), problem, ("n_gen", 3), 0)  # to compile
    runs = [
        search_by(MOPSO(), problem, ("n_evals", evaluations), seed)
        for seed in range(seeds)
    ]
    volumes = [hypervolume_above_chance(points, chance) for points, _ in runs]
    best = runs[int(np.argmax(volumes))][0]
    together = np.vstack([points for points, _ in runs])
    seconds = float(np.median([spent for _, spent in runs]))
    rows = {OURS: {"equal evaluations": np.median(volumes), "seconds": seconds}}
    for name in algorithms:
        found = {
            "equal evaluations": ("n_evals", evaluations),
            "equal time": TimeBasedTermination(seconds),
            f"{MORE} x": ("n_evals", MORE * evaluations),
        }
        row, far = {}, []
        for column, termination in found.items():
            fronts = [
                search_by(baseline(name), problem, termination, seed)
                for seed in range(seeds)
            ]
            row[column] = np.median(
                [hypervolume_above_chance(p, chance) for p, _ in fronts]
            )
            far = [points for points, _ in fronts]
        row["seconds"] = float(np.median([spent for _, spent in fronts]))
        row["outside best"] = max(outside(points, best, chance) for points in far)
        row["outside all"] = max(outside(points, together, chance) for points in far)
        rows[name] = row
    return pd.DataFrame.from_dict(rows, orient="index")


def re_read(
    table: tuple[Any, Any], problem: OrdinalProblem, evaluations: int, seeds: int
) -> float:
    """Return the hypervolume of fronts of the six objectives, measured by those of a problem."""
    volumes = []
    for seed in range(seeds):
        six = ParetoSearch(
            cv=None, max_evaluations=evaluations, max_models=None, random_state=seed
        ).fit(*table)
        samples, objectives = Samples.from_table(*table), problem.searched.objectives
        again = measure_holdout(six.front_, samples, objectives)
        volumes.append(hypervolume_above_chance(again.holdout, problem.searched.chance))
    return float(np.median(volumes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evaluations", type=int, default=5_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sets", nargs="+", default=["boston", "stock_ord", "auto_ord"])
    parser.add_argument("--algorithms", nargs="+", default=["NSGA2"])
    parser.add_argument(
        "--objectives", nargs="+", default=list(CHOICES)[:2], choices=list(CHOICES)
    )
    options = parser.parse_args()
    for name in options.sets:
        table = load(name)
        for words in options.objectives:
            problem = OrdinalProblem(*table, objectives=CHOICES[words])
            rows = compare(
                problem, options.algorithms, options.evaluations, options.seeds
            )
            if words != "six":
                again = re_read(table, problem, options.evaluations, options.seeds)
                rows.loc["six, re-read", "equal evaluations"] = again
            counts = problem.searched.batch.class_weights
            sample = 1.0 / (counts.sum() - counts.max())
            print(f"\n{name}: {words}; a sample is {sample:.4f}")
            print(rows.round(5).to_string(na_rep=""), flush=True)


if __name__ == "__main__":
    main()
