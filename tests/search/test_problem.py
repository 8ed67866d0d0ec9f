import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from moselect.metrics.objectives import DEFAULT
from moselect.predictor import OrdinalLinearClassifier
from moselect.samples import Samples
from moselect.search import OrdinalProblem
from moselect.search.direction_problem import DirectionProblem
from moselect.search.moves import cross
from moselect.search.ordinal_problem import WeightProblem, make_problem
from moselect.search.whitening import unit
from tests.any_tables import ordinal_table

ENCODINGS = ("exact", "search")


def draw_positions(problem, n):
    positions = np.random.default_rng(0).uniform(-1.0, 1.0, (n, problem.n_dimensions))
    if isinstance(problem, DirectionProblem):
        return unit(positions)
    return positions


def models_at(problem, positions):
    """Return (weights, thresholds, objectives) of every model at ``positions``."""
    objectives = problem.evaluate(positions)
    if isinstance(problem, WeightProblem):
        return list(zip(*problem.models(positions), objectives, strict=True))
    models = []
    for scalarisation in range(objectives.shape[1]):
        found = problem.models(positions, scalarisation)
        models += list(zip(*found, objectives[:, scalarisation], strict=True))
    return models


@pytest.mark.checks("Search and thresholds", "plain numpy, one model at a time")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("thresholds", ENCODINGS)
@pytest.mark.parametrize("r", [2, 3, 9])
def test_objectives_match_plain_numpy(awkward, plain_measures, r, thresholds, weighted):
    X, y = awkward(r, r)
    samples = Samples.from_table(X, y)
    weights = None
    if weighted:
        weights = np.random.default_rng(r).uniform(0.2, 2.0, len(y))
        samples = samples.with_sample_info(sample_weight=weights)
    problem = make_problem(samples, DEFAULT, thresholds)
    for coef, solved, objectives in models_at(problem, draw_positions(problem, 5)):
        model = OrdinalLinearClassifier(coef, solved, range(r))
        expected = plain_measures(model.decision_function(X), solved, y - 1, weights)
        assert_allclose(objectives, expected, rtol=1e-12, atol=1e-15)


def evaluate_all(problem, positions):
    if isinstance(problem, WeightProblem):
        return [problem.evaluate(positions), *problem.models(positions)]
    n = len(positions)
    half_widths = np.linspace(0.1, 0.5, n)
    scalarisations = np.arange(n) % 8
    objective_weights = np.linspace(0.1, 1.0, 6 * n).reshape(n, 6)
    slopes = problem.gradients(positions, scalarisations, objective_weights, half_widths)
    crossed = cross(problem, positions, scalarisations, np.random.default_rng(0))
    models = problem.models(positions, scalarisations)
    return [problem.evaluate(positions), *models, slopes, crossed]


@pytest.mark.parametrize("thresholds", ENCODINGS)
@pytest.mark.parametrize("n_jobs", [2, 50])
def test_results_do_not_depend_on_the_number_of_threads(awkward, thresholds, n_jobs):
    X, y = awkward(3, 4, n=12_000)  # enough for two threads and a half
    alone = OrdinalProblem(X, y, thresholds=thresholds)
    shared = OrdinalProblem(X, y, thresholds=thresholds, n_jobs=n_jobs)
    positions = draw_positions(alone, 17)
    for parallel, expected in zip(
        evaluate_all(shared, positions), evaluate_all(alone, positions), strict=True
    ):
        assert_array_equal(parallel, expected)


@pytest.mark.parametrize("thresholds", ENCODINGS)
@pytest.mark.parametrize("order", ["C", "F"])
def test_memory_holds_one_copy_of_the_features(thresholds, order, rng):
    X = np.asarray(rng.normal(size=(100_000, 20)), order=order)
    y = rng.integers(3, size=len(X))

    def use(rows):
        problem = OrdinalProblem(X[rows], y[rows], thresholds=thresholds)
        evaluate_all(problem, draw_positions(problem, 2))
        if thresholds == "exact":
            problem.ready_made()

    use(slice(200))  # compiles what is not yet compiled
    tracemalloc.start()
    try:
        use(slice(None))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert X.nbytes < peak < 1.6 * X.nbytes  # scratch of kernels is not counted


def test_searched_positions_are_in_units_of_standardised_features():
    Z, ranks = ordinal_table(50, 4)
    X = Z * [1.0, 50.0, 1e-3, 2.0] + 3.0
    problem = OrdinalProblem(X, ranks, thresholds="search")
    positions = draw_positions(problem, 20)
    for position, weights, thresholds in zip(
        positions, *problem.models(positions), strict=True
    ):
        expected = Z @ position[:4] - np.sort(position[4:])[:, None]
        assert_allclose(X @ weights - thresholds[:, None], expected, atol=1e-12)
        assert (np.diff(thresholds) >= 0.0).all()
