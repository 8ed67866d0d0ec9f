"""Searches that begin on a subsample and end on all samples."""

import signal

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from moselect import ParetoSearch
from moselect.budgets import CROSS_VALIDATION, SEARCH
from moselect.io import Checkpoints
from moselect.metrics.objectives import DEFAULT
from moselect.models.linear_batch import LinearBatch
from moselect.models.objective_values import objective_values
from moselect.samples import Samples
from moselect.samples.parts import draw
from moselect.search.ordinal_problem import make_problem
from moselect.search.search_samples import prepare_search
from moselect.search.settings import SearchSettings
from moselect.search.whitening import unit
from tests.any_tables import ordinal_table

ROWS = SEARCH.single_stage_rows + 1_500
SMALL = {"n_iterations": 12, "n_particles": 20, "random_state": 3, "cv": None}


# A little above the limit of samples, with two correlated features.
X, Y = ordinal_table(ROWS, 4)
X = X * [1.0, 10.0, 0.1, 1.0] + [0.0, 5.0, 0.0, 1.0]
X[:, 3] += X[:, 0]


@pytest.fixture(scope="module")
def found():
    return ParetoSearch(**SMALL).fit(X, Y).front_


@pytest.mark.parametrize("is_stopped", [False, True])
def test_objectives_are_exact_on_all_rows(found, is_stopped):
    if is_stopped:
        search = ParetoSearch(**SMALL)
        search.fit(X, Y, callback=lambda progress: signal.raise_signal(signal.SIGINT))
        assert search.interrupted_
        found = search.front_
    batch = LinearBatch(Samples.from_table(X, Y))
    measured = objective_values(DEFAULT, batch, found.weights, found.thresholds)
    assert_array_equal(measured, found.objectives.to_numpy())
    assert (found.confusions.sum(axis=(1, 2)) == ROWS).all()
    assert_array_equal(
        batch.confusions(found.weights, found.thresholds), found.confusions
    )


@pytest.mark.parametrize(
    ("thresholds", "rounds"), [("exact", 2), ("exact", 11), ("search", 5)]
)
def test_a_resumed_search_finds_the_same_front(tmp_path, set_budget, thresholds, rounds):
    set_budget(SEARCH, checkpoint_seconds=0.0)
    checkpoints = Checkpoints(tmp_path)
    search = ParetoSearch(**SMALL, thresholds=thresholds)
    expected = search.fit(X, Y).front_
    reports = []

    def crash(progress):
        reports.append(progress)
        if len(reports) == rounds:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search.fit(X, Y, callback=crash, checkpoints=checkpoints)
    again = search.fit(X, Y, checkpoints=checkpoints).front_
    pd.testing.assert_frame_equal(again.to_frame(), expected.to_frame(), check_exact=True)
    assert_array_equal(again.confusions, expected.confusions)


@pytest.mark.parametrize("seconds", [1e-6, 0.3])
def test_a_time_limit_leaves_a_round_for_all_rows(seconds):
    reports = []
    search = ParetoSearch(n_particles=10, max_seconds=seconds, cv=None, random_state=0)
    search.fit(X, Y, callback=lambda progress: reports.append(progress.n_samples))
    assert reports[0] == pytest.approx(4_000, abs=1)  # the same share of each class
    assert reports[-1] == ROWS


def test_directions_are_carried_over_to_another_whitening(rng):
    data = Samples.from_table(X, Y)
    small = make_problem(draw(data, 500), DEFAULT)
    large = make_problem(data, DEFAULT)
    weights = small.weights(rng.normal(size=(7, small.n_dimensions)))
    carried = large.feasible(unit(large.whitening.of_weights(weights)))
    assert_allclose(np.linalg.norm(carried, axis=1), 1.0)
    assert_allclose(unit(large.weights(carried)), unit(weights))


@pytest.mark.slow
def test_folds_of_many_rows_are_those_of_a_sample(rng):
    table = np.tile(X, (2, 1)) + 1e-3 * rng.normal(size=(2 * ROWS, 4))
    y = np.tile(Y, 2)
    with pytest.warns(UserWarning, match="MS108"):
        search = ParetoSearch(**SMALL | {"cv": 3}).fit(table, y)
    for fold in search.front_.fold_fronts:
        assert fold.confusions[0].sum() == pytest.approx(8_000, abs=3)
        assert fold.holdout_confusions[0].sum() == pytest.approx(2_000, abs=3)
    assert len(search.select(model="proportional odds").evidence.predicted) == len(y)
    gap = search.front_.objectives - search.front_.expected
    assert gap.abs().max().max() < 0.03


def test_many_rows_are_searched_and_a_sample_of_them_is_cross_validated(set_budget):
    set_budget(CROSS_VALIDATION, rows=400)
    training, searched, _ = prepare_search(X, Y, SearchSettings(random_state=1))
    assert len(training) == ROWS
    drawn = searched.samples
    assert len(drawn) == len(searched.data) == len(searched.folds.index)
    assert abs(len(drawn) - 400) <= 2
    shares = [each.class_weights / each.class_weights.sum() for each in (training, drawn)]
    assert_allclose(*shares, atol=1.0 / 400)
