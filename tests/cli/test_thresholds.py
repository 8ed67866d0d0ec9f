import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import confusion_matrix

import moselect
from tests.cli.conftest import words_of

ORDER = ["mild", "bad", "fatal"]


@pytest.fixture
def scores(rng):
    codes = rng.choice(3, 240, p=[0.5, 0.3, 0.2])
    table = pd.DataFrame(
        {
            "my score": codes + rng.normal(size=240),
            "grade": np.array(ORDER)[codes],
            "patient": np.arange(240) // 2,
            "share": rng.uniform(0.5, 2.0, 240),
            "died": np.where(codes == 2, "yes", "no"),
        }
    )
    table.to_csv("s.csv")
    return table


LINE = "thresholds s.csv --true grade --order mild,bad,fatal --score 'my score'"
COST_MATRIX = [[0, 1, 2], [3, 0, 1], [9, 4, 0]]


@pytest.mark.parametrize(
    ("options", "settings", "roles"),
    [
        (
            "--class-costs 1,1,5 --loss squared --limit 'fatal<fatal:0.4'",
            {
                "class_costs": [1, 1, 5],
                "loss": "squared",
                "limits": {"fatal<fatal": 0.4},
            },
            {},
        ),
        pytest.param(
            "--metric quadratic_kappa --group patient --folds 4",
            {"metric": "quadratic_kappa", "cv": 4},
            {"groups": "patient"},
            marks=pytest.mark.slow,
        ),
        (
            "--class-costs 1,1,5 --time patient",
            {"class_costs": [1, 1, 5]},
            {"times": "patient"},
        ),
        (
            "--cost-matrix c.csv --priors 0.6,0.3,0.1 --weight share",
            {"cost_matrix": COST_MATRIX, "priors": [0.6, 0.3, 0.1]},
            {"sample_weight": "share"},
        ),
    ],
)
def test_figures_are_those_of_the_library(
    run_command, run_json, scores, options, settings, roles
):
    pd.DataFrame(COST_MATRIX).to_csv("c.csv", index=False, header=False)
    found = moselect.thresholds(
        scores["grade"],
        scores["my score"],
        labels=ORDER,
        **settings,
        **{role: scores[name] for role, name in roles.items()},
    )
    line = f"{LINE} {options}"
    printed = run_json(line)
    assert printed["thresholds"] == pytest.approx(found.thresholds)
    assert_allclose(printed["fold_thresholds"], found.fold_thresholds)
    assert printed["expected"] == pytest.approx(found.cost)
    assert printed["interval"] == pytest.approx(found.interval)
    weights = np.ones(240)
    if "sample_weight" in roles:
        weights = scores["share"] / scores["share"].mean()
    predicted = found.evidence.predicted["thresholds"]  # with times, of later rows only
    counts = confusion_matrix(
        scores["grade"][predicted.index],
        predicted,
        labels=ORDER,
        sample_weight=weights[predicted.index],
    )
    assert_allclose(printed["confusion"], counts, rtol=1e-6)
    text = words_of(run_command(line).stdout)
    assert f"above {found.thresholds[0]:.6g}, up to {found.thresholds[1]:.6g}" in text
    low, high = found.interval
    assert f"{low:.3g} to {high:.3g})" in text
    assert ("Limit fatal<fatal: met" in text) == ("limits" in settings)


def test_the_written_model_reads_the_column_of_the_file(run_command, scores):
    printed = run_command(f"{LINE} --class-costs 1,1,5 -o m.json").stdout
    assert "Next: moselect predict m.json NEW_ROWS" in printed
    scores[["my score"]].sample(frac=1.0, random_state=0).to_csv("new.csv")
    run_command("predict m.json new.csv --keep 'my score' -o p.csv")
    predicted = pd.read_csv("p.csv")
    found = moselect.thresholds(
        scores["grade"], scores["my score"], [1, 1, 5], labels=ORDER
    )
    assert predicted["class"].tolist() == found.predict(predicted["my score"]).tolist()
    run_command(f"{LINE} --class-costs 1,1,5 -o m.json --force")
    # The cost at selection is known, as is the column of the classes.
    assert "at selection" in run_command("check m.json s.csv").stdout


@pytest.mark.filterwarnings("always:limit")
def test_a_limit_that_is_missed_is_an_exit_code(run_command, scores):
    opposed = "--limit 'fatal<fatal:0.1' --limit 'mild>mild:0.1'"
    done = run_command(f"{LINE} --class-costs 1,1,5 {opposed} -o m.json", code=3)
    assert "Limit fatal<fatal: not met" in done.stdout
    assert "Written: m.json" in done.stdout


def test_bands(run_command, run_json, scores):
    line = "thresholds s.csv --true died --score 'my score' --bands 3 --min-share 0.1"
    table = moselect.bands(
        scores["died"], scores["my score"], 3, min_share=0.1, labels=["no", "yes"]
    ).table
    printed = pd.DataFrame(run_json(line)["bands"]).set_index("band")
    finite = np.isfinite(table)
    assert_allclose(printed[finite], table[finite])
    text = words_of(run_command(line).stdout)
    assert "rate of yes" in text
    for _, row in table.iterrows():
        assert f"{row['rate']:.1%} {row['low']:.1%} to {row['high']:.1%}" in text
