import itertools

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import moselect
from moselect.metrics import OBJECTIVES

NAMES = list(OBJECTIVES)
CLASSES = ["low", "middle", "high"]


def make_objectives(k=40, m=6, seed=0):
    """Draw the objectives of k models."""
    values = np.random.default_rng(seed).uniform(0.7, 0.8, (k, m))
    return pd.DataFrame(values, columns=NAMES[:m])


def lines(ax, label):
    """Return the lines whose labels begin so."""
    return [line for line in ax.lines if str(line.get_label()).startswith(label)]


def legend(shown):
    return [text.get_text() for text in shown.get_texts()]


@pytest.fixture(scope="session")
def searched():
    """Return a small search with its rows and their ordered labels."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 5)), columns=list("abcde"))
    hidden = X["a"] - 0.5 * X["b"] + (0.5 + X["c"] ** 2) * rng.normal(size=100)
    y = pd.cut(hidden, [-np.inf, -0.3, 0.8, np.inf], labels=CLASSES)
    settings = {"n_particles": 20, "n_iterations": 4, "cv": 2, "holdout": 0.4}
    return moselect.ParetoSearch(**settings, random_state=0).fit(X, y), X, y


def labels_out_of_sight(ax):
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if not low <= tick.get_loc() <= high:
                yield from (tick.label1, tick.label2)


def texts_in_sight(figure):
    """Lay a figure out and return its visible texts, and the pairs that overlap."""
    figure.draw_without_rendering()
    hidden = {label for ax in figure.axes for label in labels_out_of_sight(ax)}
    boxes = {
        text: text.get_window_extent().shrunk(0.98, 0.9)
        for text in figure.findobj(Text)
        if text.get_visible() and text.get_text() and text not in hidden
    }
    visible = [text for text, box in boxes.items() if figure.bbox.overlaps(box)]
    touching = [
        (one.get_text(), other.get_text())
        for one, other in itertools.combinations(visible, 2)
        if boxes[one].overlaps(boxes[other])
        and one.get_rotation() % 90 == other.get_rotation() % 90 == 0  # boxes are tight
    ]
    return visible, touching


@pytest.fixture(scope="session")
def selected(searched):
    limits = {"high<high": 0.6}
    return searched[0].select([1, 1, 4], model="linear", limits=limits)
