"""Coverage of the intervals of `prediction_inference`, by confusion matrices of known laws.

    python -m experiments.coverage.predicted_classes [--draws 200] [--seed 3] [--write]

Rows are drawn at random, so that the sizes of the classes vary. Laws have 2 to 20 classes of 10 to
300 samples on average, accuracies of 70, 90 and 99 %, and errors by one class or with a geometric
distribution; in further laws a class is hardly ever predicted. Of each measure the coverage of
95 % intervals (.92 to .97 is asked for): its mean over the laws, and quantiles.
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from moselect.inference import prediction_inference

EXPECTED = Path(__file__).with_name("predicted_classes.csv")
SIZES = {
    "2 x 10": (10,) * 2,
    "2 x 300": (300,) * 2,
    "3 x 30": (30,) * 3,
    "300, 60, 10": (300, 60, 10),
    "5 x 20": (20,) * 5,
    "5 x 100": (100,) * 5,
    "10 x 10": (10,) * 10,
    "10 x 30": (30,) * 10,
    "20 x 10": (10,) * 20,
    "20 x 100": (100,) * 20,
}
ACCURACIES = (0.7, 0.9, 0.99)
FARTHER = (0.0, 0.5)  # probability that an error is off by one class more


def law_of(n_classes: int, accuracy: float, farther: float) -> np.ndarray:
    """Return the share (r, r) of each class that is predicted as each class."""
    ranks = np.arange(n_classes)
    distance = np.abs(np.subtract.outer(ranks, ranks))
    wrong = np.where(distance > 0, farther ** np.maximum(distance - 1.0, 0.0), 0.0)
    wrong /= wrong.sum(axis=1, keepdims=True)
    return (1.0 - accuracy) * wrong + accuracy * np.eye(n_classes)


def rarely_predicted() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return mean sizes (r,) of classes, and laws that hardly ever predict some of them."""
    stars = np.array([0.04, 0.06, 0.1, 0.2, 0.6])
    # The two lowest of five stars are hardly ever predicted.
    of_stars = 0.6 * np.eye(5) + 0.4 * np.array([0.01, 0.02, 0.12, 0.25, 0.6])
    of_stars[:2] = [0.05, 0.05, 0.3, 0.3, 0.3]
    never = law_of(4, 0.95, 0.5)
    never[:, 2] += never[:, 3]
    never[:, 3] = 0.0
    constant = np.tile([0.0, 1.0, 0.0, 0.0], (4, 1))
    sizes = 200 * np.array([0.3, 0.3, 0.2, 0.2])
    return {
        "5 stars, 300 rows": (300 * stars, of_stars),
        "top of 4 classes never predicted, 200 rows": (sizes, never),
        "always one of 4 classes, 200 rows": (sizes, constant),
    }


def costs_of(n_classes: int) -> np.ndarray:
    """Return costs (r, r) of 2 a class that is predicted too low, and of 1 if too high."""
    excess = np.subtract.outer(np.arange(n_classes), np.arange(n_classes))
    return np.maximum(2.0 * excess, 0.0) + (excess < 0)


def measures_of(law: np.ndarray, sizes: np.ndarray) -> pd.Series:
    """Return the expectation of each measure under a law of predictions."""
    ranks = np.arange(len(law))
    distance = np.abs(np.subtract.outer(ranks, ranks))
    cells = law * (sizes / sizes.sum())[:, np.newaxis]
    by_chance = cells.sum(axis=1) @ distance @ cells.sum(axis=0)
    return pd.Series(
        {
            "accuracy": np.trace(cells),
            "mean_absolute_error": (cells * distance).sum(),
            "macro_mean_absolute_error": (law * distance).sum() / len(law),
            "minimum_sensitivity": np.diag(law).min(),
            "linear_kappa": 1.0 - (cells * distance).sum() / by_chance,
            "expected_cost": (cells * costs_of(len(law))).sum(),
        }
    )


def coverage(
    sizes: np.ndarray, law: np.ndarray, n_draws: int, rng: np.random.Generator
) -> pd.Series:
    """Return the share of 95 % intervals that hold the expectation of each measure."""
    r = len(sizes)
    true = measures_of(law, sizes)
    answers = np.divmod(np.arange(r * r), r)
    n = round(sizes.sum())
    shares = (law * (sizes / n)[:, np.newaxis]).ravel()
    held = []
    for _ in range(n_draws):
        table = prediction_inference(
            *answers,
            sample_weight=rng.multinomial(n, shares),
            weight_type="counts",
            cost_matrix=costs_of(r),
        ).loc[true.index]
        held.append((table["lower"] <= true) & (true <= table["upper"]))
    return pd.DataFrame(held).mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--write", action="store_true", help=f"to {EXPECTED.name}, too")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    rows = {
        (name, accuracy, farther): coverage(
            np.array(SIZES[name]),
            law_of(len(SIZES[name]), accuracy, farther),
            options.draws,
            rng,
        )
        for name, accuracy, farther in product(SIZES, ACCURACIES, FARTHER)
    }
    table = pd.DataFrame(rows).T.rename_axis(["classes", "accuracy", "farther"])
    rare = {
        name: coverage(*law, options.draws, rng)
        for name, law in rarely_predicted().items()
    }
    print(pd.DataFrame(rare).T.round(3).to_string(), end="\n\n")
    of_laws = table.quantile([0.05, 0.25, 0.5, 0.75, 0.95]).T
    of_laws.insert(0, "mean", table.mean())
    print(of_laws.round(3).to_string())
    if options.write:
        table.round(4).to_csv(EXPECTED)


if __name__ == "__main__":
    main()
