"""Many linear models at once, against one at a time and against all thresholds there are."""

from __future__ import annotations

import itertools
import pickle
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from moselect.models import OrdinalLinearClassifier, linear_batch
from moselect.models.linear_batch import LinearBatch
from moselect.samples import Samples


def make_data(table):
    return Samples.from_table(*table)


def draw_models(rng, k, p, r):
    return rng.normal(size=(k, p)), np.sort(rng.normal(size=(k, r - 1)), axis=1)


@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
@settings(max_examples=25)
def test_confusions_are_those_of_one_model_at_a_time(awkward, seed, r):
    X, y = awkward(seed, r)
    batch = LinearBatch(make_data((X, y)))
    weights, thresholds = draw_models(np.random.default_rng(seed), 6, X.shape[1], r)
    thresholds *= 1e7  # among the scores, which one feature makes huge
    thresholds[0, 0] = (X.to_numpy() @ weights[0])[0]  # or next to one, as rounding has it
    thresholds.sort(axis=1)
    found = batch.confusions(weights, thresholds)
    for w, cuts, counts in zip(weights, thresholds, found, strict=True):
        model = OrdinalLinearClassifier(w, cuts, range(1, r + 1))
        expected = confusion_matrix(y, model.predict(X), labels=range(1, r + 1))
        np.testing.assert_array_equal(counts, expected)


def least_cost(scores, codes, costs):
    """Try all thresholds that put the samples into classes differently."""
    cuttings = [-np.inf, *np.unique(scores)]
    each = itertools.combinations_with_replacement(cuttings, len(costs) - 1)
    return min(costs[codes, np.searchsorted(cuts, scores)].sum() for cuts in each)


@pytest.mark.parametrize("r", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_no_thresholds_cost_less_than_the_exact_ones(awkward, seed, r):
    X, y = awkward(seed, r, n=14)
    data = make_data((X, y))
    rng = np.random.default_rng(seed)
    weights, costs = rng.normal(size=(5, X.shape[1])), np.round(9 * rng.random((5, r, r)))
    thresholds, totals = LinearBatch(data).exact_thresholds(weights, costs)
    assert (np.diff(thresholds, axis=1) >= 0.0).all()
    for i in range(5):
        model = OrdinalLinearClassifier(weights[i], thresholds[i], range(r))
        paid = costs[i][data.codes, model.predict(X)].sum()
        assert paid == pytest.approx(totals[i], rel=1e-12)
        assert paid == least_cost(model.decision_function(X), data.codes, costs[i])


def measure_all(batch, rng):
    weights, thresholds = draw_models(rng, 11, batch.n_features, batch.n_classes)
    costs = rng.random((11, batch.n_classes, batch.n_classes))
    return [batch.confusions(weights, thresholds), *batch.exact_thresholds(weights, costs)]


@pytest.mark.parametrize("size", [0, 1, 3, 10])
def test_batches_that_pass_in_parts_change_nothing(awkward, monkeypatch, size):
    data = make_data(awkward(3, 4))
    whole = measure_all(LinearBatch(data), np.random.default_rng(0))
    monkeypatch.setattr(linear_batch, "BATCH_BYTES", 8 * len(data) * size + 1)
    parts = measure_all(LinearBatch(data), np.random.default_rng(0))
    for part, expected in zip(parts, whole, strict=True):
        np.testing.assert_array_equal(part, expected)


@pytest.mark.parametrize("n_jobs", [2, 3, -1])
def test_threads_change_nothing(awkward, n_jobs):
    data = make_data(awkward(3, 4, n=15_000))
    alone, shared = LinearBatch(data), LinearBatch(data, n_jobs)
    expected = measure_all(alone, np.random.default_rng(0))
    for batch in (shared, pickle.loads(pickle.dumps(shared))):
        for one, other in zip(measure_all(batch, np.random.default_rng(0)), expected, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.fixture(scope="module")
def large(awkward):
    return make_data(awkward(3, 4, n=40_000))


def test_every_thread_has_its_part(large):
    meeting = threading.Barrier(3, timeout=30)  # broken unless three come at the same time
    parts = []

    def work(part):
        meeting.wait()
        parts.append(part)

    LinearBatch(large, n_jobs=3).in_parts(6, work)  # parts of one: each thread gets two
    assert sorted(i for part in parts for i in range(6)[part]) == list(range(6))


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_an_error_in_a_part_is_raised(large, n_jobs):
    def fail(part):
        raise MemoryError("no room")

    with pytest.raises(MemoryError, match="no room"):
        LinearBatch(large, n_jobs=n_jobs).in_parts(7, fail)


def test_the_data_are_counted_in_its_size(large):
    # Dask sends what is large to each worker once, not with each task.
    assert sys.getsizeof(LinearBatch(large)) > large.X.nbytes
