import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime
from scipy.special import expit

from moselect.models.maximum_likelihood import Likelihood
from moselect.predictor import class_probabilities


@pytest.mark.parametrize("seed", range(5))
def test_values_and_gradients(seed):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=30) * 2
    codes = rng.integers(4, size=30)
    weights = rng.uniform(0, 3, 30)
    cuts = np.append(rng.normal(), rng.uniform(0.1, 3, 2))  # the lowest, and the gaps
    likelihood = Likelihood(codes, weights, 4)

    def plain(scores, cuts):
        proba = class_probabilities(scores, np.cumsum(cuts))
        return -(weights * np.log(proba[np.arange(30), codes])).sum()

    value, margins = likelihood.value(scores, cuts)
    assert value == pytest.approx(plain(scores, cuts), rel=1e-12)
    by_scores, by_cuts = likelihood.gradient(expit(margins), cuts)
    assert_allclose(by_scores, approx_fprime(scores, plain, 1e-7, cuts), atol=1e-5)
    numeric = approx_fprime(cuts, lambda b: plain(scores, b), 1e-7)
    assert_allclose(by_cuts, numeric, atol=1e-4)


def test_a_sample_far_from_its_class_has_a_finite_likelihood():
    likelihood = Likelihood(np.array([0, 2]), np.ones(2), 3)
    cuts = np.array([-1.0, 2.0])
    value, margins = likelihood.value(np.array([5_000.0, -5_000.0]), cuts)
    assert value == pytest.approx(5_001.0 * 2)
    assert likelihood.gradient(expit(margins), cuts)[0].tolist() == [1.0, -1.0]
