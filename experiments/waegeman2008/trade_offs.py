"""How the objectives of a front go together, and which classes its best models favour."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
from moocore import is_nondominated
from numpy.typing import ArrayLike
from sklearn.metrics import recall_score

from moselect import Front, costs, metrics

PREDICTING = ("accuracy", "one_minus_mae")
RANKING = ("vus", "u_cons", "u_ovo", "u_pairs")
CROSSED = tuple(product(PREDICTING, RANKING))


def comonotone(a: ArrayLike, b: ArrayLike) -> bool:
    """Tell whether two measures order all models alike, ties included (eq. 20 and 21)."""
    ranks = pd.DataFrame({"a": a, "b": b}).rank(method="dense")
    return bool((ranks["a"] == ranks["b"]).all())


def measure_trade_offs(front: Front, X: pd.DataFrame, y: pd.Series) -> dict[str, float]:
    """Give the numbers that decide the claims about figure 8, of one front."""
    values = front.objectives
    tau = values.corr(method="kendall")
    tau_crossed = np.mean([tau.loc[pair] for pair in CROSSED])
    tau_ranking = np.mean([tau.loc[pair] for pair in combinations(RANKING, 2)])
    loss_crossed = np.mean(
        [_loss(front, *pair) + _loss(front, *pair[::-1]) for pair in CROSSED]
    )
    loss_ranking = np.mean([_loss(front, *pair) for pair in permutations(RANKING, 2)])
    on_fronts = [
        is_nondominated(values[list(pair)], maximise=True, keep_weakly=True).mean()
        for pair in CROSSED
    ]
    return {
        "comonotone pairs": sum(
            comonotone(values[a], values[b]) for a, b in combinations(values, 2)
        ),
        "share on the fronts of pairs": np.mean(on_fronts),
        "accuracy lost at best VUS": _loss(front, "accuracy", "vus"),
        "VUS lost at best accuracy": _loss(front, "vus", "accuracy"),
        "loss between less loss within": loss_crossed / 2.0 - loss_ranking,
        "tau within less tau between": tau_ranking - tau_crossed,
        "tau of VUS: U cons less U pairs": tau.loc["vus", "u_cons"]
        - tau.loc["vus", "u_pairs"],
        "tau of VUS: U ovo less U pairs": tau.loc["vus", "u_ovo"]
        - tau.loc["vus", "u_pairs"],
        "U ovo from U pairs": (values["u_ovo"] - values["u_pairs"]).abs().max(),
        "accuracy lost at best VUS, thresholds solved": _loss_when_solved(front, X, y),
    } | _favoured_classes(front, X, y)


def _loss(front: Front, objective: str, best: str) -> float:
    """Give what the models best in one objective lack in another, as share of its best gain.

    Gain is over chance; of several models that are best, the one that lacks least counts.
    """
    values = front.objectives[objective]
    kept = values.iloc[_best(front, best, objective)]
    return float((values.max() - kept) / (values.max() - front.chance[objective]))


def _loss_when_solved(front: Front, X: pd.DataFrame, y: pd.Series) -> float:
    """Give what the direction of best VUS lacks in accuracy with thresholds that are best for it.

    As `_loss`; below 0 if it then has more accuracy than any model of the front.
    """
    scores = front[_best(front, "vus", "accuracy")].decision_function(X)
    errors = 1.0 - np.eye(len(front.classes))
    _, error = costs.exact_thresholds(scores, np.searchsorted(front.classes, y), errors)
    top = front.objectives["accuracy"].max()
    return float((top - (1.0 - error)) / (top - front.chance["accuracy"]))


def _best(front: Front, objective: str, second: str) -> int:
    """Give the place of the best model, the best in a second objective if several are best."""
    values = front.objectives
    return int(np.lexsort([values[second], values[objective]])[-1])


def _favoured_classes(front: Front, X: pd.DataFrame, y: pd.Series) -> dict[str, float]:
    """Compare how well the best models tell apart the largest and the smallest classes."""
    models = {
        name: front[_best(front, name, "vus")] for name in ("vus", "u_pairs", "accuracy")
    }
    auc = {
        name: metrics.pairwise_auc_matrix(y, model.decision_function(X))
        for name, model in models.items()
    }
    pairs, accuracy = auc["u_pairs"] - auc["vus"], auc["accuracy"] - auc["vus"]
    recall = recall_score(y, models["accuracy"].predict(X), average=None)
    return {
        "AUC of 1, 2: best U pairs less best VUS": pairs[0, 1],
        "AUC of 4, 5: best U pairs less best VUS": pairs[3, 4],
        "AUC of 1, 2: best accuracy less best VUS": accuracy[0, 1],
        "AUC of 4, 5: best accuracy less best VUS": accuracy[3, 4],
        "recall of 1, 2 less recall of 4, 5": recall[:2].mean() - recall[3:].mean(),
    }
