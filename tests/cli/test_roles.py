"""``--weight``, ``--group`` and ``--time`` on the command line."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import moselect
from moselect.storage import read_run
from tests.cli.conftest import QUICK

SEED = ("--seed", 1)


@pytest.fixture
def file(tmp_path):
    """Write a table of which rows have a weight, a school and a day."""
    rng = np.random.default_rng(5)
    score = rng.normal(size=120)
    table = pd.DataFrame(
        {
            "height": 170.0 + 10.0 * score,
            "grade": np.digitize(score + rng.normal(scale=0.5, size=120), [-0.6, 0.6])
            + 1,
            "asked": rng.integers(1, 4, 120),
            "share": rng.uniform(0.5, 2.0, 120).round(3),
            "school": [f"S{i // 4}" for i in range(120)],
            "day": pd.Timestamp("2024-01-01")
            + pd.to_timedelta(rng.permutation(120), unit="D"),
        }
    )
    table.to_csv(tmp_path / "table.csv", index=False, date_format="%d.%m.%Y")
    return table


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "column", "parameter"),
    [
        ("--weight", "asked", "sample_weight"),
        ("--weight", "share", "sample_weight"),
        ("--group", "school", "groups"),
        ("--time", "day", "times"),
    ],
)
def test_a_role_is_recorded_and_taken_by_every_command(
    inside, file, tmp_path, option, column, parameter
):
    others = ["asked", "share", "school", "day"]
    others.remove(column)
    read = ("--target", "grade", "--drop", ",".join(others), option, column)
    run = inside("search", "table.csv", *read, *QUICK, *SEED, "--out", "run")
    assert run.returncode == 0, run.stderr
    search = moselect.ParetoSearch(n_particles=40, max_evaluations=120, random_state=1)
    search.fit(file[["height"]], file["grade"], **{parameter: file[column]})
    front = read_run(tmp_path / "run").front
    np.testing.assert_array_equal(front.weights, search.front_.weights)
    pd.testing.assert_frame_equal(
        front.expected, search.front_.expected, check_exact=False
    )

    costs = ("--class-costs", "1,1,3")
    run = inside(
        "select", "run", *costs, "--kind", "curves", "-o", "model.json", "--json"
    )
    assert run.returncode == 0, run.stderr
    rules = json.loads(run.stdout)["rules"]
    expected = search.select([1, 1, 3], kind="curves").evidence.rules
    for name in ("curves", "proportional odds", "always one class"):
        assert rules[name]["new data"] == pytest.approx(expected.loc[name, "new data"])
        assert rules[name]["standard error"] == pytest.approx(
            expected.loc[name, "standard error"]
        )

    run = inside("report", "run", "-o", "page.html")
    assert run.returncode == 0, run.stderr
    models = ("--models", "multinomial,ordinal_ridge", "--folds", 3)
    run = inside("compare", "table.csv", *read, *models, *SEED, *costs, "--json")
    assert run.returncode == 0, run.stderr
    compared = moselect.compare(
        ["multinomial", "ordinal_ridge"],
        file[["height"]],
        file["grade"],
        cv=3,
        random_state=1,
        **{parameter: file[column]},
    ).costs([1, 1, 3])
    found = {name: row["cost"] for name, row in json.loads(run.stdout)["costs"].items()}
    assert found == pytest.approx(compared["cost"].to_dict())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--weight", "school"), "not every cell of 'school' is a number"),
        (("--time", "school"), "not every cell of 'school' is a number or a date"),
        (("--group", "scool"), "school"),
        (("--weight", "grade"), "'grade' is the target"),
        (("--group", "school", "--time", "day"), "either groups or times"),
    ],
)
def test_a_role_that_cannot_be_is_refused(inside, file, tmp_path, options, message):
    run = inside(
        "search", "table.csv", "--target", "grade", *options, *QUICK, "--out", "run"
    )
    assert run.returncode != 0
    assert message in " ".join(run.stderr.split())
    assert len(run.stderr.splitlines()) <= 3
    assert not (tmp_path / "run").exists()
