import numpy as np
import pandas as pd
import sklearn.metrics

from moselect.plots import confusion_matrix
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
