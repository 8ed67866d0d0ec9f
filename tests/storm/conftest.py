from __future__ import annotations

import os

import pytest

from tests.storm.campaign import FACTOR, SEED


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Print the command that repeats a failure."""
    report = (yield).get_result()
    if report.failed:
        chosen = [f"{name}={os.environ[name]}" for name in (FACTOR, SEED) if name in os.environ]
        command = " ".join([*chosen, f"python -m pytest -n 0 '{item.nodeid}'"])
        report.sections.append(("to repeat this failure", command))
