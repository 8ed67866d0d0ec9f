"""The ROC surface: theorem 3.1 for its volume."""

import numpy as np
import pytest
from moocore import hypervolume

from experiments.waegeman2008.figures_1_2 import integrate_surface
from experiments.waegeman2008.roc_surface import roc_surface
from moselect.metrics import vus_score


@pytest.fixture(params=[(2, 1), (3, 1), (3, 9), (4, 9)], ids=lambda p: f"{p[0]}-{p[1]}")
def sample(request):
    """Classes 0 .. r - 1 with scores of some digits (few: ties) and weights."""
    r, digits = request.param
    rng = np.random.default_rng(r)
    codes = np.concatenate([np.arange(r), rng.integers(0, r, 18)])
    scores = np.round(codes + 1.5 * rng.normal(size=len(codes)), digits)
    return codes, scores, rng.integers(0, 3, len(codes)) + 0.5


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
    if len(origin) == 3 and not weighted:
        assert integrate_surface(codes + 1, scores) == pytest.approx(vus)
