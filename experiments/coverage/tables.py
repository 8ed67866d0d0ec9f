"""Cross-validated figures on large tables with a rare class, with weights, groups or times.

    python experiments/coverage/tables.py [--only "20,000 rows, 1 %"] [--tables 1] [--seed 1]

Tables are drawn from known laws. After each search the figures of the front, of every candidate, of
the baselines and of a limited model are compared with those of the same models on 300,000 new
rows, and 20,000 more of each rare class, which count by the known class shares.
Printed for each setting and type of figure: how many there are, mean and standard deviation of z
= (shown - true) / standard error, and the share within three of them. Of "handed over, beside
always one class", true is what the model costs, and shown what one class does.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from moselect import ParetoSearch, cost_matrix
from moselect.metrics import accuracy_score, mean_absolute_error, ranking_scores

N_NEW, N_RARE = 300_000, 20_000
EFFECTS = np.array([1.0, 0.5, 0.0])
GROUP = 10  # rows of a group
TRIVIAL = "always one class"
CANDIDATES = ("scorecard", "linear", "additive", "ensemble", "proportional odds")


@dataclass(frozen=True)
class Setting:
    """A law of tables, and the costs of its classes."""

    n: int
    shares: tuple[float, ...]
    class_costs: tuple[float, ...]
    rows_as: str = "they are"


RARE = {
    "1 %": ((0.97, 0.01, 0.01, 0.01), (1.0, 1.0, 1.0, 20.0)),
    ".0001": ((0.7, 0.2999, 0.0001), (1.0, 1.0, 1000.0)),
}
SETTINGS = {
    f"{n:,} rows, {name}": Setting(n, *law)
    for n in (20_000, 60_000, 400_000)
    for name, law in RARE.items()
} | {
    f"600 rows, {rows_as}": Setting(600, (0.6, 0.25, 0.15), (1.0, 1.0, 5.0), rows_as)
    for rows_as in ("weights", "groups", "times")
}


def draw(
    n: int, rng: np.random.Generator, group: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Draw features (n, 3) and the latent score (n,); rows of a group are nearly equal."""
    rows = np.arange(n) // group
    X = rng.normal(size=(n, 3))
    noise = rng.logistic(size=n)
    if group > 1:
        X = np.sqrt(0.9) * rng.normal(size=X.shape)[rows] + np.sqrt(0.1) * X
        noise = rng.logistic(size=n)[rows] + 0.3 * rng.normal(size=n)
    return X, X @ EFFECTS + noise


class Law:
    """The classes of one setting: new rows by class, and tables to learn from."""

    def __init__(self, setting: Setting, rng: np.random.Generator) -> None:
        self.setting, self.shares = setting, np.array(setting.shares)
        highest = len(self.shares) - 1
        self.limit = {f"{highest}<{highest}": 0.5}  # of the highest class, called lower
        self.group = GROUP if setting.rows_as == "groups" else 1
        many = draw(4_000_000, rng, self.group)[1]
        self.cuts = np.quantile(many, np.cumsum(self.shares)[:-1])
        X, y = self._classes(N_NEW, rng)
        parts_X, parts_y = [X], [y]
        while True:
            y = np.concatenate(parts_y)
            short = np.flatnonzero(np.bincount(y, minlength=len(self.shares)) < N_RARE)
            if len(short) == 0:
                break
            more_X, more_y = self._classes(2_000_000, rng)
            kept = np.isin(more_y, short)
            parts_X.append(more_X[kept])
            parts_y.append(more_y[kept])
        self.X, self.y = np.concatenate(parts_X), y
        self.weights = (self.shares / np.bincount(y))[y] * len(y)

    def _classes(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        X, latent = draw(n, rng, self.group)
        return X, np.digitize(latent, self.cuts)

    def table(
        self, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, dict[str, object]]:
        """Draw a table, and what `ParetoSearch.fit` takes with it."""
        n, rows_as = self.setting.n, self.setting.rows_as
        if (
            rows_as == "weights"
        ):  # of a survey that asked one in four where the first is above 0
            X, y = self._classes(4 * n, rng)
            share = np.where(X[:, 0] > 0.0, 0.25, 1.0) * rng.uniform(
                0.5, 1.0, size=len(X)
            )
            criteria = np.flatnonzero(rng.uniform(size=len(X)) < share)[:n]
            return X[criteria], y[criteria], {"sample_weight": 1.0 / share[criteria]}
        X, y = self._classes(n, rng)
        if rows_as == "groups":
            return X, y, {"groups": np.arange(n) // GROUP}
        return X, y, {"times": np.arange(n)} if rows_as == "times" else {}


def figures_of(law: Law, seed: int) -> Iterator[tuple[str, float, float, float]]:
    """Yield what figures of one table are of, what is shown, its standard error, the truth."""
    X, y, options = law.table(np.random.default_rng(seed))
    stated, weights = law.setting.class_costs, law.weights
    costs = cost_matrix(stated)
    search = ParetoSearch(random_state=seed).fit(X, y, **options)
    new = {"sample_weight": weights}

    def cost_of(predicted: np.ndarray) -> float:
        return float(np.average(costs[law.y, predicted], weights=weights))

    front = search.front_
    members = {
        *range(0, len(front), 40),
        *front.expected.to_numpy().argmax(axis=0).tolist(),
    }
    for i in sorted(members):
        predicted = front[i].predict(law.X)
        true = [
            accuracy_score(law.y, predicted, **new),
            1.0 - mean_absolute_error(law.y, predicted, **new),
            *ranking_scores(law.y, law.X @ front.weights[i], **new),
        ]
        for name, value in zip(front.expected, true, strict=True):
            yield (
                f"front, {name}",
                front.expected[name].iloc[i],
                front.expected_se[name].iloc[i],
                value,
            )

    for candidate in CANDIDATES:
        model = search.select(stated, model=candidate)
        yield (
            candidate,
            *model.evidence.chosen.figure(),
            cost_of(model.predict(law.X)),
        )

    model = search.select(stated, limits=law.limit)
    (limit,) = model.evidence.limits
    predicted, highest = model.predict(law.X), law.y == len(costs) - 1
    yield (
        "limit",
        limit.share,
        limit.std_error,
        float((predicted < len(costs) - 1)[highest].mean()),
    )

    model = search.select(stated)
    evidence = model.evidence
    always = min(cost_of(np.full_like(law.y, k)) for k in range(len(costs)))
    yield TRIVIAL, *evidence.evaluations[TRIVIAL].figure(), always
    _, error = evidence.chosen.figure()
    yield (
        "handed over, beside always one class",
        always,
        error,
        cost_of(model.predict(law.X)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=SETTINGS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for name, setting in SETTINGS.items():
        if options.only in (None, name):
            law = Law(setting, np.random.default_rng(0))
            seeds = range(1000 * options.seed, 1000 * options.seed + options.tables)
            rows = [figure for seed in seeds for figure in figures_of(law, seed)]
            found = pd.DataFrame(rows, columns=["figure", "shown", "error", "true"])
            found["z"] = (found["shown"] - found["true"]) / found["error"]
            by = found.groupby("figure", sort=False)
            table = by[["shown", "error", "true"]].mean()
            table["figures"], table["mean z"], table["sd of z"] = (
                by.size(),
                by["z"].mean(),
                by["z"].std(),
            )
            table["within 3"] = by["z"].apply(lambda z: (z.abs() <= 3.0).mean())
            print(
                f"{name}, {options.tables} tables",
                table.round(4).to_string(),
                sep="\n",
                end="\n\n",
                flush=True,
            )


if __name__ == "__main__":
    main()
