"""Measures of arguments of any type and layout: the numbers of brute force, or a refusal."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sklearn

from moselect import metrics
from tests.storm import twins
from tests.storm.campaign import storm
from tests.storm.commands import check_message, no_hang
from tests.storm.strategies.arguments import (
    LABELS,
    LAYOUTS,
    SCORE_TYPES,
    labels_of,
    layouts,
    samples,
    score_array,
)

pytestmark = pytest.mark.slow

RANKING = ("vus", "u_cons", "u_ovo", "u_pairs")
SCALES = (1.0, 1e-200, 1e200, 2.0**900, 1e-300, 3.0)


@storm(800)
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
    with no_hang():
        found = getattr(metrics, f"{measure}_score")(
            y, scores, ties=ties, sample_weight=weights, labels=labels if kind == "words" else None
        )
    expected = twins.ranking(measure, drawn.codes, drawn.scores, drawn.weights, ties)
    assert found == pytest.approx(expected, abs=1e-12)


@storm(500)
@given(samples(), st.sampled_from(LABELS), layouts, layouts, st.sampled_from(SCALES))
def test_measures_of_classes(drawn, kind, first, second, scale):
    labels, dtype = labels_of(kind, drawn.r)
    y, predicted = (
        LAYOUTS[layout](np.array([labels[code] for code in codes], dtype=dtype))
        for layout, codes in ((first, drawn.codes), (second, drawn.predicted))
    )
    given_labels = {"labels": labels}
    weights = [scale * weight for weight in drawn.weights]
    with no_hang():
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


BAD_SCORES = (np.nan, np.inf, -np.inf, None, "x", 1j, np.datetime64("NaT"), pd.NA, pd.NaT, [], {})
BAD_LABELS = (np.nan, None, pd.NA, pd.NaT, np.datetime64("NaT"), 2**64, -(2**63) - 1, 1j, [1], {})
BAD_WEIGHTS = (np.nan, np.inf, -1.0, None, "x", 1j, pd.NA, [1.0], np.datetime64("NaT"))


def refused(function, *arguments, **options):
    """Check that something is refused in one line, or measured as a finite number."""
    try:
        with no_hang(), warnings.catch_warnings():
            warnings.simplefilter("error")
            found = function(*arguments, **options)
    except (TypeError, ValueError) as error:
        check_message(error)
    else:
        assert np.isfinite(found), found


def spoilt(values, at, value, wrap):
    changed = list(values)
    changed[at % len(changed)] = value
    return wrap(changed)


def as_objects(values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


WRAPS = (list, tuple, as_objects, lambda v: pd.Series(v, dtype=object))
ALL = tuple(
    getattr(metrics, name)
    for name in (
        *(f"{measure}_score" for measure in RANKING),
        *("accuracy_score", "mean_absolute_error", "mean_squared_error", "weighted_kappa_score"),
        *("minimum_sensitivity_score", "off_by_one_accuracy_score", "maximum_mean_absolute_error"),
        *("kendall_tau_b_score", "somers_d_score", "goodman_kruskal_gamma_score"),
        *("spearman_score", "regression_roc_auc_score"),
    )
)


@storm(800)
@given(
    samples(),
    st.sampled_from(ALL),
    st.integers(0, 30),
    st.sampled_from(("label", "score", "weight", "shape", "masked", "extreme")),
    st.sampled_from(WRAPS),
    st.data(),
)
def test_what_cannot_be_measured(drawn, function, at, what, wrap, data):
    of_classes = function.__name__ in (one.__name__ for one in ALL[4:11])
    y, weights = [code + 1 for code in drawn.codes], None
    second = [code + 1 for code in drawn.predicted] if of_classes else drawn.scores
    takes_weights = "sample_weight" in function.__kwdefaults__ if function.__kwdefaults__ else False
    if what == "label":
        y = spoilt(y, at, data.draw(st.sampled_from(BAD_LABELS)), wrap)
    elif what == "score":
        bad = BAD_LABELS if of_classes else BAD_SCORES
        second = spoilt(second, at, data.draw(st.sampled_from(bad)), wrap)
    elif what == "weight":
        weights = spoilt(drawn.weights, at, data.draw(st.sampled_from(BAD_WEIGHTS)), wrap)
    elif what == "shape":
        second = data.draw(
            st.sampled_from((second[:-1], [], [second], [[s] for s in second], None, 3, "text"))
        )
    elif what == "masked":
        second = np.ma.MaskedArray(second, mask=[i == at % len(second) for i in range(len(second))])
    else:
        weights = spoilt(drawn.weights, at, data.draw(st.sampled_from((1e308, 1e-308, 0.0))), wrap)
    options = {"sample_weight": weights} if takes_weights and weights is not None else {}
    refused(function, y, second, **options)
