from __future__ import annotations

import json
import re

import pytest

from moselect.storage import read_run


@pytest.fixture
def named(run):
    """Give the run folder a blank in its name."""
    return run.rename(run.with_name("my run"))


def page_data(path):
    html = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'type="application/json">(.*?)</script>', html)[1])


def test_the_page_of_a_run(inside, tmp_path, named):
    record = read_run(named).record
    done = inside("report", "my run", "-o", "p.html")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "p.html\n"
    data = page_data(tmp_path / "p.html")
    assert data["front"]["n_models"] == record["n_models"]
    assert (data["n_columns"], data["classes"]) == (2, ["bad", "mid", "good"])
    assert (data["name"], data["target"]) == ("t", "grade")
    assert data["about"]["data"]["fingerprint"] == record["data"]["fingerprint"]
    assert data["run"] == "'my run'"  # as a shell reads it


@pytest.mark.slow
def test_data_that_have_moved_are_named(inside, tmp_path, named):
    (tmp_path / "t.csv").rename(tmp_path / "moved.csv")
    done = inside("report", "my run")
    assert done.returncode == 2
    assert "--data DATA" in done.stderr
    assert inside("report", "my run", "--data", "moved.csv").returncode == 0


def test_a_page_that_cannot_be_written_leaves_what_was_there(inside, tmp_path, run):
    (tmp_path / "page.html").write_text("before")
    for arguments in (("nothing", "--force"), ("run", "-o", "no/folder/page.html"), ("run",)):
        done = inside("report", *arguments)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
    assert (tmp_path / "page.html").read_text() == "before"


@pytest.mark.slow
def test_pictures_of_every_kind(inside, tmp_path, named):
    drawn = {}
    for kind in ("fronts", "parallel", "costs"):
        done = inside("plot", "my run", "--kind", kind)
        assert done.returncode == 0, done.stderr
        assert done.stdout == f"my run/figures/{kind}.png\n"
        drawn[kind] = (named / "figures" / f"{kind}.png").read_bytes()
        assert drawn[kind].startswith(b"\x89PNG")
    assert len(set(drawn.values())) == 3
    done = inside("plot", "my run", "--kind", "all", "--json")
    assert len(json.loads(done.stdout)["pictures"]) == 3
    assert inside("plot", "my run", "--kind", "pie").returncode == 2
