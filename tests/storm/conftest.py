"""The storm: how long it blows, and how to repeat what it has broken.

``MOSELECT_STORM=20 pytest tests/storm`` tries twenty times as many examples as by default, and
``--hypothesis-seed=N`` other ones.
"""

from __future__ import annotations

import os

import pytest

FACTOR = "MOSELECT_STORM"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Print the command that repeats a failure."""
    report = (yield).get_result()
    if report.failed and item.get_closest_marker("slow"):
        seed = item.config.getoption("--hypothesis-seed", default=None)
        chosen = "" if seed is None else f" --hypothesis-seed={seed}"
        factor = os.environ.get(FACTOR, "1")
        command = f"{FACTOR}={factor} python -m pytest -n 0 '{item.nodeid}'{chosen}"
        report.sections.append(("to repeat this failure", command))
