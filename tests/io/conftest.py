"""One fitted search for all tests that write and read run folders."""

import contextlib
import signal
import sys

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


@pytest.fixture
def limit_file_size():
    """Context that limits the size of each file in bytes, as on a full disk."""
    resource = pytest.importorskip("resource")

    @contextlib.contextmanager
    def limited(size):
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
        sys.dont_write_bytecode, writes = True, sys.dont_write_bytecode
        try:
            yield  # Python would leave modules cut off
        finally:
            sys.dont_write_bytecode = writes
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, before)

    return limited


@pytest.fixture(scope="session")
def data():
    return draw_grades()


@pytest.fixture(scope="session")
def search(data):
    return fit_grades(data)
