"""The experiments on VUS: their own measures against oracles, and a small run judged."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise, product
from math import factorial

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau, multivariate_normal, norm
from sklearn.metrics import roc_auc_score

from moselect import ParetoSearch, datasets

pytest.importorskip(
    "skordinal", reason="skordinal, which ranks figure 1, is not installed"
)

from experiments import verdicts
from experiments.catalogue import HERE
from experiments.waegeman2008.figures_1_2 import (
    fit_ranking,
    integrate_surface,
    make_clusters,
)
from experiments.waegeman2008.figures_3_to_5 import exact_values
from experiments.waegeman2008.trade_offs import comonotone, measure_trade_offs

FOLDER = HERE / "waegeman2008"


@pytest.mark.parametrize("r", [2, 3, 4, 5])
@pytest.mark.parametrize("distance", [0.0, 0.7, 3.0])
def test_exact_values_are_normal_probabilities(r, distance):
    vus, u_cons, u_ovo, u_pairs = exact_values(r, distance)
    # The scores are in order if all steps between neighbours, jointly normal, are positive.
    steps = 2.0 * np.eye(r - 1) - np.eye(r - 1, k=1) - np.eye(r - 1, k=-1)
    in_order = multivariate_normal.cdf(
        np.full(r - 1, distance), cov=steps, abseps=1e-5, rng=np.random.default_rng(0)
    )
    assert vus == pytest.approx(in_order, abs=5e-5)

    def auc(low, high):
        return np.mean(
            [norm.cdf((b - a) * distance / np.sqrt(2)) for a, b in product(low, high)]
        )

    splits = [auc(range(k), range(k, r)) for k in range(1, r)]
    assert u_cons == pytest.approx(np.mean(splits))
    pairs = [auc([a], [b]) for a in range(r) for b in range(a + 1, r)]
    assert u_ovo == pytest.approx(np.mean(pairs))
    assert u_pairs == u_ovo
    if distance == 0.0:
        assert vus == pytest.approx(1.0 / factorial(r), abs=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_volume_under_the_surface_is_the_integral_of_its_height(seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 2, 3], [4, 3, 5])
    scores = rng.integers(0, 9, len(y)).astype(float)  # with ties
    cuts = [-1.0, *np.unique(scores)]
    rates = np.array(
        [
            [np.mean(s <= a), np.mean((t > a) & (t <= b)), np.mean(u > b)]
            for a, b in product(cuts, cuts)
            if a <= b
            for s, t, u in [[scores[y == k] for k in (1, 2, 3)]]
        ]
    )
    heights = [
        max((z for x, v, z in rates if x >= s - 1e-9 and v >= t - 1e-9), default=0.0)
        for s in np.arange(1, 5) / 4
        for t in np.arange(1, 4) / 3
    ]
    assert integrate_surface(y, scores) == pytest.approx(np.mean(heights))


def test_the_direction_of_the_ranking_is_that_of_its_scores():
    X, y = make_clusters(3)
    scores, predicted, direction = fit_ranking(X, y)
    assert np.corrcoef(X @ direction, scores)[0, 1] == pytest.approx(1.0)
    assert all(
        scores[predicted == low].max() <= scores[predicted == high].min()
        for low, high in pairwise((1, 2, 3))
    )


def test_comonotone_measures_order_alike_ties_included():
    assert comonotone([0.1, 0.3, 0.3, 0.7], [5, 6, 6, 9])
    assert not comonotone([0.1, 0.2, 0.3, 0.7], [5, 6, 6, 9])
    assert not comonotone([0.1, 0.3, 0.2], [5, 6, 7])


@pytest.fixture(scope="module")
def boston():
    X, y = datasets.load_boston()
    front = ParetoSearch(n_iterations=5, cv=None, random_state=3).fit(X, y).front_
    return X, y, front, measure_trade_offs(front, X, y)


def test_trade_offs_of_a_front(boston):
    X, y, front, numbers = boston
    values = front.objectives
    tau = {a: kendalltau(values["vus"], values[a]).statistic for a in values}
    assert numbers["tau of VUS: U ovo less U pairs"] == pytest.approx(
        tau["u_ovo"] - tau["u_pairs"]
    )
    top = values["accuracy"].max()
    kept = values.loc[values["vus"].idxmax(), "accuracy"]
    gain = top - np.mean(y == 1)  # over that of the largest class
    assert numbers["accuracy lost at best VUS"] == pytest.approx((top - kept) / gain)
    # On a front with exact thresholds, solving them again finds nothing better.
    lost = "accuracy lost at best VUS, thresholds solved"
    assert numbers[lost] == pytest.approx(numbers["accuracy lost at best VUS"])
    # all objects in the highest class
    low = replace(front, thresholds=front.thresholds - 1e6)
    assert measure_trade_offs(low, X, y)[lost] == pytest.approx(numbers[lost])


def test_share_of_models_on_the_fronts_of_pairs(boston, dominated):
    _, _, front, numbers = boston
    shares = []
    for names in product(
        ("accuracy", "one_minus_mae"), ("vus", "u_cons", "u_ovo", "u_pairs")
    ):
        points = front.objectives[list(names)].to_numpy()
        shares.append(1.0 - dominated(points, points).mean())
    assert numbers["share on the fronts of pairs"] == pytest.approx(np.mean(shares))


def test_classes_that_the_best_models_favour(boston):
    X, y, front, numbers = boston
    for low, high in ((1, 2), (4, 5)):
        two = y.isin([low, high])
        best = {
            name: front[int(front.objectives[name].idxmax())].decision_function(X[two])
            for name in ("vus", "u_pairs")
        }
        auc = {
            name: roc_auc_score(y[two] == high, scores) for name, scores in best.items()
        }
        key = f"AUC of {low}, {high}: best U pairs less best VUS"
        assert numbers[key] == pytest.approx(auc["u_pairs"] - auc["vus"])


@pytest.mark.slow
def test_a_small_run_draws_every_figure_of_the_page(quick):
    _, folder = quick("waegeman2008")
    drawn = {path.name for path in folder.glob("*.png")}
    assert drawn == set(
        re.findall(r"\]\((\w+\.png)\)", (FOLDER / "README.md").read_text())
    )
    searches = pd.read_csv(folder / "searches.csv")
    assert (searches.loc[searches["search"] == "default", "evaluations"] == 12_000).all()


@pytest.mark.slow
def test_a_small_run_agrees_or_the_table_says_why_not(quick):
    judged, _ = quick("waegeman2008")
    differs = judged[judged["verdict"] == verdicts.DIFFERS]
    assert (differs["note"] != "").all(), differs[["paper", "here"]]
    assert (judged["verdict"] == verdicts.AGREES).sum() > 40
