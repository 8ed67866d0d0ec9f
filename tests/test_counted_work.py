"""The work of a search and a selection, counted: unlike time, it is the same on all machines."""

import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import moselect
from moselect.datasets import load_dataset
from moselect.search.direction_problem import DirectionProblem
from moselect.tables import cells
from tests.places import CLAIMS

TOP = Path(moselect.__file__).parent
# A doubling leaves the interval from count / root of 2 to count * root of 2, wherever it starts.
FACTOR = 2.0**0.5
EXPECTED = {
    "cells read": 246_594,
    "directions evaluated": 11_000,
    "fits of models": 72,
    "losses of optimisers": 7_662,
    "calls in labels": 11_600,  # from 9,900 after other tests, whose labels are cached, to 13,700
    "calls in models": 32_110,  # two of the likelihood for each loss of an optimiser
    "calls in operators": 18_994,
    "calls in predictor": 3_940,
    "calls in preprocessing": 22_271,
    "calls in samples": 5_810,
    "calls in search": 7_687,
    "calls in tables": 12_390,
}


@cache
def room_of(file):
    path = Path(file)
    if not path.is_relative_to(TOP):
        return None
    return path.relative_to(TOP).parts[0].removesuffix(".py")


def count_work(run):
    """Count cells, directions, fits, losses, and calls of functions in each package."""
    work = Counter()
    sized = {
        DirectionProblem.evaluate.__code__: ("directions evaluated", "positions"),
        cells.read_numbers.__code__: ("cells read", "column"),
        cells.read_dates.__code__: ("cells read", "column"),
    }
    of_models = {"fit": "fits of models"}
    of_models |= dict.fromkeys(["loss", "of_coordinates"], "losses of optimisers")

    def count(frame, event, argument):
        if event != "call":
            return
        code = frame.f_code
        room = room_of(code.co_filename)
        # Comprehensions are calls in some versions of Python only.
        if room is None or code.co_name.startswith("<"):
            return
        work[f"calls in {room}"] += 1
        if room == "models" and code.co_name in of_models:
            work[of_models[code.co_name]] += 1
        if code in sized:
            name, argument = sized[code]
            work[name] += len(frame.f_locals[argument])

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return work


def search_and_select():
    table = load_dataset(str(CLAIMS), target="severity")
    search = moselect.ParetoSearch(n_iterations=60, random_state=1, n_jobs=1)
    model = search.fit(table.X, table.y).select(class_costs=[1, 2, 5, 10])
    model.predict(table.X.iloc[:8])


@pytest.mark.slow
def test_a_search_and_a_selection_do_no_more_work_than_before():
    work = count_work(search_and_select)
    changed = {
        name: (work[name], expected)
        for name, expected in EXPECTED.items()
        if not expected / FACTOR < work[name] < expected * FACTOR
    }
    # Less work lowers the stored count, so that a later doubling is found, too.
    assert not changed, "counted and stored work differ: explain more, and store less"
