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
        missed = 100 * np.mean(~predicted_above[is_above])
        alarms = 100 * np.mean(predicted_above[~is_above])
        rates = f"miss rate {missed:.0f} %\nfalse alarm rate {alarms:.0f} %"
        assert text.get_text() == rates
    dots = sum(len(line.get_xdata()) for line in ax.lines if line.get_marker() == "o")
    assert dots == len(y)


def test_scores_that_are_referred_are_grey(searched):
    search, X, y = searched
    model = search.select([1, 1, 4], model="linear", refer=0.4)
    ax = thresholds(model, X, y)
    scores = model.decision_function(X)
    grey = np.zeros(len(X), dtype=bool)
    for patch in ax.patches:
        if isinstance(patch, Rectangle):
            low = patch.get_x()
            grey |= (low < scores) & (scores < low + patch.get_width())
    is_inside = (scores > scores.min()) & (scores < scores.max())
    referred = model.predict(X) == "refer"
    assert referred.any()
    assert (grey == referred)[is_inside].all()
