"""One fitted search for all tests that write and read run folders."""

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.datasets import Dataset


def draw_grades(labels=(1, 2, 3)):
    """Draw a table of 60 rows with difficult column names, and the given labels."""
    rng = np.random.default_rng(0)
    codes = pd.Series(np.arange(60) % len(labels), name="grade")
    X = pd.DataFrame(rng.normal(size=(60, 2)) / 3.0, columns=["größe", "weight, kg"])
    X["größe"] += codes / 2.0
    y = codes.map(dict(enumerate(labels)))
    if isinstance(labels[0], str):
        y = y.astype(pd.CategoricalDtype(list(labels), ordered=True))
    return Dataset("schüler", X, y, tuple(labels), "grade")


def fit_grades(data, **settings):
    settings = {
        "n_particles": 10,
        "n_iterations": 3,
        "cv": 2,
        "random_state": 4,
        **settings,
    }
    return ParetoSearch(labels=data.labels, **settings).fit(data.X, data.y)


@pytest.fixture(scope="session")
def data():
    return draw_grades()


@pytest.fixture(scope="session")
def search(data):
    return fit_grades(data)
