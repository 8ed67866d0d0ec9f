from __future__ import annotations

import numpy as np
import pytest

from moselect.datasets import read_table
from moselect.models import OrdinalLinearClassifier
from moselect.storage import write_model


@pytest.fixture
def model(tmp_path):
    model = OrdinalLinearClassifier(
        [0.25, -0.5], [1.0, 7.0], ["low", "mid", "high"], ["height", "weight"]
    )
    write_model(tmp_path / "model.json", model)
    return model


def test_scores_and_classes_of_a_table(moselect, tmp_path, table, model):
    shuffled = table[["weight", "grade", "height"]].assign(note="some text")
    shuffled.to_csv(tmp_path / "t.csv", index=False)
    done = moselect("predict", "model.json", "t.csv", "-o", "out.csv")
    assert done.returncode == 0, done.stderr
    found = read_table(tmp_path / "out.csv")
    score = 0.25 * table["height"] - 0.5 * table["weight"]
    assert list(found.columns) == ["score", "class"]
    assert found["score"].to_numpy() == pytest.approx(score.to_numpy())
    expected = np.array(["low", "mid", "high"])[np.digitize(score, [1.0, 7.0], right=True)]
    assert found["class"].tolist() == expected.tolist()
    np.testing.assert_array_equal(found["score"], model.decision_function(table))
    shown = moselect("predict", "model.json", "t.csv")
    assert shown.stdout == (tmp_path / "out.csv").read_text()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop(columns="weight"), "column 'weight' is missing"),
        (lambda t: t.assign(height="tall"), "column 'height' is not numeric"),
        (lambda t: t.assign(weight=t["weight"].where(t.index > 0)), "'weight' has 1 missing"),
    ],
)
def test_tables_that_do_not_fit(inside, tmp_path, table, model, change, message):
    change(table).to_csv(tmp_path / "t.csv", index=False)
    done = inside("predict", "model.json", "t.csv", "-o", "out.csv")
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]
    assert not (tmp_path / "out.csv").exists()


def test_a_file_that_is_no_model(inside, tmp_path, table):
    table.to_csv(tmp_path / "t.csv", index=False)
    done = inside("predict", "t.csv", "t.csv")
    assert done.returncode == 2
    assert "'t.csv' is not a model" in done.stderr
