from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from moselect.datasets import read_table
from moselect.models import OrdinalLinearClassifier
from moselect.storage import write_model

SCRIPT = Path(sys.executable).with_name("moselect")
OUTPUT = Path("/proc/self/fd/1")  # where /dev/stdout leads; nothing can take its place


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


@pytest.mark.parametrize("label", ["mi\rd", "mi\nd", "mi\r\nd", 'm,"id'])
def test_every_class_has_one_row_whatever_is_in_its_name(inside, tmp_path, table, label):
    model = OrdinalLinearClassifier([0.25], [40.0, 43.0], ["low", label, "high"], ["height"])
    write_model(tmp_path / "model.json", model)
    table.to_csv(tmp_path / "t.csv", index=False)
    inside("predict", "model.json", "t.csv", "-o", "out.csv")
    found = read_table(tmp_path / "out.csv")
    assert found["class"].tolist() == model.predict(table).tolist()
    assert label in found["class"].tolist()
    shown = inside("predict", "model.json", "t.csv").stdout
    assert shown.encode() == (tmp_path / "out.csv").read_bytes()


@pytest.mark.skipif(not OUTPUT.exists(), reason="standard output has a name on Linux")
def test_standard_output_may_be_named(moselect, tmp_path, table, model):
    table.to_csv(tmp_path / "t.csv", index=False)
    plain = moselect("predict", "model.json", "t.csv")
    with (tmp_path / "log").open("w") as log:
        log.write("here first\n")
        log.flush()
        subprocess.run(
            [SCRIPT, "predict", "model.json", "t.csv", "-o", OUTPUT],
            cwd=tmp_path,
            stdout=log,
            check=True,
        )
    assert (tmp_path / "log").read_text() == f"here first\n{plain.stdout}"
