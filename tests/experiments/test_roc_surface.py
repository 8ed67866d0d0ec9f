"""The ROC surface: eq. (9) at its thresholds, theorem 3.1 for its volume."""

import itertools

import numpy as np
import pytest
from moocore import hypervolume

from experiments.waegeman2008.roc_surface import roc_surface
from moselect.metrics import vus_score


def rates_at(codes, scores, weights, thresholds):
    """True positive rates by eq. (9)."""
    edges = [-np.inf, *thresholds, np.inf]
    return [
        weights[(codes == k) & (edges[k] < scores) & (scores <= edges[k + 1])].sum()
        / weights[codes == k].sum()
        for k in range(len(edges) - 1)
    ]


@pytest.fixture(params=[(2, 1), (3, 1), (3, 9), (4, 9)], ids=lambda p: f"{p[0]}-{p[1]}")
def sample(request):
    """Classes 0 .. r - 1 with scores of some digits (few: ties) and weights."""
    r, digits = request.param
    rng = np.random.default_rng(r)
    codes = np.concatenate([np.arange(r), rng.integers(0, r, 18)])
    scores = np.round(codes + 1.5 * rng.normal(size=len(codes)), digits)
    return codes, scores, rng.integers(0, 3, len(codes)) + 0.5


@pytest.mark.parametrize("weighted", [False, True])
def test_rates(sample, weighted):
    codes, scores, weights = sample
    weights = weights if weighted else np.ones(len(codes))
    surface = roc_surface(codes, scores, sample_weight=weights)
    r = codes.max() + 1
    grid = tuple(len(np.unique(scores[codes == k])) + 1 for k in range(r - 1))
    assert surface.thresholds.shape == (*grid, r - 1)
    assert surface.true_positive_rates.shape == (*grid, r)
    for place in itertools.product(*map(range, grid)):
        expected = rates_at(codes, scores, weights, surface.thresholds[place])
        found = surface.true_positive_rates[place]
        np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_theorem_3_1(sample, weighted):
    codes, scores, weights = sample
    weights = weights if weighted else None
    vus = vus_score(codes, scores, sample_weight=weights)
    surface = roc_surface(codes, scores, sample_weight=weights)
    assert surface.volume == pytest.approx(vus, rel=1e-12)
    origin = np.zeros(codes.max() + 1)
    points = surface.true_positive_rates.reshape(-1, len(origin))
    assert hypervolume(points, ref=origin, maximise=True) == pytest.approx(vus)
