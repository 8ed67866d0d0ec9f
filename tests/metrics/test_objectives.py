from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

import moselect
from moselect import ParetoSearch
from moselect.metrics import (
    Objective,
    mean_absolute_error,
    mean_squared_error,
    vus_score,
)
from moselect.metrics.objectives import DECLARED
from moselect.models.linear_batch import LinearBatch
from moselect.models.objective_values import (
    DEFAULT,
    as_objective,
    chance_levels,
    linear_values,
    objective_values,
)
from moselect.predictor import OrdinalLinearClassifier
from moselect.samples.samples import Samples
from moselect.search import OrdinalProblem

COSTS = np.array([[0.0, 1.0, 2.5], [3.0, 0.0, 1.0], [9.0, 4.0, 0.5]])
OWN = Objective("own", lambda counts: COSTS)
BY_OTHERS = {
    "accuracy": sklearn.metrics.accuracy_score,
    "one_minus_mae": lambda y, told: 1.0 - np.abs(y - told).mean(),
    "one_minus_mse": lambda y, told: 1.0 - mean_squared_error(y, told),
    "one_minus_macro_mae": lambda y, told: (
        1.0 - mean_absolute_error(y, told, average="macro")
    ),
    "macro_accuracy": sklearn.metrics.balanced_accuracy_score,
    "own": lambda y, told: 1.0 - COSTS[y, told].mean(),
    "quadratic_kappa": lambda y, told: sklearn.metrics.cohen_kappa_score(
        y, told, weights="quadratic"
    ),
}


def declared(name):
    return OWN if name == "own" else DECLARED[name]


def least_share(confusion):
    return float((confusion.diagonal() / confusion.sum(axis=1)).min())


def right_ranks(y_true, y_pred):
    return float((y_true == y_pred).mean())


def in_order(y_true, y_score):
    return vus_score(y_true, y_score)


@given(st.lists(st.integers(1, 30), min_size=2, max_size=6))
def test_chance_is_reached_by_a_constant_class_and_random_scores(counts):
    codes = np.repeat(np.arange(len(counts)), counts)
    batch = LinearBatch(Samples.from_table(np.arange(len(codes))[:, None], codes))
    names = [name for name in BY_OTHERS if name not in ("own", "quadratic_kappa")]
    expected = [
        max(BY_OTHERS[name](codes, np.full(len(codes), k)) for k in range(len(counts)))
        for name in names
    ]
    found = chance_levels([declared(name) for name in names], batch)
    # As costs: gains may be 0, and are then so but for rounding.
    np.testing.assert_allclose(1.0 - found, 1.0 - np.array(expected), rtol=1e-12)
    levels = chance_levels((*DEFAULT[2:], as_objective("quadratic_kappa")), batch)
    np.testing.assert_allclose(
        levels, [1 / math.factorial(len(counts)), 0.5, 0.5, 0.5, 0.0]
    )


@pytest.mark.parametrize("name", BY_OTHERS)
def test_values_are_those_of_others(awkward, name):
    X, y = awkward(3, 3)
    problem = OrdinalProblem(X, y - 1, objectives=(declared(name), "u_pairs"))
    positions = np.random.default_rng(0).normal(size=(8, problem.n_dimensions))
    values = problem.evaluate(positions)
    for mixture in range(problem.n_scalarisations):
        for i, (weights, cuts) in enumerate(
            zip(*problem.models(positions, mixture), strict=True)
        ):
            told = OrdinalLinearClassifier(weights, cuts, range(3)).predict(X)
            expected = BY_OTHERS[name](y - 1, told)
            assert values[i, mixture, 0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", [n for n in BY_OTHERS if declared(n).costs])
@pytest.mark.parametrize("other", ["one_minus_macro_mae", "own"])
def test_thresholds_are_the_best_of_all(awkward, name, other):
    """No placement of thresholds is better in an objective, nor in both of them."""
    X, y = awkward(5, 3)
    pair = (
        [declared(name), declared(other)]
        if name != other
        else [declared(name), DEFAULT[0]]
    )
    problem = OrdinalProblem(X, y, objectives=pair)
    positions = np.random.default_rng(1).normal(size=(6, problem.n_dimensions))
    for weights, found in zip(
        problem.weights(positions), problem.evaluate(positions), strict=True
    ):
        scores = problem.batch.scores(weights[None])[0]
        all_cuts = [-np.inf, *np.unique(scores)]
        placed = [
            np.searchsorted(cuts, scores, side="left")
            for cuts in itertools.combinations_with_replacement(all_cuts, 2)
        ]
        true = np.eye(3)[problem.batch.codes]
        confusions = np.array([true.T @ np.eye(3)[told] for told in placed])
        possible = np.column_stack([linear_values(one, confusions) for one in pair])
        np.testing.assert_allclose(found[:2].diagonal(), possible.max(axis=0), rtol=1e-12)
        for model in found:
            assert not (possible > model + 1e-9).all(axis=1).any()


def test_functions_and_scorers_are_called_with_what_they_take(awkward):
    X, y = awkward(4, 3)
    given = (
        least_share,
        right_ranks,
        in_order,
        "balanced_accuracy",
        "somers_d",
        "accuracy",
        "vus",
    )
    chosen = [as_objective(one) for one in given]
    rng = np.random.default_rng(2)
    weights, cuts = (
        rng.normal(size=(5, X.shape[1])),
        np.sort(rng.normal(size=(5, 2)), axis=1),
    )
    batch = LinearBatch(Samples.from_table(X, y))
    found = objective_values(chosen, batch, weights, cuts)
    for i in range(5):
        model = OrdinalLinearClassifier(weights[i], cuts[i], [1, 2, 3])
        told, scores = model.predict(X), model.decision_function(X)
        confusion = sklearn.metrics.confusion_matrix(y, told, labels=[1, 2, 3])
        expected = [
            least_share(confusion),
            (told == y).mean(),
            vus_score(y, scores),
            sklearn.metrics.balanced_accuracy_score(y, told),
            moselect.metrics.somers_d_score(y, scores),
        ]
        np.testing.assert_allclose(found[i], [*expected, expected[1], expected[2]])


def test_a_search_for_objectives_of_ones_own(boston):
    search = moselect.ParetoSearch(
        ("cost", "u_cons", least_share),
        class_costs=[1, 1, 1, 5, 5],
        n_iterations=3,
        random_state=0,
        holdout=0.2,
    ).fit(*boston)
    front = search.front_
    assert list(front.objectives) == ["cost", "u_cons", "least_share"]
    paid = np.einsum("kij,ij->k", front.confusions, moselect.cost_matrix([1, 1, 1, 5, 5]))
    costs = paid / front.confusions[0].sum()
    np.testing.assert_allclose(front.objectives["cost"], 1.0 - costs, rtol=1e-12)
    shares = [least_share(confusion) for confusion in front.holdout_confusions]
    np.testing.assert_allclose(front.holdout["least_share"], shares)
    assert np.isfinite(front.expected.to_numpy()).all()
    told = search.select(preferences={"cost": 1}, model="linear").evidence
    right = least_share(told.confusion.to_numpy())
    assert told.objectives.loc["cv", "least_share"] == pytest.approx(right)


def test_an_objective_of_no_kind_is_named():
    with pytest.raises(TypeError, match=r"\{'a': 1\} is not a callable"):
        ParetoSearch([{"a": 1}, "vus"]).fit([[1.0], [2.0]], [1, 2])
