"""No command replaces a file unasked."""

from __future__ import annotations

import pytest


@pytest.mark.slow
def test_a_file_that_is_there_is_replaced_by_force_only(inside, tmp_path):
    search = ("search", "boston", "--out", "run", "--evaluations", "60", "--particles", "20")
    assert inside(*search).returncode == 0
    select = ("select", "run", "--class-costs", "1,1,1,5,5")
    assert inside(*select).returncode == 0
    for command, name in (
        (("report", "run"), "page.html"),  # by default
        (("report", "run", "-o", "p.html"), "p.html"),
        (("predict", "model.json", "boston", "-o", "p.csv"), "p.csv"),
        ((*select, "-o", "m.json"), "m.json"),
        (select, "model.json"),
    ):
        (tmp_path / name).write_text("mine")
        if name == "model.json":
            assert inside("predict", "m.json", "boston").returncode == 0  # the other one is whole
        done = inside(*command)
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert line.endswith(
            f"'{name}' exists already: name another file (-o) or replace it (--force)"
        )
        assert (tmp_path / name).read_text() == "mine"
        assert inside(*command, "--force").returncode == 0
        assert len((tmp_path / name).read_text()) > 1000


def test_pictures_are_not_written_through_links(inside, tmp_path):
    search = ("search", "boston", "--out", "run", "--evaluations", "60", "--particles", "20")
    assert inside(*search, "--folds", "0").returncode == 0
    figures, victim = tmp_path / "run" / "figures", tmp_path / "victim" / "fronts.png"
    victim.parent.mkdir()
    victim.write_text("mine")
    (figures / "fronts.png").unlink()
    (figures / "fronts.png").symlink_to(victim)
    assert inside("plot", "run").returncode == 0
    assert not (figures / "fronts.png").is_symlink()
    (figures / "fronts.png").unlink()
    figures.rmdir()
    figures.symlink_to(victim.parent)
    assert inside("plot", "run").returncode == 0
    assert (figures / "fronts.png").is_file()
    assert victim.read_text() == "mine"
