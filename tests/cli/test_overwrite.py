"""No command replaces a file unasked."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("report", "run"), "page.html"),  # by default
        (("report", "run", "-o", "p.html"), "p.html"),
        (("predict", "m.json", "t.csv", "-o", "p.csv"), "p.csv"),
        (("select", "run", "--model", 0, "-o", "n.json"), "n.json"),
        (("select", "run", "--model", 0), "model.json"),
    ],
)
def test_a_file_that_is_there_is_replaced_by_force_only(inside, tmp_path, run, command, name):
    assert inside("select", "run", "--model", 0, "-o", "m.json").returncode == 0
    (tmp_path / name).write_text("mine")
    done = inside(*command)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.endswith(f"'{name}' exists already: name another file (-o) or replace it (--force)")
    assert (tmp_path / name).read_text() == "mine"
    assert inside(*command, "--force").returncode == 0
    assert len((tmp_path / name).read_text()) > 1000
