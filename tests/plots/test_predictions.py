import numpy as np
from matplotlib.patches import Rectangle

from moselect.plots import thresholds


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


def test_scores_that_are_referred_are_grey(searched):
    search, X, y = searched
    model = search.select([1, 1, 4], model="linear", refer=0.4)
    ax = thresholds(model, X, y)
    scores = model.decision_function(X)
    spans = [
        (patch.get_x(), patch.get_x() + patch.get_width())
        for patch in ax.patches
        if isinstance(patch, Rectangle)
    ]
    in_a_span = np.any([(low < scores) & (scores < high) for low, high in spans], axis=0)
    is_inside = (scores > scores.min()) & (scores < scores.max())
    referred = model.predict(X) == "refer"
    assert referred.any()
    assert (in_a_span == referred)[is_inside].all()
