"""Any options of any command: done, or refused in one line; nothing that was there is lost."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given

from tests.storm.belongings import make
from tests.storm.campaign import storm
from tests.storm.commands import check_kept, contents, run
from tests.storm.strategies.options import command_lines

pytestmark = pytest.mark.slow

OUTPUTS = ("--out", "-o", "--export", "--save-best", "--cost-template")


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield make(Path(name))


@storm(300)
@given(line=command_lines())
def test_options(folder, line):
    with tempfile.TemporaryDirectory() as name:
        place = Path(name) / "here"
        shutil.copytree(folder, place)
        before = contents(place)
        done = run(place, *line)
        may_change = []
        if "--force" in line or "--extend" in line or line[0] in ("plot", "compare"):
            may_change = [line[i + 1] for i, one in enumerate(line[:-1]) if one in OUTPUTS]
        if line[0] == "plot":
            may_change += ["plain/figures", "prepared/figures", "curves/figures"]
        if "--resume" in line:
            may_change += ["begun"]
        if may_change and done.code == 0:
            may_change.append("c.")  # a picture beside a comparison
        check_kept(before, place, *filter(None, may_change))
        assert [one.name for one in Path(name).iterdir()] == ["here"]
