"""Candidates of other packages: the example in the documentation."""

import tomllib

import numpy as np
import pandas as pd
import pytest

from moselect import Costs
from moselect.candidates.registry import GROUP, candidate_names, registered
from moselect.io import read_model, write_model
from moselect.samples import Samples
from tests.any_tables import ordinal_table
from tests.places import DOCS
from tests.selection.decisions import decide

EXAMPLE = DOCS / "examples" / "candidate"
COSTS = Costs([1, 2, 5])


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install the example package, as pip would, for one test."""
    text = (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    about = tmp_path / "moselect_discriminant-0.1.dist-info"
    about.mkdir()
    points = project["entry-points"][GROUP].items()
    lines = [f"[{GROUP}]", *(f"{name} = {where}" for name, where in points)]
    (about / "entry_points.txt").write_text("\n".join(lines))
    (about / "METADATA").write_text(f"Name: {project['name']}\nVersion: 0.1\n")
    monkeypatch.syspath_prepend(EXAMPLE)
    monkeypatch.syspath_prepend(tmp_path)
    registered.cache_clear()
    yield
    registered.cache_clear()


def test_an_installed_package_adds_candidates_with_evidence_and_files(
    installed, tmp_path
):
    assert candidate_names()[:4] == ["scorecard", "prototypes", "linear", "discriminant"]
    X, codes = ordinal_table(150)
    X = pd.DataFrame(X, columns=list("abc"))
    selector = decide(Samples(X, codes, np.array([1, 2, 3])), np.arange(150) % 2)
    model = selector.select(COSTS, model="discriminant")
    costs = model.evidence.candidates["cost"]
    assert costs["discriminant"] < costs["always one class"]
    write_model(tmp_path / "model.npz", model)
    found = read_model(tmp_path / "model.npz").predict(X)
    assert found.tolist() == model.predict(X).tolist()
    other = selector.select(COSTS, model="prototypes")
    assert "prototypes" in other.evidence.candidates.index
    with pytest.raises(TypeError, match="cannot be written to a file: it holds"):
        write_model(tmp_path / "other.npz", other)
