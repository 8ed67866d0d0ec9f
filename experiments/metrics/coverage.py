"""Metrics that are shown at selection, beside those on many new draws of a known law.

    python experiments/metrics/coverage.py [--sizes 150,2000] [--draws 40]

Five classes of 50, 30, 15, 4 and 1 % follow proportional odds. A model is selected for each metric;
z is the distance of the figure that is shown from the true one, in its standard errors.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from sklearn.metrics import confusion_matrix

from moselect import ParetoSearch
from moselect.metrics import metric_named

SHARES = (0.5, 0.3, 0.15, 0.04, 0.01)
COEF = np.array([1.2, 1.0, 0.36])
METRICS = ("quadratic_kappa", "f1:3", "minimum_sensitivity", "maximum_mae")
N_NEW = 200_000


def latent(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    X = rng.normal(size=(n, len(COEF)))
    return X, X @ COEF + rng.logistic(size=n)


def draw(
    n: int, cuts: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw rows, with at least two of each class."""
    while True:
        X, score = latent(n, rng)
        y = np.searchsorted(cuts, score)
        if (np.bincount(y, minlength=len(SHARES)) >= 2).all():
            return X, y


def coverage(n: int, n_draws: int, candidate: str) -> None:
    """Print a line a metric."""
    cuts = np.quantile(latent(10**6, np.random.default_rng(0))[1], np.cumsum(SHARES)[:-1])
    new, truth = draw(N_NEW, cuts, np.random.default_rng(1))
    figures: dict[str, list[tuple[float, float, float]]] = {name: [] for name in METRICS}
    for seed in range(n_draws):
        search = ParetoSearch(n_iterations=2, n_particles=20, random_state=seed)
        search.fit(*draw(n, cuts, np.random.default_rng([seed, n])))
        for name in METRICS:
            model = search.select(metric=name, model=candidate)
            metric = metric_named(name, range(len(SHARES)))
            counts = confusion_matrix(truth, model.predict(new)).astype(float)
            shown = model.evidence.expected, model.evidence.expected_se
            figures[name].append((*shown, float(metric.value(metric.loss(counts)))))
    for name, rows in figures.items():
        shown, error, true = np.transpose(rows)
        z = (shown - true) / error
        print(
            f"{n:6} {name:20} shown {shown.mean():.3f} true {true.mean():.3f} "
            f"error {error.mean():.3f}  z: mean {z.mean():5.2f} sd {z.std():.2f}, "
            f"within 3: {(np.abs(z) <= 3.0).mean():.0%}",
            flush=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="150,2000")
    parser.add_argument("--draws", type=int, default=40)
    parser.add_argument("--candidate", default="proportional odds")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for size in options.sizes.split(","):
        coverage(int(size), options.draws, options.candidate)
