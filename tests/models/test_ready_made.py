from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, QuantileRegressor, Ridge

from moselect.models.ready_made import ready_made_directions
from moselect.samples.parts import rows_to_fit

PENALTIES = ["0.001", "1", "10", "100"]


def fit_logistic(Z, above, C=1.0, sample_weight=None):
    model = LogisticRegression(C=C, tol=1e-10, max_iter=10_000)
    return model.fit(Z, above, sample_weight).coef_[0]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("r", [2, 3])
def test_directions_match_scikit_learn(draw_samples, r, weighted):
    Z, codes = draw_samples(400, 4, 4)
    codes = np.minimum(codes, r - 1)  # classes of unequal size
    weights = np.random.default_rng(r).exponential(size=400) if weighted else None
    given = {"sample_weight": weights}
    directions = ready_made_directions(Z, codes, r, weights)
    for penalty in PENALTIES:
        ridge = Ridge(alpha=float(penalty)).fit(Z, codes, **given)
        found = directions[f"ordinal ridge, {penalty}"]
        np.testing.assert_allclose(found, ridge.coef_, rtol=1e-10)
    expected = {
        f"logistic, cut {boundary}": fit_logistic(Z, codes >= boundary, **given)
        for boundary in range(1, r)
    }
    if r == 2:
        for penalty in PENALTIES:
            direction = fit_logistic(Z, codes, C=1 / float(penalty), **given)
            expected[f"proportional odds, ridge {penalty}"] = direction
        w = np.ones(400) if weights is None else weights
        balanced = w * (w.sum() / (2 * np.bincount(codes, w)))[codes]
        expected["proportional odds, balanced"] = fit_logistic(
            Z, codes, sample_weight=balanced
        )
    else:
        median = QuantileRegressor(quantile=0.5, alpha=0.0).fit(Z, codes, **given)
        found = directions["least absolute deviations"]
        lengths = np.linalg.norm(found) * np.linalg.norm(median.coef_)
        assert found @ median.coef_ > 0.999 * lengths
    for name, direction in expected.items():
        np.testing.assert_allclose(directions[name], direction, atol=1e-4, err_msg=name)


@pytest.mark.slow
def test_concurrent_threads_find_the_directions_of_one_thread(draw_samples):
    # liblinear, which finds the least absolute deviations, has one generator for all threads.
    Z, codes = draw_samples(3_000, 8, 5)
    expected = ready_made_directions(Z, codes, 5)
    with ThreadPoolExecutor(3) as executor:
        concurrent = list(
            executor.map(lambda _: ready_made_directions(Z, codes, 5), range(30))
        )
    for found in concurrent:
        for name, direction in found.items():
            np.testing.assert_array_equal(direction, expected[name], err_msg=name)


def test_subsampling_keeps_rare_classes():
    codes = np.zeros(20_001, dtype=np.int64)
    codes[[3, 777]] = 1
    codes[-150:] = 2
    rows, weights = rows_to_fit(codes)
    counts = np.bincount(codes[rows])
    shares = np.bincount(codes[rows], weights) / weights.sum()
    np.testing.assert_allclose(shares, np.bincount(codes) / len(codes))
    assert counts[1] == 2
    assert counts[2] == 100
    assert 4_000 < counts[0] < 6_000
