"""Batches of linear models, against one model at a time."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from moselect.models.linear_batch import LinearBatch
from moselect.predictor import OrdinalLinearClassifier
from moselect.samples import Samples


@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
@settings(max_examples=15)
def test_confusions_match_one_model_at_a_time(awkward, seed, r):
    X, y = awkward(seed, r)
    batch = LinearBatch(Samples.from_table(X, y))
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=(6, X.shape[1]))
    thresholds = 1e7 * rng.normal(
        size=(6, r - 1)
    )  # on the scale of the scores, which one feature dominates
    # One threshold equals a score up to rounding.
    thresholds[0, 0] = (X.to_numpy() @ weights[0])[0]
    thresholds.sort(axis=1)
    found = batch.confusions(weights, thresholds)
    for w, row_thresholds, counts in zip(weights, thresholds, found, strict=True):
        model = OrdinalLinearClassifier(w, row_thresholds, range(1, r + 1))
        expected = confusion_matrix(y, model.predict(X), labels=range(1, r + 1))
        np.testing.assert_array_equal(counts, expected)
