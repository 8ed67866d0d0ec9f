"""Confusion matrices and calibration counted in parts, against the measures of the whole."""

from __future__ import annotations

import json

import numpy as np
import pytest

from moselect.metrics import (
    CalibrationCounts,
    PredictionCounts,
    accuracy_score,
    count_confusion,
    mean_absolute_error,
    ranked_probability_error,
)


@pytest.fixture(params=[False, True])
def data(request):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 500)
    weights = rng.exponential(size=500) if request.param else None
    return y, rng.integers(0, 4, 500), rng.dirichlet(np.ones(4), 500), weights


def part(values, half):
    return None if values is None else np.array_split(values, 2)[half]


def test_predictions(data):
    y, predicted, _, weights = data
    halves = [
        PredictionCounts(range(4)).update(part(y, i), part(predicted, i), part(weights, i))
        for i in (0, 1)
    ]
    counts = halves[0].merge(halves[1])
    np.testing.assert_array_equal(counts.matrix, halves[1].merge(halves[0]).matrix)
    expected = count_confusion(y, predicted, weights)
    np.testing.assert_allclose(counts.matrix, expected.matrix, rtol=1e-12)
    confusion = counts.confusion
    mae = mean_absolute_error(y, predicted, sample_weight=weights)
    assert confusion.mean(confusion.distances) == pytest.approx(mae)
    macro = mean_absolute_error(y, predicted, sample_weight=weights, average="macro")
    assert confusion.mean(confusion.distances, "macro") == pytest.approx(macro)
    accuracy = accuracy_score(y, predicted, sample_weight=weights)
    assert confusion.mean(np.eye(4)) == pytest.approx(accuracy)
    again = PredictionCounts.from_document(json.loads(json.dumps(counts.to_document())))
    np.testing.assert_array_equal(again.matrix, counts.matrix)


def test_calibration(data):
    y, _, proba, weights = data
    halves = [
        CalibrationCounts(range(4), 7).update(part(y, i), part(proba, i), part(weights, i))
        for i in (0, 1)
    ]
    counts = halves[0].merge(halves[1])
    error = ranked_probability_error(y, proba, sample_weight=weights, labels=range(4))
    assert counts.ranked_probability_error == pytest.approx(error)
    w = np.ones(500) if weights is None else weights
    for split in range(3):
        p, above = proba[:, split + 1 :].sum(axis=1), y > split
        total = 0.0
        for low in range(7):
            here = (p * 7 >= low) & (p * 7 < low + 1)
            total += abs((w * (p - above))[here].sum())
        assert counts.calibration_error[split] == pytest.approx(total / w.sum())
    table = counts.table()
    assert table["weight"].sum() == pytest.approx(3 * w.sum())
    assert table["observed"].between(0, 1).all()
    again = CalibrationCounts.from_document(json.loads(json.dumps(counts.to_document())))
    np.testing.assert_array_equal(again.observed, counts.observed)


@pytest.mark.parametrize("kind", [PredictionCounts, CalibrationCounts])
def test_what_does_not_fit_is_refused(kind):
    counts = kind([1, 2])
    with pytest.raises(ValueError, match="cannot be merged"):
        counts.merge(kind([2, 1]))
    with pytest.raises(ValueError, match="unknown label"):
        counts.update([3], [[0.5, 0.5]] if kind is CalibrationCounts else [1])
    with pytest.raises(ValueError, match="format"):
        kind.from_document({})
    with pytest.raises(ValueError, match="broken"):
        kind.from_document({"format": counts.to_document()["format"]})
    with pytest.raises(ValueError, match="broken"):
        kind.from_document(counts.to_document() | {"matrix": [[-1.0]], "observed": [[-1.0]]})
