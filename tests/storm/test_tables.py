"""Random tables through search, select and predict: exact figures or one error."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from moselect.datasets import load_dataset
from moselect.io import read_run
from moselect.metrics import vus_score
from moselect.tables import read_table
from tests.storm.commands import run
from tests.storm.tables import text_files

pytestmark = pytest.mark.slow

SMALL = "--particles 4 --evaluations 8 --seed 3 --objectives accuracy,vus"
COLUMNS = ((), (), ("--columns", "splines"), ("--bins", 3))
FOLDS = (("--folds", 0), ("--folds", 2), ("--folds", 0, "--holdout", 0.4))


@settings(max_examples=25, suppress_health_check=list(HealthCheck), print_blob=True)
@given(table=text_files(), columns=st.sampled_from(COLUMNS), folds=st.sampled_from(FOLDS))
def test_any_table_is_evaluated_exactly_or_refused(table, columns, folds):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "t.csv").write_bytes(table.content)
        search = f"search t.csv {SMALL} --out r"
        done = run(folder, search, *table.options, *columns, *folds)
        assert (folder / "t.csv").read_bytes() == table.content
        assert not [path for path in folder.rglob("*") if ".part" in path.name]
        if done.returncode:
            assert not (folder / "r").exists(), done
            return
        bins = 3 if "--bins" in columns else None
        data = load_dataset(
            folder / "t.csv", target=table.target, order=table.order, bins=bins
        )
        front = read_run(folder / "r").front
        if "--holdout" not in folds:
            check_objectives(front, data)
        done = run(folder, "take r --member 0 -o m.json")
        assert done.returncode == 0, done
        assert "no model card" not in done.stderr, done
        done = run(folder, "predict m.json t.csv -o p.csv")
        assert done.returncode == 0, done
        if bins is not None:
            return  # rows may have got no class
        found = read_table(folder / "p.csv")
        expected = front[0].predict(data.X)
        if "reason" not in found and data.y.dtype.kind in "if":
            assert found["class"].tolist() == expected.tolist()


def check_objectives(front, data):
    """Compare the objectives of the front with the measures of its predictions."""
    codes = np.array([data.labels.index(label) for label in data.y.tolist()])
    for i in {0, len(front) - 1}:
        model = front[i]
        X = model.columns.transform(data.X)
        scores = model.decision_function(data.X)
        terms = np.asarray(X, dtype=float) * model.coef_
        tolerance = np.abs(terms).sum(axis=1) * 1e-12
        assert (np.abs(terms.sum(axis=1) - scores) <= tolerance).all()
        if model.columns.steps and has_encoded_levels(model.columns):
            continue
        predicted = (scores[:, None] > model.thresholds_).sum(axis=1)
        expected = [(predicted == codes).mean(), vus_score(codes, scores)]
        assert front.objectives.iloc[i].tolist() == pytest.approx(expected, abs=1e-12)


def has_encoded_levels(columns):
    """Whether training rows were encoded by the classes of other rows, not as new rows are."""
    types = [type(column).__name__ for column in getattr(columns.first, "columns_", ())]
    return "EncodedColumn" in types
