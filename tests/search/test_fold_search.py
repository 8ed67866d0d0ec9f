"""Expected values of front members, from searches within folds."""

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.samples.duplicates import equal_rows
from moselect.samples.folds import Folds
from tests.any_tables import ordinal_table

QUICK = {"n_particles": 50, "n_iterations": 2, "random_state": 0}
LABELS = ["low", "mid", "high"]
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
                np.testing.assert_allclose(table.iloc[i], expected, rtol=1e-12)


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


def test_without_folds_there_are_no_expected_values(search):
    front = ParetoSearch(**QUICK, cv=None).fit(X, Y).front_
    assert front.expected is front.expected_se is front.fold_fronts is None
    np.testing.assert_array_equal(front.weights, search.front_.weights)  # the same search
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
    """Duplicates are in one fold, so its training part lacks their class."""
    rows = np.r_[
        np.flatnonzero(Y != "high"), np.repeat(np.flatnonzero(Y == "high")[:1], 6)
    ]
    with pytest.warns(UserWarning, match="training part of a fold lacks class high"):
        search = ParetoSearch(**QUICK).fit(X[rows], Y[rows])
    assert search.front_.expected is None
    assert "best member" not in search.select(model="additive").evidence.candidates.index
