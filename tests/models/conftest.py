import numpy as np
import pytest


@pytest.fixture(scope="session")
def draw_samples():
    """Draw standardised features (n, p) and class codes (n,) that follow them with noise."""

    def draw(n, p, r, seed=0):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(n, p))
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        latent = X @ np.linspace(1.0, -1.5, p) + rng.logistic(size=n)
        shares = np.arange(1, r) / r
        return X, np.searchsorted(np.quantile(latent, shares), latent)

    return draw
