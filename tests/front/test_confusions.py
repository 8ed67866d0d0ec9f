"""What the models of a front predict."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from moselect import ParetoSearch
from moselect.pymoo_adapter import OrdinalProblem

SMALL = {"n_particles": 15, "n_iterations": 4, "cv": None, "random_state": 2}


def predicted(front, X, y):
    classes = front.classes.tolist()
    return [confusion_matrix(y, model.predict(X), labels=classes) for model in front]


@pytest.mark.parametrize(("thresholds", "n_jobs"), [("exact", 2), ("search", 1)])
def test_confusions_are_those_of_the_predictions(boston, thresholds, n_jobs):
    front = (
        ParetoSearch(**SMALL, thresholds=thresholds, n_jobs=n_jobs).fit(*boston).front_
    )
    np.testing.assert_array_equal(front.confusions, predicted(front, *boston))


@pytest.mark.parametrize("r", [2, 3, 6])
def test_confusions_with_ties_and_repeated_rows(awkward, r):
    X, y = awkward(7, r)
    with pytest.warns(UserWarning, match="constant"):
        front = ParetoSearch(**SMALL).fit(X, y).front_
    np.testing.assert_array_equal(front.confusions, predicted(front, X, y))


def test_held_out_rows_have_confusions_of_their_own(boston):
    X, y = boston
    front = ParetoSearch(**SMALL, holdout=0.3).fit(X, y).front_
    both = front.confusions + front.holdout_confusions
    np.testing.assert_array_equal(both, predicted(front, X, y))
    shares = (
        front.holdout_confusions.trace(axis1=1, axis2=2)
        / front.holdout_confusions[0].sum()
    )
    np.testing.assert_allclose(shares, front.holdout["accuracy"], rtol=1e-12)


def test_a_front_of_pymoo_has_confusions(boston):
    problem = OrdinalProblem(*boston)
    front = problem.front(
        np.random.default_rng(0).uniform(problem.xl, problem.xu, (20, len(problem.xl)))
    )
    np.testing.assert_array_equal(front.confusions, predicted(front, *boston))
