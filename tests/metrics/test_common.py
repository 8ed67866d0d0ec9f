"""Invariances and input validation of all measures."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moselect import inference, metrics
from moselect.metrics.scorers import MEASURES

COSTS = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [9.0, 5.0, 0.5]])
SCORES = {name: one.metric for name, one in MEASURES.items() if one.response == "score"}
RANKING = SCORES | {
    "ranking_scores": metrics.ranking_scores,
    "pairwise_auc_matrix": metrics.pairwise_auc_matrix,
}
VARIANTS = RANKING | {
    f"{name}, half credit": partial(metric, ties="average")
    for name, metric in RANKING.items()
}
LABELS = {name: one.metric for name, one in MEASURES.items() if one.response == "predict"}
LABELS["expected_cost"] = partial(metrics.expected_cost, cost_matrix=COSTS)
NAMES = ("low", "mid", "high")  # alphabetical order differs


@st.composite
def rankings(draw):
    """Draw three classes, scores with ties, and integer weights."""
    codes = np.array([0, 1, 2, *draw(st.lists(st.integers(0, 2), max_size=20))])
    grid = st.integers(-5, 5)
    scores = np.array([0, 1, *draw(st.lists(grid, min_size=len(codes) - 2, max_size=30))])
    codes, scores = codes[: len(scores)], scores[: len(codes)] / 4
    weights = np.array(
        draw(st.lists(st.integers(1, 3), min_size=len(codes), max_size=len(codes)))
    )
    return codes, scores, weights


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def check_weights(measure, codes, predictions, weights, added):
    """Weights equal repetitions on any scale, in any order; weight 0 removes ``added``."""
    n = len(codes)
    plain = measure(codes, predictions)
    shuffled = np.random.default_rng(n).permutation(n)
    close(measure(codes[shuffled], predictions[shuffled]), plain)
    close(measure(codes, predictions, sample_weight=np.ones(n)), plain)

    weighted = measure(np.repeat(codes, weights), np.repeat(predictions, weights, axis=0))
    close(measure(codes, predictions, sample_weight=weights), weighted)
    close(measure(codes, predictions, sample_weight=2.5 * weights), weighted)
    close(
        measure(codes[shuffled], predictions[shuffled], sample_weight=weights[shuffled]),
        weighted,
    )
    padded = np.append(codes, 1), np.concatenate([predictions, [added]])
    close(measure(*padded, sample_weight=np.append(weights, 0)), weighted)


def check_forms(measure, codes, predictions, other_form=None):
    """Numbers, strings in a given order and ordered categories are the same classes."""
    plain = measure(codes, predictions)
    strings = np.array(NAMES)[codes]
    ordered = pd.Categorical(strings, categories=NAMES, ordered=True)
    other_form = predictions if other_form is None else other_form
    close(measure(strings, other_form, labels=NAMES), plain)
    for form in (ordered, pd.Series(ordered)):
        close(measure(form, other_form), plain)


@pytest.mark.checks(
    "Measures", "monotone transformations, renamed classes, repeated rows as weights"
)
@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=15)
@given(sample=rankings())
def test_ranking_invariances(name, sample):
    measure = VARIANTS[name]
    codes, scores, weights = sample
    check_weights(measure, codes, scores, weights, added=0.1)
    check_forms(measure, codes, scores, pd.Series(scores))
    plain = measure(codes, scores)
    close(measure(codes, np.exp(3 * scores) - 7), plain)
    close(measure(codes, scores.astype(np.float32)), plain)
    close(measure(10 * codes**2 - 3, scores), plain)
    close(measure(codes, np.column_stack([scores, scores[::-1]]))[0], plain)


@pytest.mark.checks("Measures", "renamed classes, permuted rows, repeated rows")
@pytest.mark.slow
@pytest.mark.parametrize("name", LABELS)
@settings(max_examples=15)
@given(sample=rankings())
def test_label_invariances(name, sample):
    metric = LABELS[name]
    codes, scores, weights = sample
    predicted = np.clip(codes + np.sign(scores).astype(int), 0, 2)
    check_weights(metric, codes, predicted, weights, added=2)
    check_forms(metric, codes, predicted, np.array(NAMES)[predicted])
    plain = metric(codes, predicted)
    close(metric(10 * codes**2 - 3, 10 * predicted**2 - 3), plain)
    close(metric(codes / 2, predicted / 2), plain)
    ordered = pd.Series(pd.Categorical.from_codes(codes, NAMES, ordered=True))
    close(metric(ordered, ordered.iloc[::-1]), metric(codes, codes[::-1]))


@settings(max_examples=15)
@given(sample=rankings())
def test_probability_invariances(sample):
    metric = metrics.ranked_probability_error
    codes, scores, weights = sample
    proba = np.column_stack([np.abs(scores), codes, np.ones(len(codes))])
    proba /= proba.sum(axis=1, keepdims=True)
    check_weights(metric, codes, proba, weights, added=[1.0, 0.0, 0.0])
    check_forms(metric, codes, proba, pd.DataFrame(proba))
    is_low = codes < 2
    ordered = pd.Series(pd.Categorical.from_codes(codes, NAMES, ordered=True))
    close(
        metric(ordered[is_low], proba[is_low]),
        metric(codes[is_low], proba[is_low], labels=[0, 1, 2]),
    )


Y = [1, 2, 3, 3]
ASCENDING = [0.1, 0.2, 0.3, 0.4]
QUARTERS = [[0.5, 0.25, 0.25]] * 4
REFUSED = [
    *(
        (metric, y, predictions, options, message)
        for metric, predictions in (
            (metrics.vus_score, ASCENDING),
            (metrics.accuracy_score, Y),
            (metrics.ranked_probability_error, QUARTERS),
        )
        for y, options, message in (
            ([1, 2, 3], {}, r"y_true has|must have shape \(3, r\)"),
            ([1, 2, np.nan, 3], {}, "first at position 2"),
            (Y, {"labels": [1, 2, 3, 3]}, "names a class twice"),
            (Y, {"sample_weight": [1, 1, -1, 1]}, r"sample_weight\[2\] is -1"),
        )
    ),
    *(
        (metric, Y, predictions, {}, message)
        for metric, predictions, message in (
            (metrics.vus_score, np.zeros((4, 1, 1)), "y_score has shape"),
            (metrics.vus_score, [0.1, 0.2, np.nan, 0.4], r"y_score\[2\] is nan"),
            (
                metrics.ranked_probability_error,
                [[0.5, 0.5]] * 4,
                "2 columns but there are 3 classes",
            ),
            (
                metrics.ranked_probability_error,
                [*QUARTERS[:3], [1.5, -0.5, 0.0]],
                "row 3 of y_proba is 1.5, -0.5",
            ),
            (inference.ranking_inference, ASCENDING, "class 1, 2 has one"),
        )
    ),
    *(
        (metric, [1, 1, 3, 3], ASCENDING, {"labels": [1, 2, 3]}, "class 2 has none")
        for metric in RANKING.values()
    ),
    (inference.prediction_inference, [1, 1], [1, 1], {}, "one class only"),
    *(
        (LABELS[name], [1, 3, 3], [1, 2, 3], {"labels": [1, 2, 3]}, "class 2 has none")
        for name in ("macro_mean_absolute_error", "minimum_sensitivity")
    ),
    (LABELS["weighted_kappa"], [1, 1], [1, 1], {"labels": [1, 2]}, "kappa is undefined"),
]


@pytest.mark.parametrize(("metric", "y", "predictions", "options", "message"), REFUSED)
def test_invalid_samples_and_undefined_measures_are_refused(
    metric, y, predictions, options, message
):
    with pytest.raises(ValueError, match=message):
        metric(y, predictions, **options)
