import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, DotProduct, WhiteKernel

from moselect.models.ensemble.gaussian_process import GaussianProcessRanks


@pytest.mark.parametrize("weighted", [False, True])
def test_predictions_equal_scikit_learn_where_all_rows_are_used(weighted, rng):
    """Integer weights equal repeated rows for given variances, estimated on some rows."""
    X = rng.uniform(-3, 3, size=(150, 3))
    latent = 2 * np.sin(X[:, 0]) + X[:, 1] + 0.4 * rng.normal(size=150)
    codes = np.digitize(latent, [-1.5, 0.0, 1.5])
    counts = rng.integers(1, 4 if weighted else 2, 150)
    model = GaussianProcessRanks(random_state=0)
    model.fit(X, codes + 1.0, counts if weighted else None)
    rows = np.repeat(X, counts, axis=0)
    ranks = np.repeat(codes + 1.0, counts)
    Z = np.clip((rows - rows.mean(axis=0)) / rows.std(axis=0), -4, 4)
    smooth, length, linear = model.kernel_
    kernel = smooth * RBF(length) + linear * DotProduct()
    oracle = GaussianProcessRegressor(kernel, alpha=model.noise_, optimizer=None)
    oracle.fit(Z, (ranks - ranks.mean()) / ranks.std())
    np.testing.assert_allclose(
        model.predict(rows), ranks.mean() + ranks.std() * oracle.predict(Z), atol=1e-6
    )


def test_kernels_have_the_greatest_marginal_likelihood(rng):
    X = rng.uniform(-3, 3, size=(100, 2))
    ranks = np.digitize(2 * np.sin(X[:, 0]) + X[:, 1], [-1.5, 0.0, 1.5]) + 1.0
    model = GaussianProcessRanks(random_state=0).fit(X, ranks)
    smooth, length, linear = model.kernel_
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    own = smooth * RBF(length) + linear * DotProduct(1.0, "fixed")
    oracle = GaussianProcessRegressor(own + WhiteKernel(model.noise_), alpha=0.0)
    oracle.fit(Z, (ranks - ranks.mean()) / ranks.std())
    found = oracle.log_marginal_likelihood(np.log([smooth, length, linear, model.noise_]))
    assert found == pytest.approx(oracle.log_marginal_likelihood_value_, abs=1e-3)


def test_gaussian_processes_do_not_follow_noise(rng):
    """Ranks without any relation to the features are predicted by their mean."""
    X = rng.normal(size=(700, 4))
    ranks = rng.integers(1, 5, 700).astype(float)
    process = GaussianProcessRanks(random_state=5).fit(X[:400], ranks[:400])
    error = np.mean((process.predict(X[400:]) - ranks[400:]) ** 2)
    assert error < 1.02 * ranks[400:].var()
