"""Expected values of front members: from searches within folds, and under simulated laws."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from scipy.stats import t as student

from moselect import ParetoSearch
from moselect.samples.duplicates import equal_rows
from moselect.samples.folds import Folds
from moselect.search.evaluation import (
    expected_objective,
    sampling_variances,
    with_fold_fronts,
)
from tests.any_tables import ordinal_table

QUICK = {"n_particles": 50, "n_iterations": 2, "random_state": 0}
LABELS = ["low", "mid", "high"]
UNKNOWN = np.full(5, np.nan)  # sampling variances
X, RANKS = ordinal_table(120)
Y = pd.Categorical.from_codes(RANKS, LABELS, ordered=True)


@pytest.fixture(scope="module")
def search():
    return ParetoSearch(**QUICK).fit(X, Y)


def test_the_front_of_a_fold_is_searched_without_it_and_measured_on_it(
    search, plain_measures
):
    folds = Folds.deal(equal_rows(X), RANKS, 5).index
    assert len(search.front_.fold_fronts) == 5
    for fold, front in enumerate(search.front_.fold_fronts):
        for table, rows in (
            (front.objectives, folds != fold),
            (front.holdout, folds == fold),
        ):
            for i in range(0, len(front), 7):
                scores = X[rows] @ front.weights[i]
                expected = plain_measures(scores, front.thresholds[i], RANKS[rows])
                assert_allclose(table.iloc[i], expected, rtol=1e-12)


@pytest.mark.checks("Standard errors and intervals", "new rows of the same law")
@pytest.mark.slow
def test_expected_values_hold_on_new_samples():
    """Of the same population: much nearer than training values, without bias."""
    X, ranks = ordinal_table(3_000, 12)
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


def test_errors_with_groups_have_the_quantile_of_students_t_of_all_groups():
    search = ParetoSearch(**QUICK).fit(X, Y, groups=np.arange(len(X)) // 10)
    samples = search.searched_.samples
    front = search.front_
    sampling = [
        sampling_variances(fold, samples.data.take(test), samples.settings.objectives)
        for fold, (_, test) in zip(front.fold_fronts, samples.folds, strict=True)
    ]
    normal = with_fold_fronts(front, front.fold_fronts, sampling).expected_se
    ratio = student.ppf(0.975, 11) / norm.ppf(0.975)  # of twelve groups
    added = (ratio**2 - 1.0) * np.mean(sampling, axis=0) / len(sampling)
    assert_allclose(front.expected_se**2 - normal**2, [added] * len(front))


def test_without_folds_there_are_no_expected_values(search):
    front = ParetoSearch(**QUICK, cv=None).fit(X, Y).front_
    assert front.expected is front.expected_se is front.fold_fronts is None
    assert_array_equal(front.weights, search.front_.weights)  # the same search
    assert front.best("vus") == front.objectives["vus"].argmax()


@pytest.mark.slow
def test_a_small_class_reduces_the_number_of_folds():
    rows = np.r_[np.flatnonzero(Y != "high"), np.flatnonzero(Y == "high")[:2]]
    with pytest.warns(UserWarning, match="high has 2 rows: 2 folds") as caught:
        search = ParetoSearch(**QUICK, model="additive").fit(X[rows], Y[rows])
    assert len(caught) == 1
    front = search.front_
    assert len(front.fold_fronts) == 2
    assert front.expected.notna().all(axis=None)
    evidence = search.select(class_costs=[1, 2, 3]).evidence
    assert evidence.candidates[["cost", "std_error", "train"]].notna().all(axis=None)
    assert set(search.predict(X)) <= set(LABELS)


@pytest.mark.filterwarnings("ignore:MS107")
def test_a_class_of_duplicates_has_no_expected_values():
    """Duplicates are in one fold, so its training part lacks their class, which is reported."""
    rows = np.r_[
        np.flatnonzero(Y != "high"), np.repeat(np.flatnonzero(Y == "high")[:1], 6)
    ]
    unknown = "class high has 1 group: 2 folds instead of 5, so the model that predicts"
    with (
        pytest.warns(UserWarning, match="training part of a fold lacks class high"),
        pytest.warns(UserWarning, match=unknown),
    ):
        search = ParetoSearch(**QUICK).fit(X[rows], Y[rows])
    assert search.front_.expected is None
    assert "best member" not in search.select(model="additive").evidence.candidates.index


def draw_folds(rng):
    """Draw members of five folds, with held-out values on a line and some scatter."""
    for _ in range(5):
        training = rng.normal(0.8, 0.05, 30)
        lost = rng.normal(0.1, 0.02)
        on_line = training.mean() - lost + 0.5 * (training - training.mean())
        yield training, on_line + rng.normal(0.0, 0.01, 30)


def test_standard_errors_match_the_spread_of_errors(rng):
    front = np.array([0.75, 0.8, 0.85])
    errors = []
    for _ in range(200):
        values, se = expected_objective(front, [*draw_folds(rng)], UNKNOWN)
        truth = 0.7 + 0.5 * (front - 0.8) + rng.normal(0.0, 0.01, front.shape)
        errors.append((values - truth) / se)
    assert 0.8 < np.std(errors) < 1.3


FRONT = np.array([0.6, 0.8])


@pytest.mark.parametrize(
    ("training", "holdout", "expected"),
    [
        # the slope is clipped to 0 and 1
        (FRONT, FRONT[::-1], 0.7),
        (FRONT, 2.0 * FRONT - 0.7, FRONT),
        # values of nonnegative measures are nonnegative
        (FRONT + 0.2, 0.0 * FRONT, 0.0),
        (FRONT + 0.2, 0.0 * FRONT - 0.4, -0.6),
    ],
)
def test_expected_values_follow_a_line(training, holdout, expected):
    values, _ = expected_objective(FRONT, [(training, holdout)] * 3, UNKNOWN)
    assert_allclose(values, expected)


def test_folds_without_a_class_are_excluded():
    known = FRONT, FRONT - 0.1
    without = FRONT, np.full(2, np.nan)
    values, _ = expected_objective(FRONT, [known, known, without], UNKNOWN)
    assert_allclose(values, FRONT - 0.1)
    assert np.isnan(expected_objective(FRONT, [known, without, without], UNKNOWN)).all()
