from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, QuantileRegressor, Ridge

from moselect.models.ready_made import ready_made_directions, rows_to_fit

PENALTIES = ["0.001", "1", "10", "100"]


def fit_logistic(Z, above, C=1.0, **kwargs):
    return LogisticRegression(C=C, tol=1e-10, max_iter=10_000, **kwargs).fit(Z, above).coef_[0]


def cosine(one, other):
    return one @ other / np.linalg.norm(one) / np.linalg.norm(other)


@pytest.fixture(scope="module")
def three_classes(draw_samples):
    Z, codes = draw_samples(300, 4, 3)
    return Z, codes, ready_made_directions(Z, codes, 3)


@pytest.fixture(scope="module")
def two_classes(draw_samples):
    Z, codes = draw_samples(400, 3, 4)
    codes = (codes > 0).astype(np.int64)  # not equally frequent
    return Z, codes, ready_made_directions(Z, codes, 2)


@pytest.mark.parametrize("r", [2, 3, 5])
def test_every_model_has_a_name(draw_samples, r):
    names = [
        *(f"proportional odds, ridge {penalty}" for penalty in PENALTIES),
        "proportional odds, balanced",
        *(f"logistic, cut {cut}" for cut in range(1, r)),
        *(f"ordinal ridge, {penalty}" for penalty in PENALTIES),
        "least absolute deviations",
    ]
    Z, codes = draw_samples(100, 2, r)
    assert list(ready_made_directions(Z, codes, r)) == names


@pytest.mark.parametrize("penalty", PENALTIES)
def test_ordinal_ridge_is_ridge_on_the_class_ranks(three_classes, penalty):
    Z, codes, directions = three_classes
    ridge = Ridge(alpha=float(penalty)).fit(Z, codes)
    np.testing.assert_allclose(directions[f"ordinal ridge, {penalty}"], ridge.coef_, rtol=1e-10)


@pytest.mark.parametrize("cut", [1, 2])
def test_each_cut_has_its_logistic_regression(three_classes, cut):
    Z, codes, directions = three_classes
    expected = fit_logistic(Z, codes >= cut)
    np.testing.assert_allclose(directions[f"logistic, cut {cut}"], expected, atol=1e-4)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_proportional_odds_have_the_penalty_of_their_name(two_classes, penalty):
    Z, codes, directions = two_classes
    expected = fit_logistic(Z, codes, C=1 / float(penalty))
    np.testing.assert_allclose(
        directions[f"proportional odds, ridge {penalty}"], expected, atol=1e-4
    )


def test_balanced_proportional_odds_weight_classes_equally(two_classes):
    Z, codes, directions = two_classes
    expected = fit_logistic(Z, codes, class_weight="balanced")
    np.testing.assert_allclose(directions["proportional odds, balanced"], expected, atol=1e-4)


def test_least_absolute_deviations_are_median_regression(three_classes):
    Z, codes, directions = three_classes
    median = QuantileRegressor(quantile=0.5, alpha=0.0).fit(Z, codes)
    assert cosine(directions["least absolute deviations"], median.coef_) > 0.999


@pytest.mark.slow
def test_threads_at_once_find_what_one_finds_alone(draw_samples):
    # liblinear, which finds the least absolute deviations, has one generator for all threads.
    Z, codes = draw_samples(3_000, 8, 5)
    alone = ready_made_directions(Z, codes, 5)
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda _: ready_made_directions(Z, codes, 5), range(30)))
    for found in together:
        for name, direction in found.items():
            np.testing.assert_array_equal(direction, alone[name], err_msg=name)


def test_large_data_are_thinned_and_nearly_keep_their_directions(draw_samples):
    Z, codes = draw_samples(40_000, 2, 3)
    rows = rows_to_fit(codes)
    assert len(np.unique(rows)) == len(rows) < len(Z) / 5
    directions = ready_made_directions(Z[rows], codes[rows], 3)
    of_all = {
        "ordinal ridge, 1": Ridge(alpha=1.0).fit(Z, codes).coef_,
        "logistic, cut 1": fit_logistic(Z, codes >= 1),
        "logistic, cut 2": fit_logistic(Z, codes >= 2),
    }
    for name, direction in of_all.items():
        assert cosine(directions[name], direction) > 0.999, name


@pytest.mark.parametrize("n", [2, 5_000])
def test_few_data_are_kept(n):
    assert rows_to_fit(np.arange(n) % 3).tolist() == list(range(n))


def test_no_class_is_thinned_away():
    codes = np.zeros(20_001, dtype=np.int64)
    codes[[3, 777]] = 1
    codes[-150:] = 2
    counts = np.bincount(codes[rows_to_fit(codes)])
    assert counts[1] == 2
    assert counts[2] == 100
    assert 4_000 < counts[0] < 6_000
