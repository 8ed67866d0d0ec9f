"""The figures of the main job on Boston (`normalised`), printed beside what they should be.

    python -m experiments.benchmarks.main_job

Hypervolume above chance: medians over seeds; seconds: medians, kernels compiled beforehand. Then
the seconds of the commands, and of what they import.
"""

from __future__ import annotations

import time

import numpy as np
from sklearn.linear_model import QuantileRegressor, Ridge
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVR

from experiments.benchmarks.commands import print_tables
from moselect import ParetoSearch
from moselect.costs import cost_matrix, exact_thresholds
from moselect.datasets import load_boston
from moselect.metrics import accuracy_score, mean_absolute_error, ranking_scores
from moselect.models import fit_proportional_odds
from moselect.predictor import OrdinalLinearClassifier

SEEDS = range(100, 105)
X, y = load_boston()


def fit(search: ParetoSearch) -> tuple[ParetoSearch, float]:
    started = time.perf_counter()
    search.fit(X, y)
    return search, time.perf_counter() - started


def median_of_seeds(**settings: int) -> tuple[float, float, list[ParetoSearch]]:
    fitted = [fit(ParetoSearch(**settings, random_state=seed)) for seed in SEEDS]
    volumes = [search.front_.hypervolume for search, _ in fitted]
    seconds = [spent for _, spent in fitted]
    return (
        float(np.median(volumes)),
        float(np.median(seconds)),
        [search for search, _ in fitted],
    )


def ready_made() -> dict[str, np.ndarray]:
    """Fit classical linear models in other ways and with other penalties than the search does."""
    Z, ranks = StandardScaler().fit_transform(X), y.to_numpy() - 1
    models = {
        f"proportional odds, {penalty:g}": fit_proportional_odds(Z, ranks, 5, penalty)[0]
        for penalty in (0.01, 0.5, 3.0, 30.0)
    }
    for penalty in (0.1, 1.0, 10.0, 100.0):
        models[f"ordinal ridge, {penalty:g}"] = Ridge(penalty).fit(Z, ranks).coef_
    for penalty in (0.0, 0.001, 0.01):
        models[f"LAD (median regression), {penalty:g}"] = (
            QuantileRegressor(alpha=penalty).fit(Z, ranks).coef_
        )
    for C in (0.1, 1.0):
        svr = LinearSVR(C=C, max_iter=1_000_000, random_state=1)
        models[f"LAD (support vectors), {C:g}"] = svr.fit(Z, ranks).coef_
    return {name: w / X.to_numpy().std(axis=0) for name, w in models.items()}


def outside(front: np.ndarray, models: dict[str, np.ndarray]) -> list[str]:
    """Name the models that no member of the front is at least as good as everywhere."""
    found = []
    codes = y.to_numpy() - 1
    for name, weights in models.items():
        for loss in ("zero_one", "absolute"):
            model = OrdinalLinearClassifier(weights, np.zeros(4), range(1, 6))
            score = model.decision_function(X.to_numpy())
            thresholds, _ = exact_thresholds(score, codes, cost_matrix(np.ones(5), loss))
            model = OrdinalLinearClassifier(weights, thresholds, range(1, 6))
            predicted = model.predict(X.to_numpy())
            values = [
                accuracy_score(y, predicted),
                1.0 - mean_absolute_error(y, predicted),
                *ranking_scores(y, score),
            ]
            if not (front >= np.array(values)).all(axis=1).any():
                found.append(f"{name}, {loss}")
    return found


def main() -> None:
    fit(ParetoSearch(n_iterations=2))
    fit(ParetoSearch.preset("waegeman2008", n_runs=1, n_iterations=2))
    paper, paper_seconds = fit(ParetoSearch.preset("waegeman2008", random_state=0))
    one_run, _ = fit(ParetoSearch.preset("waegeman2008", random_state=0, n_runs=1))
    volume, seconds, searches = median_of_seeds()
    long_volume, long_seconds, _ = median_of_seeds(n_iterations=505)
    models = ready_made()
    excluded = [
        name for s in searches for name in outside(s.front_.objectives.to_numpy(), models)
    ]
    rows = [
        ("default: volume", ">= 0.187", f"{volume:.4f}"),
        ("default: evaluations", "", f"{searches[0].n_evaluations_:,}"),
        ("default: seconds", f"< {paper_seconds / 20:.2f} (1/20)", f"{seconds:.2f}"),
        ("50,500 directions: volume", ">= 0.193", f"{long_volume:.4f}"),
        ("50,500 directions: seconds", "", f"{long_seconds:.2f}"),
        ("paper preset, 20 runs: volume", "", f"{paper.front_.hypervolume:.4f}"),
        ("paper preset, 20 runs: seconds", "", f"{paper_seconds:.2f}"),
        ("paper preset, 1 run: volume", "", f"{one_run.front_.hypervolume:.4f}"),
        ("ready-made models outside", "0", f"{len(excluded)} of {2 * len(models)} x 5"),
    ]
    print(f"{'figure':34}{'goal':>18}{'measured':>18}")
    for row in rows:
        print("{:34}{:>18}{:>18}".format(*row))
    for name in excluded:
        print("outside:", name)
    print()
    print_tables()


if __name__ == "__main__":
    main()
