from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime
from scipy.special import expit
from sklearn.linear_model import LogisticRegression, QuantileRegressor, Ridge

from moselect.models import fit_proportional_odds
from moselect.models.linear_fits import ready_made_directions
from moselect.models.maximum_likelihood import NARROWEST, Fit
from moselect.samples.parts import rows_to_fit
from tests.any_tables import ordinal_table

PENALTIES = [0.001, 1.0, 10.0, 100.0]


def penalised_loss(parameters, X, codes, penalty, sample_weight):
    """Negative log-likelihood of P(y <= k) = expit(b_k - w . x), by definition."""
    weights, intercepts = np.split(parameters, [X.shape[1]])
    at_most = expit(intercepts - (X @ weights)[:, None])
    at_most = np.column_stack([np.zeros(len(X)), at_most, np.ones(len(X))])
    probability = np.diff(at_most, axis=1)[np.arange(len(X)), codes]
    counted = sample_weight > 0.0
    likelihood = sample_weight[counted] @ np.log(probability[counted])
    return (penalty * weights**2).sum() / 2 - likelihood


def fitted(X, codes, penalty, sample_weight=None, **options):
    """Fit the model; return its parameters, and the gradient as a function of them."""
    r = codes.max() + 1
    weights, intercepts, *_ = fit_proportional_odds(
        X, codes, r, penalty, sample_weight, **options
    )
    ones = np.ones(len(X)) if sample_weight is None else sample_weight
    return np.concatenate([weights, intercepts]), lambda parameters: approx_fprime(
        parameters, penalised_loss, 1e-7, X, codes, penalty, ones
    )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("penalty", [0.0, 1.0, 100.0])
@pytest.mark.parametrize("r", [2, 6])
def test_the_gradient_vanishes_at_the_solution_from_any_start(r, penalty, weighted, rng):
    X, codes = ordinal_table(300, 4, r)
    sample_weight = rng.uniform(0.1, 3.0, 300) if weighted else None
    solution, gradient = fitted(X, codes, penalty, sample_weight)
    assert np.abs(gradient(solution)).max() < 1e-4 * 300
    # Elsewhere it does not vanish.
    assert np.abs(gradient(0.9 * solution)).max() > 1.0
    far = Fit(np.full(4, 30.0), 40.0 * np.arange(r - 1.0))
    again, _ = fitted(X, codes, penalty, sample_weight, start=far)
    assert_allclose(again, solution, atol=1e-5)


@pytest.mark.parametrize(
    "data",
    ["close cut points", "classes of one sample", "wide", "separated", "collinear"],
)
def test_the_gradient_vanishes_for_degenerate_data(data, rng):
    grid = np.linspace(-1.0, 1.0, 40)
    if data == "close cut points":
        X, codes = ordinal_table(2_000, r=60)
    elif data == "classes of one sample":
        X = rng.normal(size=(402, 3))
        codes = np.append(rng.integers(3, size=400) * 2, [1, 3])
    elif data == "wide":  # more features than samples
        X = rng.normal(size=(12, 40))
        codes = np.arange(12) % 3
    else:
        X = grid[:, None] * ([1.0] if data == "separated" else [1.0, 2.0])
        codes = np.digitize(grid, [-0.5, 0.5])
    solution, gradient = fitted(X, codes, 1.0)
    weights, intercepts = np.split(solution, [X.shape[1]])
    assert (np.diff(intercepts) > 0).all()
    assert np.abs(gradient(solution)).max() < 1e-4 * len(X)
    again, _ = fitted(X, codes, 1.0, start=Fit(weights, intercepts))
    assert_allclose(again[: len(weights)], weights, atol=1e-3)


@pytest.mark.parametrize("without", [None, 1, 2])
@pytest.mark.parametrize("signs", [None, [1, 1, 0], [-1, -1, -1]])
def test_losses_rise_away_from_signs_and_from_merged_cut_points(signs, without, rng):
    X, codes = ordinal_table(60, r=4)
    weights = rng.uniform(0.0, 2.0, 60)
    weights[codes == without] = 0.0
    signs = np.zeros(3) if signs is None else np.array(signs)
    solution, gradient = fitted(X, codes, 0.1, weights, signs=signs)
    slopes = gradient(solution)
    at_bound = (signs != 0.0) & (solution[:3] == 0.0)
    assert (solution[:3] * signs >= 0.0).all()
    assert (slopes[:3] * signs >= 0.0)[at_bound].all()
    slopes[:3][at_bound] = 0.0
    if without is not None:  # the cut points around the class would cross
        low, high = without + 2, without + 3
        assert solution[high] - solution[low] == pytest.approx(NARROWEST, rel=0.1)
        assert slopes[low] < 0.0 < slopes[high]
        slopes[low] += slopes[high]
        slopes[high] = 0.0
    assert np.abs(slopes).max() < 1e-3


@pytest.mark.parametrize("has_signs", [False, True])
@pytest.mark.parametrize("n", [80, 12])  # with more, and with fewer, rows than columns
def test_each_feature_may_have_a_penalty_of_its_own(n, has_signs, rng):
    X, codes = ordinal_table(n, 20, 3)
    signs = rng.integers(-1, 2, 20) * has_signs
    scale = rng.choice([0.1, 1.0, 10.0], 20)
    penalty = 2.0 / scale**2
    fit = fit_proportional_odds(X, codes, 3, penalty, signs=signs)
    # A feature in other units has another penalty.
    expected = fit_proportional_odds(X * scale, codes, 3, 2.0, signs=signs)
    assert_allclose(fit.weights, expected.weights * scale, atol=1e-6)
    assert_allclose(fit.intercepts, expected.intercepts, atol=1e-6)
    # Loose fits, too: from the start, and from a fit under other penalties and its Hessian.
    start = None
    for factor in (0.1, 1.0):
        start = fit_proportional_odds(
            X, codes, 3, factor * penalty, tolerance=1e-5, start=start, signs=signs
        )
        tight = fit_proportional_odds(X, codes, 3, factor * penalty, signs=signs)
        best, close = (
            penalised_loss(np.append(*each[:2]), X, codes, factor * penalty, np.ones(n))
            for each in (tight, start)
        )
        assert close - best < 1e-4 * n


def test_an_infinite_penalty_leaves_a_feature_out():
    X, codes = ordinal_table(80, 4, 3)
    fit = fit_proportional_odds(X, codes, 3, np.array([1.0, np.inf, 2.0, np.inf]))
    expected = fit_proportional_odds(X[:, [0, 2]], codes, 3, np.array([1.0, 2.0]))
    assert_allclose(fit.weights[[0, 2]], expected.weights, rtol=1e-9)
    assert not fit.weights[[1, 3]].any()


def fit_logistic(Z, above, C=1.0, sample_weight=None):
    model = LogisticRegression(C=C, tol=1e-10, max_iter=10_000)
    return model.fit(Z, above, sample_weight).coef_[0]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("r", [2, 3])
def test_directions_match_scikit_learn(r, weighted):
    Z, codes = ordinal_table(400, 4, 4)
    codes = np.minimum(codes, r - 1)  # classes of unequal size
    weights = np.random.default_rng(r).exponential(size=400) if weighted else None
    given = {"sample_weight": weights}
    found = ready_made_directions(Z, codes, r, weights)
    odds, balanced, logistic, ridge, deviations = np.split(found, [4, 5, 4 + r, 8 + r])
    for penalty, direction in zip(PENALTIES, ridge, strict=True):
        expected = Ridge(alpha=penalty).fit(Z, codes, **given).coef_
        assert_allclose(direction, expected, rtol=1e-10)
    for boundary, direction in enumerate(logistic, start=1):
        expected = fit_logistic(Z, codes >= boundary, **given)
        assert_allclose(direction, expected, atol=1e-4)
    if r == 2:
        for penalty, direction in zip(PENALTIES, odds, strict=True):
            expected = fit_logistic(Z, codes, C=1 / penalty, **given)
            assert_allclose(direction, expected, atol=1e-4)
        w = np.ones(400) if weights is None else weights
        w = w * (w.sum() / (2 * np.bincount(codes, w)))[codes]
        expected = fit_logistic(Z, codes, sample_weight=w)
        assert_allclose(balanced, [expected], atol=1e-4)
    else:
        median = QuantileRegressor(quantile=0.5, alpha=0.0).fit(Z, codes, **given).coef_
        lengths = np.linalg.norm(deviations) * np.linalg.norm(median)
        assert deviations @ median > 0.999 * lengths


@pytest.mark.slow
def test_concurrent_threads_find_the_directions_of_one_thread():
    # liblinear, which finds the least absolute deviations, has one generator for all threads.
    Z, codes = ordinal_table(3_000, 8, 5)
    expected = ready_made_directions(Z, codes, 5)
    with ThreadPoolExecutor(3) as executor:
        concurrent = list(
            executor.map(lambda _: ready_made_directions(Z, codes, 5), range(30))
        )
    for found in concurrent:
        assert_array_equal(found, expected)


def test_subsampling_keeps_rare_classes():
    codes = np.zeros(20_001, dtype=np.int64)
    codes[[3, 777]] = 1
    codes[-150:] = 2
    rows, weights = rows_to_fit(codes)
    counts = np.bincount(codes[rows])
    shares = np.bincount(codes[rows], weights) / weights.sum()
    assert_allclose(shares, np.bincount(codes) / len(codes))
    assert counts[1] == 2
    assert counts[2] == 100
    assert 4_000 < counts[0] < 6_000
