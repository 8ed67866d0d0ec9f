"""How often a limit that is called met holds on new rows, by simulation from five laws.

    python -m experiments.coverage.limits_met [--tables 200] [--candidates scorecard,additive]
    [--jobs 2] [--confidence 0.9]

Each table has 300 to 1,200 rows of one of the laws in turn. `select` is asked for a limit of .05
to .4 of a mistake at a boundary in either direction, by each candidate. Of those that are
reported as met it is printed how often the share of mistakes on 20,000 further rows is at most
the limit.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from moselect import ParetoSearch

N_NEW = 20_000
CANDIDATES = ("scorecard", "linear", "additive", "ensemble")
LAWS = ("linear", "curved", "products", "categories", "rare")


def draw(law: str, n: int, rng: np.random.Generator) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw rows and their classes, 1 to 3 or 1 to 5."""
    X = pd.DataFrame(rng.normal(size=(n, 5)), columns=list("abcde"))
    score = X["a"] + 0.6 * X["b"]
    if law == "curved":
        score = np.sin(2.0 * X["a"]) * 1.5 + np.abs(X["b"])
    elif law == "products":
        score = X["a"] * X["b"] + X["c"]
    elif law == "categories":
        X["kind"] = rng.choice(list("uvwxyz"), n)
        score = score + X["kind"].map(
            dict(zip("uvwxyz", [0, 1, -1, 2, 0, 0.5], strict=True))
        )
    cuts = (
        [0.5, 1.5, 2.6]
        if law == "rare"
        else [-0.8, 0.4, 1.2, 2.0]
        if law == "linear"
        else [0, 1.4]
    )
    return X, 1 + np.digitize(score + 0.7 * rng.logistic(size=n), cuts)


def simulate(
    table: int, seed: int, candidates: list[str], confidence: float
) -> list[dict[str, object]]:
    """Return for one table each limit that is called met, and whether it holds."""
    warnings.simplefilter("ignore")
    rng, law = np.random.default_rng([seed, table]), LAWS[table % len(LAWS)]
    X, y = draw(law, int(rng.integers(300, 1_200)), rng)
    new, truth = draw(law, N_NEW, rng)
    r = int(y.max())
    border, upwards = int(rng.integers(2, r + 1)), bool(rng.random() < 0.5)
    words = f"{border}<{border}" if upwards else f"{border - 1}>{border - 1}"
    search = ParetoSearch(n_iterations=3, cv=None, random_state=table, n_jobs=1).fit(X, y)
    found = []
    for most in (0.05, 0.1, 0.2, 0.4):
        for candidate in candidates:
            limits = {words: most}
            costs = np.exp(rng.normal(size=r))
            try:
                model = search.select(
                    costs, model=candidate, limits=limits, confidence=confidence
                )
            except ValueError:  # too few rows to show it
                continue
            (limit,) = model.evidence.limits
            if not limit.met:
                continue
            said = model.predict(new)
            wrong = said < border if upwards else said >= border
            share = np.mean(wrong[truth >= border if upwards else truth < border])
            holds = bool(share <= most)
            found.append(
                {"law": law, "candidate": candidate, "limit": most, "holds": holds}
            )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--candidates", default=",".join(CANDIDATES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--confidence", type=float, default=0.9)
    options = parser.parse_args()
    parts = Parallel(options.jobs)(
        delayed(simulate)(
            table, options.seed, options.candidates.split(","), options.confidence
        )
        for table in range(options.tables)
    )
    found = pd.DataFrame([row for part in parts for row in part])
    for by in ("law", "candidate", "limit"):
        print(found.groupby(by)["holds"].agg(["mean", "size"]).round(3).to_string())
    print(
        f"all: {found['holds'].mean():.3f} of {len(found)} limits that are called met hold"
    )


if __name__ == "__main__":
    main()
