"""Figures are those stored: they change only by a commit that says which and why."""

import json
from pathlib import Path

import pytest

from tests.frozen.results import CASES, figures, made_with, processor

TOLERANCE = 1e-12
# Of another processor: sums that are rounded otherwise, through an iterative fit.
TOLERANCE_ELSEWHERE = 1e-7


def differences(found, stored, tolerance, place=""):
    """List the places at which two nested lists differ, numbers by more than the tolerance."""
    if isinstance(found, list) and isinstance(stored, list):
        if len(found) != len(stored):
            return [f"{place}: {len(found)} entries, {len(stored)} stored"]
        pairs = enumerate(zip(found, stored, strict=True))
        return [
            line
            for i, pair in pairs
            for line in differences(*pair, tolerance, f"{place}[{i}]")
        ]
    if isinstance(found, float) and isinstance(stored, float):
        is_same = found == pytest.approx(
            stored, rel=tolerance, abs=tolerance, nan_ok=True
        )
    else:
        is_same = found == stored
    return [] if is_same else [f"{place}: {found}, {stored} stored"]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_figures_are_as_stored(case):
    stored = json.loads(Path(__file__).with_name(f"{case}.json").read_text("utf-8"))
    if stored.pop("made with") != made_with():
        pytest.skip("the stored figures hold for other versions")
    is_same = stored.pop("processor") == processor()
    tolerance = TOLERANCE if is_same else TOLERANCE_ELSEWHERE
    found = json.loads(json.dumps(figures(case)))
    assert found.keys() == stored.keys()
    assert [
        line
        for name in stored
        for line in differences(found[name], stored[name], tolerance, name)
    ] == []
