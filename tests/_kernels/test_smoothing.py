import numpy as np
import pytest

from moselect._kernels.cumulative_logit import smooth_residuals


@pytest.mark.parametrize("bandwidth", [0.05, 0.5, 20.0])
@pytest.mark.parametrize("seed", range(3))
def test_smoothing_is_a_gaussian_kernel_regression(seed, bandwidth):
    rng = np.random.default_rng(seed)
    scores = np.sort(rng.normal(size=40))
    masses = rng.integers(0, 4, size=(40, 3)).astype(float)
    proba = rng.dirichlet(np.ones(3), size=40)
    window = np.exp(-0.5 * ((scores[:, None] - scores) / bandwidth) ** 2)
    total = masses.sum(axis=1)
    residual = masses - total[:, None] * proba
    expected = (window @ residual) / (window @ total + 7.0)[:, None]
    corrections = np.full((40, 3), np.nan)
    smooth_residuals(scores, masses, proba, bandwidth, 7.0, corrections)
    np.testing.assert_allclose(corrections, expected, atol=1e-7)
