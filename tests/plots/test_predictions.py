import numpy as np
import pandas as pd
import sklearn.metrics

from moselect.plots import confusion_matrix, thresholds
from tests.plots.conftest import CLASSES

rng = np.random.default_rng(0)
CODES, PREDICTED = rng.integers(3, size=(2, 200))
NAMES = np.array(CLASSES)[PREDICTED]


def cells(ax, r=3):
    """Counts and shares in per cent, as they are written."""
    lines = [text.get_text().split("\n") for text in ax.texts]
    places = [text.get_position() for text in ax.texts]
    assert places == [(k, i) for i in range(r) for k in range(r)]
    return np.array(lines).reshape(r, r, 2)


def test_cells_hold_counts_and_shares_of_the_true_class():
    ax = confusion_matrix(pd.Categorical.from_codes(CODES, CLASSES, ordered=True), NAMES)
    counts = sklearn.metrics.confusion_matrix(CODES, PREDICTED)
    shares = sklearn.metrics.confusion_matrix(CODES, PREDICTED, normalize="true")
    written = cells(ax)
    assert written[..., 0].tolist() == [[str(n) for n in row] for row in counts]
    assert written[..., 1].tolist() == [
        [f"{100 * share:.0f} %" for share in row] for row in shares
    ]
    assert [label.get_text() for label in ax.get_yticklabels()] == CLASSES


def test_thresholds_are_drawn_with_their_error_rates(searched, selected):
    _, X, y = searched
    ax = thresholds(selected, X, y)
    (right,) = ax.child_axes
    classes = selected.classes_
    predicted = selected.predict(X)
    for boundary, text in enumerate(right.get_yticklabels(), start=1):
        is_above = np.isin(y, classes[boundary:])
        predicted_above = np.isin(predicted, classes[boundary:])
        miss_rate = np.mean(~predicted_above[is_above])
        false_alarm_rate = np.mean(predicted_above[~is_above])
        rates = "miss rate {:.0f} %\nfalse alarm rate {:.0f} %"
        assert text.get_text() == rates.format(100 * miss_rate, 100 * false_alarm_rate)
    dots = sum(len(line.get_xdata()) for line in ax.lines if line.get_marker() == "o")
    assert dots == len(y)
