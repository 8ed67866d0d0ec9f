"""The experiments on VUS: their measures against oracles, and a small run."""

from itertools import combinations, combinations_with_replacement, product
from math import factorial

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal, norm

pytest.importorskip(
    "skordinal", reason="skordinal, which ranks figure 1, is not installed"
)

from experiments.waegeman2008.figures_1_2 import integrate_surface
from experiments.waegeman2008.figures_3_to_5 import exact_values


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

    def auc(pairs):
        return np.mean([norm.cdf((b - a) * distance / np.sqrt(2)) for a, b in pairs])

    splits = [auc(product(range(k), range(k, r))) for k in range(1, r)]
    assert u_cons == pytest.approx(np.mean(splits))
    assert u_ovo == u_pairs == pytest.approx(auc(combinations(range(r), 2)))
    if distance == 0.0:
        assert vus == pytest.approx(1.0 / factorial(r), abs=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_volume_under_the_surface_is_the_integral_of_its_height(seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 2, 3], [4, 3, 5])
    scores = rng.integers(0, 9, len(y)).astype(float)  # with ties
    thresholds = [-1.0, *np.unique(scores)]
    s, t, u = (scores[y == k] for k in (1, 2, 3))
    rates = [
        (np.mean(s <= a), np.mean((t > a) & (t <= b)), np.mean(u > b))
        for a, b in combinations_with_replacement(thresholds, 2)
    ]
    heights = [
        max(
            (z for x, v, z in rates if x >= i / 4 - 1e-9 and v >= j / 3 - 1e-9),
            default=0.0,
        )
        for i, j in product(range(1, 5), range(1, 4))
    ]
    assert integrate_surface(y, scores) == pytest.approx(np.mean(heights))


@pytest.mark.slow
def test_default_searches_have_their_number_of_evaluations(quick):
    searches = pd.read_csv(quick("waegeman2008")[1] / "searches.csv")
    assert (searches.loc[searches["search"] == "default", "evaluations"] == 12_000).all()
