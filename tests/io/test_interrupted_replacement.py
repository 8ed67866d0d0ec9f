"""A kill during a replacement leaves the complete old run or the complete new one."""

import os

import pytest

from moselect.io import read_run, write_run
from moselect.io.kept import cached_selector
from moselect.io.unfinished import begin_run, end_run
from tests.children import KILLED, fork, kill_before, wait_for_exit
from tests.io.conftest import fit_grades

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a copy of this process"),
    pytest.mark.slow,
]


def killed_before(n, do):
    """Do something in a copy of this process that dies before its n-th change of the disk."""

    def die_or_do():
        kill_before(n)()
        do()
        return 0

    return wait_for_exit(fork(die_or_do)) == KILLED


def found_in(path):
    run = read_run(path)
    cached_selector(run, print, 1)  # its rows and samples are there, too
    return as_text(run.front)


def as_text(front):
    return "".join(one.to_frame().to_csv() for one in (front, *front.fold_fronts))


@pytest.mark.parametrize("old", ["finished", "interrupted"])
def test_a_run_is_replaced_atomically(tmp_path, data, old):
    first, second = (fit_grades(data, random_state=seed) for seed in (1, 2))
    fronts = [as_text(search.front_) for search in (first, second)]
    assert fronts[0] != fronts[1]
    found = []
    for n in range(100):
        path = tmp_path / f"run-{n}"
        if old == "interrupted":
            with begin_run(path, first.searched_.samples.settings, data):
                pass
        write_run(path, first, data, 1.0)

        def replace(path=path):
            write_run(path, second, data, 1.0)
            end_run(path)

        killed = killed_before(n, replace)
        found.append(fronts.index(found_in(path)))
        write_run(path, second, data, 1.0)  # whatever was left, the next one ends well
        end_run(path)
        assert found_in(path) == fronts[1]
        arrays, *others = sorted(p.name for p in path.iterdir())
        assert arrays.startswith("arrays-")
        assert others[:2] == ["front.csv", "run.json"]
        assert [name.partition("-")[0] for name in others[2:]] == ["table"]
        if not killed:
            break
    assert n > 4
    assert found == sorted(found)
    assert set(found) == {0, 1}
