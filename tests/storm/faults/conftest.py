"""One folder with something that each command wrote, and how many moments are tried.

``MOSELECT_STORM=20 pytest tests/storm/faults`` tries twenty times as many, and
``MOSELECT_STORM_SEED=7`` others.
"""

from __future__ import annotations

import os

import pytest

from tests.storm.faults.commands import fill

SEED = int(os.environ.get("MOSELECT_STORM_SEED", "0"))
FACTOR = int(os.environ.get("MOSELECT_STORM", "1"))


def pytest_collection_modifyitems(items):
    for item in items:
        if "storm/faults" in item.path.as_posix():
            item.add_marker(pytest.mark.slow)
            if not hasattr(os, "fork"):
                item.add_marker(pytest.mark.skip(reason="commands run in copies of this process"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Print the command that repeats a failure."""
    report = yield
    if report.failed and "storm/faults" in item.path.as_posix():
        command = f"MOSELECT_STORM={FACTOR} MOSELECT_STORM_SEED={SEED} pytest -n 0 '{item.nodeid}'"
        report.sections.append(("repeat this failure by", command))
    return report


@pytest.fixture(scope="session")
def filled(tmp_path_factory):
    """Return a folder with a table, a run, models, predictions, a comparison and a page."""
    return fill(tmp_path_factory.mktemp("filled"))


@pytest.fixture(scope="session")
def storm():
    """Return the seed of all moments and how many times as many are tried."""
    return SEED, FACTOR
