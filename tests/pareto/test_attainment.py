import numpy as np
import pytest

from moselect.pareto import attainment_surface


@pytest.mark.parametrize("m", [2, 3])
@pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
def test_the_surface_bounds_the_points_attained_by_the_share_of_runs(m, share):
    rng = np.random.default_rng(m)
    runs = [rng.integers(6, size=(rng.integers(2, 7), m)) / 5.0 for _ in range(5)]
    surface = attainment_surface(runs, share)
    for point in np.stack(np.meshgrid(*[np.arange(7) / 5.0] * m), axis=-1).reshape(-1, m):
        reached = np.mean([(run >= point).all(axis=1).any() for run in runs])
        assert (surface >= point - 1e-12).all(axis=1).any() == (reached >= share - 1e-12)
