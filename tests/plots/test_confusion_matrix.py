from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics

from moselect.plots import confusion_matrix

CLASSES = ["low", "middle", "high"]
rng = np.random.default_rng(0)
CODES, PREDICTED = rng.integers(3, size=(2, 200))
Y = pd.Categorical.from_codes(CODES, CLASSES, ordered=True)
NAMES = np.array(CLASSES)[PREDICTED]


def cells(ax, r=3):
    """Counts and shares in per cent, as they are written."""
    lines = [text.get_text().split("\n") for text in ax.texts]
    places = [text.get_position() for text in ax.texts]
    assert places == [(k, i) for i in range(r) for k in range(r)]
    return np.array(lines).reshape(r, r, 2)


def test_cells_hold_counts_and_shares_of_the_true_class():
    ax = confusion_matrix(Y, NAMES)
    counts = sklearn.metrics.confusion_matrix(CODES, PREDICTED)
    shares = sklearn.metrics.confusion_matrix(CODES, PREDICTED, normalize="true")
    written = cells(ax)
    assert written[..., 0].tolist() == [[str(n) for n in row] for row in counts]
    assert written[..., 1].tolist() == [[f"{share:.0%}" for share in row] for row in shares]
    for axis in (ax.xaxis, ax.yaxis):
        assert [label.get_text() for label in axis.get_ticklabels()] == CLASSES
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted class", "true class")
    assert ax.get_ylim() == (2.5, -0.5)  # the lowest class on top


def test_colours_are_the_stronger_the_greater_the_share():
    y = [0] * 10 + [1] * 10
    predicted = [0] * 9 + [1] + [0] * 10
    (image,) = confusion_matrix(y, predicted).images
    right, wrong, all_wrong, nothing = np.asarray(image.get_array()).reshape(4, 3)
    np.testing.assert_allclose(nothing, 1.0)
    ink = [np.abs(1.0 - colour).sum() for colour in (wrong, right, all_wrong)]
    assert ink == sorted(ink)
    assert right[2] > right[0]  # blue
    assert all_wrong[0] > all_wrong[2]  # orange


def test_weights_count_and_classes_without_objects_have_no_shares():
    weights = rng.random(200)
    kept = CODES != 1
    ax = confusion_matrix(
        np.array(CLASSES)[CODES[kept]], NAMES[kept], sample_weight=weights[kept], labels=CLASSES
    )
    counts = sklearn.metrics.confusion_matrix(
        CODES[kept], PREDICTED[kept], sample_weight=weights[kept], labels=range(3)
    )
    written = cells(ax)
    np.testing.assert_allclose(written[..., 0].astype(float), counts, rtol=1e-4)
    assert written[1].tolist() == [["0", "\N{EN DASH}"]] * 3


def test_cells_too_small_for_text_have_none():
    codes = np.arange(60)
    assert len(confusion_matrix(codes, codes).texts) == 0
    assert len(confusion_matrix(codes % 8, codes % 8).texts) == 64


@pytest.mark.parametrize(
    ("y", "predicted", "message"),
    [
        (Y, NAMES[:9], r"y_true has shape \(200,\) but y_pred has shape \(9,\)"),
        (np.array(CLASSES)[CODES], NAMES, "order"),
        (Y, ["none"] * 200, "unknown label none"),
    ],
)
def test_wrong_input_is_refused(y, predicted, message):
    with pytest.raises(ValueError, match=message) as caught:
        confusion_matrix(y, predicted)
    assert "\n" not in str(caught.value)
