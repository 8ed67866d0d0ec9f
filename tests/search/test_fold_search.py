"""Expected values of front members, from searches within folds."""

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.costs import Costs
from moselect.inference import ranking_inference
from moselect.metrics import OBJECTIVES
from moselect.samples.duplicates import equal_rows
from moselect.samples.folds import Folds

QUICK = {"n_particles": 50, "n_iterations": 2, "random_state": 0}
LABELS = ["low", "mid", "high"]


@pytest.fixture(scope="module")
def data(smooth):
    X, ranks = smooth(seed=1, r=3, n=120, p=4)
    return X, pd.Categorical.from_codes(ranks, LABELS, ordered=True)


@pytest.fixture(scope="module")
def search(data):
    return ParetoSearch(**QUICK).fit(*data)


def test_the_front_of_a_fold_is_searched_without_it_and_measured_on_it(
    data, search, plain_measures
):
    X, y = data
    ranks = y.codes.astype(int)
    folds = Folds.deal(equal_rows(X), ranks, 5).index
    assert len(search.front_.fold_fronts) == 5
    for fold, front in enumerate(search.front_.fold_fronts):
        for table, rows in (
            (front.objectives, folds != fold),
            (front.holdout, folds == fold),
        ):
            for i in range(0, len(front), 7):
                scores = X[rows] @ front.weights[i]
                expected = plain_measures(scores, front.thresholds[i], ranks[rows])
                np.testing.assert_allclose(table.iloc[i], expected, rtol=1e-12)


def variance_of_the_mean(front, name, X, ranks):
    """Sampling variance of a test fold in the mean over some members of its front."""
    members = range(0, len(front), 1 + len(front) // 30)
    if name not in ("accuracy", "one_minus_mae"):
        scores = np.column_stack([X @ front.weights[i] for i in members])
        return ranking_inference(ranks, scores, name, "delong").covariance.mean()
    off = (
        np.array([[LABELS.index(c) for c in front[i].predict(X)] for i in members])
        - ranks
    )
    each = off == 0 if name == "accuracy" else 1.0 - np.abs(off)
    return each.mean(axis=0).var(ddof=1) / len(ranks)


def test_expected_values_match_their_formula(data, search):
    """Mean - loss + slope * advance, with a standard error of three parts."""
    front = search.front_
    X, y = data
    ranks = y.codes.astype(int)
    folds = Folds.deal(equal_rows(X), ranks, 5).index
    for name in OBJECTIVES:
        training = [fold.objectives[name].to_numpy() for fold in front.fold_fronts]
        held_out = [fold.holdout[name].to_numpy() for fold in front.fold_fronts]
        pairs = list(zip(training, held_out, strict=True))
        loss = np.mean([a.mean() - b.mean() for a, b in pairs])
        # One regression through all folds, each centred at its own means.
        products = np.array([np.cov(a, b, bias=True)[0, 1] for a, b in pairs])
        squares = np.array([a.var() for a in training])
        slope = np.clip(products.sum() / squares.sum(), 0.0, 1.0)
        residuals = [(b - slope * a).var() for a, b in pairs]
        # The jackknife over folds gives the variance of the slope.
        jackknife = (products.sum() - products) / (squares.sum() - squares)
        slope_variance = 4.0 * np.clip(jackknife, 0.0, 1.0).var()
        sampling = [
            variance_of_the_mean(fold, name, X[folds == k], ranks[folds == k])
            for k, fold in enumerate(front.fold_fronts)
        ]
        mean = front.objectives[name].mean()
        advance = front.objectives[name] - mean
        variance = (
            np.sum(sampling) / 25 + np.sum(residuals) / 5 + advance**2 * slope_variance
        )
        np.testing.assert_allclose(front.expected[name], mean - loss + slope * advance)
        np.testing.assert_allclose(front.expected_se[name], np.sqrt(variance))


@pytest.mark.slow
def test_expected_values_hold_on_new_samples(smooth):
    """Of the same population: much nearer than training values, without bias."""
    X, ranks = smooth(seed=3, r=3, n=3_000, p=12)
    errors = []
    lost = []
    for part in range(4):
        rows = slice(60 * part, 60 * (part + 1))
        front = ParetoSearch(**QUICK).fit(X[rows], ranks[rows]).front_
        for i in (front.best("accuracy"), front.best("u_pairs"), front.balanced()):
            kept = (front[i].predict(X[240:]) == ranks[240:]).mean()
            errors.append(front.expected["accuracy"][i] - kept)
            lost.append(front.objectives["accuracy"][i] - kept)
    assert abs(np.mean(errors)) < 0.5 * np.mean(lost)
    assert np.mean(lost) > 0.05


def test_without_folds_there_are_no_expected_values(data, search):
    front = ParetoSearch(**QUICK, cv=None).fit(*data).front_
    assert front.expected is front.expected_se is front.fold_fronts is None
    np.testing.assert_array_equal(front.weights, search.front_.weights)  # the same search
    assert front.best("vus") == front.objectives["vus"].argmax()


@pytest.mark.slow
@pytest.mark.parametrize(("n_samples", "n_folds"), [(2, 2), (4, 4)])
def test_a_small_class_reduces_the_number_of_folds(data, n_samples, n_folds):
    X, y = data
    rows = np.r_[np.flatnonzero(y != "high"), np.flatnonzero(y == "high")[:n_samples]]
    with pytest.warns(
        UserWarning, match=f"high has {n_samples} rows: {n_folds} folds"
    ) as caught:
        search = ParetoSearch(**QUICK, model="additive").fit(X[rows], y[rows])
    assert len(caught) == 1
    front = search.front_
    assert len(front.fold_fronts) == n_folds
    assert front.expected.notna().all(axis=None)
    evidence = search.select(class_costs=[1, 2, 3]).evidence
    assert evidence.candidates[["cost", "std_error", "train"]].notna().all(axis=None)
    assert set(search.predict(X)) <= set(LABELS)


@pytest.mark.filterwarnings("ignore:MS107")
def test_a_class_of_duplicates_has_no_expected_values(data):
    """Duplicates are in one fold, so its training part lacks their class."""
    X, y = data
    rows = np.r_[
        np.flatnonzero(y != "high"), np.repeat(np.flatnonzero(y == "high")[:1], 6)
    ]
    with pytest.warns(UserWarning, match="training part of a fold lacks class high"):
        search = ParetoSearch(**QUICK).fit(X[rows], y[rows])
    assert search.front_.expected is None
    assert "best member" not in search.select(model="additive").evidence.candidates.index


@pytest.mark.slow
@pytest.mark.parametrize("seed", [None, np.random.default_rng(0)], ids=["none", "drawn"])
def test_a_selector_uses_the_samples_and_weights_of_its_search(data, seed):
    X, y = data
    counts = 1 + np.arange(len(y)) % 2
    settings = {**QUICK, "random_state": seed, "holdout": 0.25, "cv": 2}
    counted = {"sample_weight": counts, "weight_type": "counts"}
    search = ParetoSearch(**settings).fit(X, y, **counted)
    held_out = search.holdout_rows_
    model = search.select(class_costs=[1, 2, 3], model="linear")
    selector = search.selector(search.front_, X, y, **counted)
    np.testing.assert_array_equal(search.holdout_rows_, held_out)
    again = selector.select(Costs([1, 2, 3]), "linear")
    np.testing.assert_array_equal(again.coef_, model.coef_)
    rules = [each.evidence.candidates.drop(columns="seconds") for each in (again, model)]
    pd.testing.assert_frame_equal(*rules)
