"""``--weight``, ``--group`` and ``--time`` on the command line."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import moselect
from moselect.io import read_run
from tests.cli.conftest import QUICK

pytestmark = pytest.mark.slow
MODELS = ["multinomial", "ordinal_ridge"]
ODDS = "--model 'proportional odds'"


DRAW = np.random.default_rng(5)
DAYS = pd.Timestamp("2024-01-01") + pd.to_timedelta(DRAW.permutation(60), unit="D")


@pytest.mark.parametrize(
    ("option", "parameter", "values"),
    [
        ("--weight", "sample_weight", DRAW.uniform(0.5, 2.0, 60).round(3)),
        ("--time", "times", DAYS),
    ],
)
def test_a_role_is_recorded_and_used_by_every_command(
    run_command, run_json, table, option, parameter, values
):
    X = table[["height"]]
    table = X.assign(grade=table["grade"], role=values)
    table.to_csv("table.csv", index=False, date_format="%d.%m.%Y")
    read = f"table.csv --target grade {option} role --seed 1"
    run_command(f"search {read} {QUICK} --out run")
    settings = {"n_particles": 40, "max_evaluations": 120, "cv": 2}
    search = moselect.ParetoSearch(**settings, random_state=1)
    roles = {parameter: table["role"]}
    search.fit(X, table["grade"], **roles)
    front = read_run(Path("run")).front
    np.testing.assert_array_equal(front.weights, search.front_.weights)
    pd.testing.assert_frame_equal(
        front.expected, search.front_.expected, check_exact=False
    )

    costs = "--class-costs 1,1,3"
    candidates = run_json(f"select run {costs} {ODDS}")["candidates"]
    expected = search.select([1, 1, 3], model="proportional odds").evidence.candidates
    for name in ("proportional odds", "best member", "always one class"):
        for figure in ("cost", "std_error"):
            assert candidates[name][figure] == pytest.approx(expected.loc[name, figure])

    if parameter == "times":  # a page takes roles as `select` does, with all candidates
        run_command("report run -o page.html")
    run = run_json(f"compare {read} --models {','.join(MODELS)} --folds 2 {costs}")
    compared = moselect.compare(
        MODELS, X, table["grade"], cv=2, random_state=1, costs=[1, 1, 3], **roles
    ).candidates
    found = {name: row["cost"] for name, row in run["candidates"].items()}
    assert found == pytest.approx(compared["cost"].to_dict())
