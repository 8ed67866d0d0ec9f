import itertools
import math

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from moselect.metrics import (
    Objective,
    mean_absolute_error,
    mean_squared_error,
)
from moselect.metrics.objectives import DECLARED, DEFAULT
from moselect.models.linear_batch import LinearBatch
from moselect.models.objective_values import (
    as_objective,
    chance_levels,
    linear_values,
)
from moselect.predictor import OrdinalLinearClassifier
from moselect.samples.samples import Samples
from moselect.search import OrdinalProblem

COSTS = np.array([[0.0, 1.0, 2.5], [3.0, 0.0, 1.0], [9.0, 4.0, 0.5]])
CUSTOM = Objective("own", lambda counts: COSTS)
ORACLES = {
    "accuracy": sklearn.metrics.accuracy_score,
    "one_minus_mae": lambda y, predicted: 1.0 - np.abs(y - predicted).mean(),
    "one_minus_mse": lambda y, predicted: 1.0 - mean_squared_error(y, predicted),
    "one_minus_macro_mae": lambda y, predicted: (
        1.0 - mean_absolute_error(y, predicted, average="macro")
    ),
    "macro_accuracy": sklearn.metrics.balanced_accuracy_score,
    "own": lambda y, predicted: 1.0 - COSTS[y, predicted].mean(),
    "quadratic_kappa": lambda y, predicted: sklearn.metrics.cohen_kappa_score(
        y, predicted, weights="quadratic"
    ),
}


def declared(name):
    return CUSTOM if name == "own" else DECLARED[name]


@given(st.lists(st.integers(1, 30), min_size=2, max_size=6))
def test_chance_levels_equal_constant_classes_and_random_scores(counts):
    codes = np.repeat(np.arange(len(counts)), counts)
    batch = LinearBatch(Samples.from_table(np.arange(len(codes))[:, None], codes))
    names = [name for name in ORACLES if name not in ("own", "quadratic_kappa")]
    expected = [
        max(ORACLES[name](codes, np.full(len(codes), k)) for k in range(len(counts)))
        for name in names
    ]
    found = chance_levels([declared(name) for name in names], batch)
    # Compare costs, because gains of 0 hold up to rounding only.
    assert_allclose(1.0 - found, 1.0 - np.array(expected), rtol=1e-12)
    levels = chance_levels((*DEFAULT[2:], as_objective("quadratic_kappa")), batch)
    assert_allclose(levels, [1 / math.factorial(len(counts)), 0.5, 0.5, 0.5, 0.0])


@pytest.mark.parametrize("name", ORACLES)
def test_values_match_scikit_learn_and_definitions(awkward, name, rng):
    X, y = awkward(3, 3)
    problem = OrdinalProblem(X, y - 1, objectives=(declared(name), "u_pairs"))
    positions = rng.normal(size=(8, problem.n_dimensions))
    values = problem.evaluate(positions)
    for scalarisation in range(problem.n_scalarisations):
        for i, (weights, thresholds) in enumerate(
            zip(*problem.models(positions, scalarisation), strict=True)
        ):
            predicted = OrdinalLinearClassifier(weights, thresholds, range(3)).predict(X)
            expected = ORACLES[name](y - 1, predicted)
            assert values[i, scalarisation, 0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", [n for n in ORACLES if declared(n).costs])
@pytest.mark.parametrize("other", ["one_minus_macro_mae", "own"])
def test_thresholds_are_optimal_for_both_objectives(awkward, name, other, rng):
    """No placement of thresholds is better in one objective, or in both."""
    X, y = awkward(5, 3)
    pair = (
        [declared(name), declared(other)]
        if name != other
        else [declared(name), DEFAULT[0]]
    )
    problem = OrdinalProblem(X, y, objectives=pair)
    positions = rng.normal(size=(6, problem.n_dimensions))
    for weights, found in zip(
        problem.weights(positions), problem.evaluate(positions), strict=True
    ):
        scores = problem.batch.scores(weights[None])[0]
        candidates = [-np.inf, *np.unique(scores)]
        true = np.eye(3)[problem.batch.codes]
        confusions = np.array(
            [
                true.T @ np.eye(3)[np.searchsorted(thresholds, scores)]
                for thresholds in itertools.combinations_with_replacement(candidates, 2)
            ]
        )
        possible = np.column_stack([linear_values(one, confusions) for one in pair])
        assert_allclose(found[:2].diagonal(), possible.max(axis=0), rtol=1e-12)
        assert not (possible[:, None] > found + 1e-9).all(axis=2).any()
