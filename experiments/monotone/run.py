"""Known directions of columns: whether every candidate keeps them, and what that costs.

python -m experiments.monotone.run [SET ...]
"""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import skordinal.datasets
from sklearn import datasets

import moselect

HERE = Path(__file__).parent
N_ROWS, N_GRID = 10_000, 30
MEMBERS = 20  # of the front, whose predictions are followed
CANDIDATES = (
    "scorecard",
    "linear",
    "additive",
    "ensemble",
    "proportional odds",
    "best member",
)
SEED = 1


def load(name: str) -> tuple[pd.DataFrame, pd.Series, dict[str, int]]:
    """Return a table, its classes, and directions known from what the columns mean."""
    if name == "boston":
        X, y = moselect.datasets.load_boston()
        return X, y, {"RM": 1, "LSTAT": -1}
    if name == "diabetes":  # progression in fifths rises with body mass, pressure, s5
        X, y = datasets.load_diabetes(return_X_y=True, as_frame=True)
        return X, pd.qcut(y, 5, labels=False), {"bmi": 1, "bp": 1, "s5": 1}
    values, y = getattr(skordinal.datasets, f"load_{name}")(return_X_y=True)
    X = pd.DataFrame(values).add_prefix("in")
    y = pd.Series(np.unique(y, return_inverse=True)[1])
    few = y.value_counts()[lambda counts: counts < 10].index
    kept = ~y.isin(few)
    return X[kept].reset_index(drop=True), y[kept], dict.fromkeys(X, 1)


def violations(model, X: pd.DataFrame, monotone: dict[str, int]) -> tuple[float, float]:
    """Return how far P(y > k) and ranks, and classes, move the wrong way, at most."""
    rows = X.sample(N_ROWS, replace=True, random_state=0).reset_index(drop=True)
    worst = np.zeros(2)
    for name, sign in monotone.items():
        before = None
        for value in np.linspace(X[name].min(), X[name].max(), N_GRID):
            moved = rows.assign(**{name: value})
            score = model.decision_function(moved)[:, None]
            smooth = [score]
            if not hasattr(model, "coef_") or model.calibration is not None:
                above = model.predict_proba(moved)[:, :0:-1].cumsum(axis=1)
                smooth = [above, above.sum(axis=1, keepdims=True)]
            classes = np.searchsorted(model.classes_, model.predict(moved))
            now = np.hstack(smooth), classes
            if before is not None:
                moves = (sign * (b - a) for b, a in zip(before, now, strict=True))
                worst = np.maximum(worst, [float(move.max()) for move in moves])
            before = now
    return worst[0], worst[1]


def examine(name: str) -> list[dict]:
    """Search and select with and without directions; return a row a candidate."""
    X, y, monotone = load(name)
    found, seconds = [], []
    for directions in (None, monotone):
        search = moselect.ParetoSearch(monotone=directions, random_state=SEED).fit(X, y)
        started = time.perf_counter()
        model = search.select()
        seconds.append(time.perf_counter() - started)
        found.append((search, model.evidence))
    (free, loose), (bound, kept) = found
    signs = np.array([monotone.get(column, 0) for column in X])
    keeping = np.flatnonzero((free.front_.weights * signs >= 0.0).all(axis=1))
    volumes = [
        free.front_.take(keeping).hypervolume if len(keeping) else 0.0,
        bound.front_.hypervolume,
    ]
    rows = []
    costs = moselect.costs.Costs(np.ones(len(np.unique(y))))
    losses = []
    for each, _ in found:
        evaluations = each.selector_.select(costs, "ensemble").evidence.evaluations
        losses.append({name: one.cv_loss[0] for name, one in evaluations.items()})
    for candidate in CANDIDATES:
        model = bound.selector_.select(costs, candidate)
        smooth, classes = violations(model, X, monotone)
        ratio = np.nan
        if all(candidate in loss for loss in losses):
            ratio = losses[1][candidate] / losses[0][candidate]
        rows.append(
            {"set": name, "candidate": candidate, "P(y > k)": smooth, "class": classes}
            | {"cost beside free": ratio}
        )
    members = np.linspace(0, len(bound.front_) - 1, MEMBERS).astype(int)
    worst = [violations(bound.front_[k], X, monotone) for k in members.tolist()]
    smooth, classes = np.max(worst, axis=0)
    rows.append({"set": name, "candidate": "front", "P(y > k)": smooth, "class": classes})
    rows[-1] |= {"hypervolume": volumes[1], "of free members that keep": volumes[0]}
    rows[-1] |= {"select, s": seconds[1], "free, s": seconds[0]}
    print(f"{name}: selected {kept.selected} {kept.expected:.4f}, free {loose.selected} "
          f"{loose.expected:.4f}", file=sys.stderr)  # fmt: skip
    return rows


def main(names: list[str]) -> None:
    """Print the table, and write it."""
    warnings.simplefilter("ignore")
    rows = [
        row
        for name in names or ["diabetes", "boston", "esl", "lev", "swd"]
        for row in examine(name)
    ]
    table = pd.DataFrame(rows)
    print(table.to_string(index=False, na_rep="", float_format=lambda v: f"{v:.4g}"))
    if not names:
        table.to_csv(HERE / "results.csv", index=False, float_format="%.6g")


if __name__ == "__main__":
    main(sys.argv[1:])
