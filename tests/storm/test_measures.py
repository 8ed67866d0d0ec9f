"""Measures of arguments of any type and layout: the numbers of brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sklearn

from moselect import metrics
from tests.storm import twins
from tests.storm.arguments import (
    LABELS,
    LAYOUTS,
    SCORE_TYPES,
    labels_of,
    layouts,
    samples,
    score_array,
)
from tests.storm.commands import examples

pytestmark = pytest.mark.slow

RANKING = ("vus", "u_cons", "u_ovo", "u_pairs")
SCALES = (1.0, 1e-90, 1e90, 3.0)


@examples(400)
@given(
    samples(),
    st.sampled_from(LABELS),
    layouts,
    layouts,
    st.sampled_from(SCORE_TYPES),
    st.sampled_from(RANKING),
    st.sampled_from(("strict", "average")),
    st.sampled_from(SCALES),
)
def test_ranking_measures(drawn, kind, label_layout, score_layout, of, measure, ties, scale):
    labels, dtype = labels_of(kind, drawn.r)
    y = LAYOUTS[label_layout](np.array([labels[code] for code in drawn.codes], dtype=dtype))
    scores = score_array(drawn.scores, of)
    if isinstance(scores, np.ndarray):
        scores = LAYOUTS[score_layout](scores)
    weights = [scale * weight for weight in drawn.weights]
    found = getattr(metrics, f"{measure}_score")(
        y, scores, ties=ties, sample_weight=weights, labels=labels if kind == "words" else None
    )
    expected = twins.ranking(measure, drawn.codes, drawn.scores, drawn.weights, ties)
    assert found == pytest.approx(expected, abs=1e-12)


@examples(300)
@given(samples(), st.sampled_from(LABELS), layouts, layouts, st.sampled_from(SCALES))
def test_measures_of_classes(drawn, kind, first, second, scale):
    labels, dtype = labels_of(kind, drawn.r)
    y, predicted = (
        LAYOUTS[layout](np.array([labels[code] for code in codes], dtype=dtype))
        for layout, codes in ((first, drawn.codes), (second, drawn.predicted))
    )
    given_labels = {"labels": labels}
    weights = [scale * weight for weight in drawn.weights]
    accuracy = metrics.accuracy_score(y, predicted, sample_weight=weights, **given_labels)
    error = metrics.mean_absolute_error(y, predicted, sample_weight=weights, **given_labels)
    kappa = metrics.weighted_kappa_score(y, predicted, sample_weight=weights, **given_labels)
    plain = drawn.codes, drawn.predicted, drawn.weights
    assert accuracy == pytest.approx(twins.accuracy(*plain), abs=1e-12)
    assert error == pytest.approx(twins.absolute_error(*plain), abs=1e-12)
    codes, guessed, plain_weights = plain
    oracle = sklearn.cohen_kappa_score(
        codes, guessed, weights="linear", sample_weight=plain_weights
    )
    assert kappa == pytest.approx(oracle, abs=1e-9)
