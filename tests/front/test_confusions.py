"""Confusion matrices of the members of a front."""

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from moselect import ParetoSearch
from moselect.pymoo_adapter import OrdinalProblem

SMALL = {"n_particles": 15, "n_iterations": 4, "cv": None, "random_state": 2}


def count_predictions(front, X, y):
    classes = front.classes.tolist()
    return [confusion_matrix(y, model.predict(X), labels=classes) for model in front]


@pytest.mark.parametrize(("thresholds", "n_jobs"), [("exact", 2), ("search", 1)])
def test_confusions_match_the_predictions(boston, thresholds, n_jobs):
    front = (
        ParetoSearch(**SMALL, thresholds=thresholds, n_jobs=n_jobs).fit(*boston).front_
    )
    np.testing.assert_array_equal(front.confusions, count_predictions(front, *boston))


def test_a_front_of_pymoo_has_confusions(boston):
    problem = OrdinalProblem(*boston)
    front = problem.front(
        np.random.default_rng(0).uniform(problem.xl, problem.xu, (20, len(problem.xl)))
    )
    np.testing.assert_array_equal(front.confusions, count_predictions(front, *boston))
