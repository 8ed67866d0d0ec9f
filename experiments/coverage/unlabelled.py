"""Class shares and costs that `check` estimates without labels, for rows of an unchanged law.

    python -m experiments.coverage.unlabelled [--models 10] [--model additive] [--seed 100]

Each model is selected on 600 rows, and estimates four tables of 600 rows each. Mean and standard
deviation of z = (estimate - truth) / standard error (.8 to 1.25 is asked for), and the share within
1.96; the truth comes from 100,000 rows. Tables of one model share its error.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
import pandas as pd

import moselect

ROWS = 600
TABLES = 4


def draw(n: int, rng: np.random.Generator) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw features, and classes that depend on two of them."""
    X = pd.DataFrame(rng.normal(size=(n, 4)), columns=list("abcd"))
    score = 1.2 * X["a"] + 0.7 * X["b"] + rng.logistic(size=n)
    return X, np.digitize(score, [-0.5, 1.5]) + 1


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--models", type=int, default=10)
    parser.add_argument("--model", default="proportional odds")
    parser.add_argument("--seed", type=int, default=100)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    z = []
    for seed in range(options.seed, options.seed + options.models):
        rng = np.random.default_rng(seed)
        X, y = draw(ROWS, rng)
        search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=seed)
        model = search.fit(X, y).select(class_costs=[1, 2, 5], model=options.model)
        X, y = draw(100_000, rng)
        predicted = np.asarray(model.predict(X), dtype=int)
        cost = np.array(model.reference.costs)[y - 1, predicted - 1].mean()
        true = [cost, *np.bincount(y, minlength=4)[1:] / len(y)]
        for _ in range(TABLES):
            found = moselect.check(model, draw(ROWS, rng)[0])
            shares = found.class_shares
            estimates = np.array([found.cost, *shares["now"]])
            z.append((estimates - true) / [found.error, *shares["std_error"]])
    names = ["cost", "share of 1", "share of 2", "share of 3"]
    table = pd.DataFrame(z, columns=names).dropna()
    within = (table.abs() < 1.96).mean()
    figures = {"mean": table.mean(), "sd": table.std(ddof=0), "within 1.96": within}
    print(pd.DataFrame(figures).round(2).to_string())
    print(f"no estimate in {len(z) - len(table)} of {len(z)} tables")


if __name__ == "__main__":
    main()
