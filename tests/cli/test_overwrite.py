"""No command replaces a file unasked."""

from __future__ import annotations

import shutil

import pytest


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("predict m.json t.csv -o p.csv", "p.csv"),
        ("select run --model 0 -o n.json", "n.json"),
        ("select run --model 0", "model.json"),
    ],
)
def test_a_file_that_is_there_is_replaced_by_force_only(
    inside, tmp_path, run, command, name
):
    inside("select run --model 0 -o m.json")
    (tmp_path / name).write_text("mine")
    done = inside(command, code=2)
    (line,) = done.stderr.splitlines()
    assert line.endswith(
        f"'{name}' exists already: name another file (-o) or replace it (--force)"
    )
    assert (tmp_path / name).read_text() == "mine"
    inside(f"{command} --force")
    assert len((tmp_path / name).read_text()) > 1000


def test_pictures_are_not_written_through_links(inside, tmp_path, run):
    figures, victim = run / "figures", tmp_path / "victim" / "fronts.png"
    victim.parent.mkdir()
    victim.write_text("mine")
    (figures / "fronts.png").unlink()
    (figures / "fronts.png").symlink_to(victim)
    inside("plot run")
    assert not (figures / "fronts.png").is_symlink()
    shutil.rmtree(figures)
    figures.symlink_to(victim.parent)
    inside("plot run")
    assert (figures / "fronts.png").is_file()
    assert victim.read_text() == "mine"
