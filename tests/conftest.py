import gc
import itertools
import os
import sys

# Before numpy starts: sums of two processes at once, each in as many threads as there are cores,
# wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Commands take all cores, but every core has a test to run.
os.environ.setdefault("LOKY_MAX_CPU_COUNT", "1")

import numpy as np
import pandas as pd
import pytest
from hypothesis import is_hypothesis_test, settings

from moselect.datasets import load_boston

# No deadline, for the machine may do other things, too; the same examples in every run.
settings.register_profile("all", max_examples=50, deadline=None, derandomize=True)
settings.register_profile("few", settings.get_profile("all"), max_examples=15)

LONGEST = {"test_interrupted_writes", "test_results", "test_claims", "test_notebooks"}


def pytest_configure(config):
    settings.load_profile("few" if config.option.markexpr == "not slow" else "all")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Run property tests again as slow tests, with all their examples."""
    if config.option.markexpr == "slow":
        for item in items:
            test = getattr(item, "obj", None)
            if not is_hypothesis_test(test):
                continue
            # A test with its own number of examples runs them among the quick tests.
            examples = test._hypothesis_internal_use_settings.max_examples
            if examples == settings.default.max_examples:
                item.add_marker("slow")
        # The longest files begin first, so that processes end at about the same time.
        items.sort(key=lambda item: item.path.stem not in LONGEST)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Exclude modules and tests, which live to the end, from garbage collection."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def close_figures():
    """Close the figures of a test, because pyplot keeps them."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture
def rng():
    """Return a random generator, with the same draws in each test."""
    return np.random.default_rng(99)


@pytest.fixture(scope="session")
def boston():
    return load_boston()


@pytest.fixture(scope="session")
def awkward():
    """Draw a table with numerical difficulties, and ordinal labels 1 .. r.

    Few distinct values and repeated rows (ties), a collinear and a constant column, features of
    very different scale and offset.
    """

    def draw(seed, r, n=40):
        rng = np.random.default_rng(seed)
        ranks = rng.permutation(
            np.r_[np.arange(r), np.arange(r), rng.integers(r, size=n - 2 * r)]
        )
        a, b, c, d = (ranks + rng.integers(0, 4, size=(4, n))) // 2
        table = {
            "few": a,
            "halves": b / 2,
            "sum": a + 3 * b,
            "constant": np.full(n, 7.3),
            "huge": 1e6 * c - 3e7,
            "small": 1e-5 * d + 1.0,
        }
        X = pd.DataFrame(table, dtype=float)
        X.iloc[n // 2 : n // 2 + 5] = X.iloc[:5].to_numpy()  # equal rows, other labels
        return X, pd.Series(ranks + 1)

    return draw


@pytest.fixture(scope="session")
def plain_measures():
    """Six objectives from scores, thresholds, ranks 0 .. r - 1 and weights, in plain numpy."""

    def measures(scores, thresholds, ranks, weights=None):
        r = len(thresholds) + 1
        w = np.ones(len(ranks)) if weights is None else weights

        def pairs(low, high):
            right = scores[low][:, None] < scores[high]
            return w[low] @ right @ w[high], w[low].sum() * w[high].sum()

        predicted = (scores[:, None] > thresholds).sum(axis=1)
        parts = [ranks == k for k in range(r)]
        chains = w[parts[0]]
        for low, high in itertools.pairwise(parts):
            chains = w[high] * ((scores[high][:, None] > scores[low]) @ chains)
        couples = [pairs(low, high) for low, high in itertools.combinations(parts, 2)]
        splits = [pairs(ranks < k, ranks >= k) for k in range(1, r)]
        return np.array(
            [
                np.average(predicted == ranks, weights=weights),
                1 - np.average(np.abs(predicted - ranks), weights=weights),
                chains.sum() / np.prod([w[part].sum() for part in parts]),
                np.mean([right / possible for right, possible in splits]),
                np.mean([right / possible for right, possible in couples]),
                np.divide(*np.sum(couples, axis=0)),
            ]
        )

    return measures


@pytest.fixture(scope="session")
def dominated():
    """Find which points (n, m) are dominated by one of ``others`` (k, m)."""

    def find(points, others):
        points = np.asarray(points)
        others = np.asarray(others)
        return np.array(
            [((others >= p).all(axis=1) & (others > p).any(axis=1)).any() for p in points]
        )

    return find


@pytest.fixture
def write(tmp_path):
    """Write a text file and return its path."""

    def write_file(text, name="table.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


@pytest.fixture
def table():
    """Draw a number that follows the classes, and a category that does not."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 200)
    X = pd.DataFrame(
        {"age": codes + rng.normal(size=200), "town": rng.choice(list("abc"), 200)}
    )
    return X, codes


@pytest.fixture
def set_budget(monkeypatch):
    """Return a function that sets attributes of a budget for a test."""

    def set_attributes(budget, **values):
        for name, value in values.items():
            monkeypatch.setattr(budget, name, value)

    return set_attributes
