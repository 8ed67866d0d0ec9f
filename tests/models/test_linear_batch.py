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

from moselect.decision import exact_thresholds
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


@pytest.mark.parametrize("seed", range(4))
def test_costs_of_all_directions_are_those_of_each_alone(smooth, seed):
    r = 2 + seed
    X, codes = smooth(seed=seed, r=r, n=150, p=3)
    rng = np.random.default_rng(seed)
    weights, costs = rng.normal(size=(30, 3)), rng.exponential(size=(r, r))
    thresholds, totals = LinearBatch(make_data((X, codes))).exact_thresholds(weights, costs)
    alone = [exact_thresholds(X @ w, codes, costs)[1] for w in weights]
    np.testing.assert_allclose(totals / 150, alone, rtol=1e-12)
    best = totals.argmin()
    predicted = OrdinalLinearClassifier(weights[best], thresholds[best], range(r)).predict(X)
    assert costs[codes, predicted].mean() == pytest.approx(min(alone), rel=1e-12)


def test_scores_are_those_of_the_samples_sorted_by_class(smooth):
    X, codes = smooth(seed=1, r=3, n=50, p=4)
    batch = LinearBatch(make_data((X, codes)))
    order = np.argsort(codes, kind="stable")
    weights = np.random.default_rng(0).normal(size=(7, 4))
    np.testing.assert_allclose(batch.scores(weights), weights @ X[order].T, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(batch.codes, codes[order])
    np.testing.assert_array_equal(batch.reversed_codes, 2 - codes[order])
    np.testing.assert_array_equal(batch.features, X[order].T)
    assert (batch.n_samples, batch.n_features, batch.n_classes) == (50, 4, 3)
    assert batch.class_counts.tolist() == np.bincount(codes).tolist()


def test_keys_sort_as_scores_do(smooth):
    X, codes = smooth(seed=2, r=3, n=80, p=4)
    batch = LinearBatch(make_data((X, codes)))
    weights = np.random.default_rng(0).normal(size=(5, 4))
    keys, scores = batch.keys(weights), batch.scores(weights)
    np.testing.assert_array_equal(np.argsort(keys, axis=1), np.argsort(scores, axis=1))
    np.testing.assert_array_equal(batch.sorted_keys(weights), np.sort(keys, axis=1))
    lowest = (1 << batch.bits) - 1
    np.testing.assert_array_equal(keys & lowest, np.tile(batch.reversed_codes, (5, 1)))


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


@pytest.mark.parametrize("n_jobs", [0, True, 1.5, "all"])
def test_bad_numbers_of_threads(awkward, n_jobs):
    with pytest.raises(ValueError, match="n_jobs is"):
        LinearBatch(make_data(awkward(3, 4)), n_jobs)


@pytest.mark.parametrize("columns", [5, 7])
def test_models_for_other_features_are_refused(awkward, columns):
    batch = LinearBatch(make_data(awkward(0, 3)))
    weights, thresholds = draw_models(np.random.default_rng(0), 4, columns, 3)
    message = f"X has 6 features, but the model needs {columns}"
    with pytest.raises(ValueError, match=message):
        batch.confusions(weights, thresholds)
    with pytest.raises(ValueError, match=message):
        batch.exact_thresholds(weights, np.ones((3, 3)))


def test_the_data_are_counted_in_its_size(large):
    # Dask sends what is large to each worker once, not with each task.
    assert sys.getsizeof(LinearBatch(large)) > large.X.nbytes
