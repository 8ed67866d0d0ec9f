"""The experiments on VUS: their measures against oracles, and a small run."""

import re
from itertools import product
from math import factorial

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal, norm

pytest.importorskip(
    "skordinal", reason="skordinal, which ranks figure 1, is not installed"
)

from experiments.catalogue import HERE
from experiments.waegeman2008.figures_1_2 import (
    integrate_surface,
)
from experiments.waegeman2008.figures_3_to_5 import exact_values

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
    thresholds = [-1.0, *np.unique(scores)]
    rates = np.array(
        [
            [np.mean(s <= a), np.mean((t > a) & (t <= b)), np.mean(u > b)]
            for a, b in product(thresholds, thresholds)
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


@pytest.mark.slow
def test_a_small_run_draws_every_figure_of_the_page(quick):
    _, folder = quick("waegeman2008")
    drawn = {path.name for path in folder.glob("*.png")}
    assert drawn == set(
        re.findall(r"\]\((\w+\.png)\)", (FOLDER / "README.md").read_text())
    )
    searches = pd.read_csv(folder / "searches.csv")
    assert (searches.loc[searches["search"] == "default", "evaluations"] == 12_000).all()
