"""Gradients of smoothed objectives."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime

from moselect.metrics import OBJECTIVES
from moselect.search import OrdinalProblem
from tests.any_tables import ordinal_table

STEP = 1e-7


def smoothed(scores, thresholds, ranks, h):
    """Accuracy and U_pairs if every step were a ramp of width 2 h."""

    def over(difference):
        return np.clip((difference + h) / (2 * h), 0.0, 1.0)

    n = len(scores)
    above = over(scores[:, None] - thresholds)
    above = np.column_stack([np.ones(n), above, np.zeros(n)])
    of_own_class = -np.diff(above, axis=1)[np.arange(n), ranks]
    in_order = over(np.subtract.outer(scores, scores))[np.greater.outer(ranks, ranks)]
    return {"accuracy": of_own_class.mean(), "u_pairs": in_order.mean()}


@pytest.mark.parametrize("objective", ["accuracy", "u_pairs"])
@pytest.mark.parametrize("r", [2, 4])
def test_gradients_match_differences_of_the_smoothed_objective(r, objective, rng):
    X, ranks = ordinal_table(50, 4, r)
    problem = OrdinalProblem(X + 3.0, ranks)
    positions = rng.normal(size=(6, 4))
    scalarisations = np.arange(6)
    half_widths = rng.uniform(0.1, 0.6, size=6)
    objective_weights = np.tile(3.0 * np.equal(OBJECTIVES, objective), (6, 1))
    slopes = problem.gradients(positions, scalarisations, objective_weights, half_widths)
    for i, (weights, thresholds) in enumerate(
        zip(*problem.models(positions, scalarisations), strict=True)
    ):
        # thresholds stay where they are to the mean score
        thresholds = thresholds - 3.0 * weights.sum()

        def value(position, thresholds=thresholds, h=half_widths[i]):
            scores = X @ problem.models(position[None])[0][0]
            return 3.0 * smoothed(scores, thresholds, ranks, h)[objective]

        expected = approx_fprime(positions[i], value, STEP)
        assert_allclose(slopes[i], expected, rtol=1e-4, atol=1e-5)
