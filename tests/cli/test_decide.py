import os
import pty
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from moselect.io import read_model
from tests.cli.conftest import SCRIPT, draw, words_of

NAMES = ["low", "mid", "high"]


@pytest.fixture
def claims(rng):
    """Write 120 rows with a key."""
    keys = [f"C{k:03d}" for k in rng.permutation(120)]
    table = draw(120, 4)
    table.insert(0, "claim", keys)
    table.to_csv("claims.csv", index=False)
    return table


@pytest.mark.slow
def test_a_decision_is_that_of_search_and_select(claims, run_command, run_json):
    options = "--target grade --order low,mid,high --seed 3"
    decide = f"decide claims.csv {options} --costs 1,2,5"
    done = run_command(decide)
    folder = Path("claims-decision")
    (path,) = folder.glob("model.*")
    model = read_model(path)
    files = {each.name for each in folder.iterdir()}
    assert files - {"predict.sql"} == {"decision.html", "details", path.name}
    run_command(f"search claims.csv {options} --out run")
    run_command("select run --class-costs 1,2,5 -o same.npz")
    same = read_model("same.npz")
    assert_array_equal(model.predict(claims), same.predict(claims))
    assert model.card.headline == same.card.headline
    # Terminal and page have the same sentences.
    printed = words_of(done.stdout)
    page = words_of((folder / "decision.html").read_text())
    for sentence in model.card.headline:
        assert sentence in printed
        assert sentence in page
    assert "For IT" in page
    assert "Read 120 rows" in printed
    assert "Open claims-decision/decision.html. Predict new rows (" in printed
    assert printed.endswith(f"moselect predict {path} NEW_ROWS -o classes.csv")
    # Changed costs have the result of a selection for these costs.
    for factor, cost in ((0.5, 2.5), (1.5, 7.5)):
        run_command(f"select run --class-costs 1,2,{cost} -o changed.npz --force")
        recommended, *_ = read_model("changed.npz").card.headline
        words = f"Class high at {factor} times its cost: u{recommended[1:]}"
        assert words in printed
        assert words in page
    # The costliest mistakes are rows of the table, named by its key.
    sections = {section.title: section for section in model.card.sections}
    truth = claims.set_index("claim")["grade"]
    costs = {"low": 1, "mid": 2, "high": 5}
    for name, was, called, cost in sections["The costliest mistakes"].table[1:]:
        assert truth[name] == was
        distance = abs(NAMES.index(was) - NAMES.index(called))
        assert float(cost) == costs[was] * distance > 0
    assert "exists already" in run_command(decide, code=2).stderr
    record = run_json(f"{decide} --force --limit 'high<high:0.9'")
    assert record["limits"][0].startswith("high<high: met")
    assert Path(record["decision.html"]).samefile(folder / "decision.html")


@pytest.mark.slow
def test_a_terminal_is_asked_for_target_order_and_costs(claims):
    words = {"low": "x", "mid": "z", "high": "y"}
    claims.replace({"grade": words}).to_csv("claims.csv", index=False)
    ours, theirs = pty.openpty()
    # The default column, the order, and costs: of two classes first.
    os.write(ours, b"\nx,z,y\n1,2\n1,2,5\n")
    done = subprocess.run(
        [SCRIPT, "decide", "claims.csv", "--seed", "3"],
        stdin=theirs,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    os.close(theirs)
    os.close(ours)
    assert "Column to predict [grade]" in done.stderr
    assert "there are 3 classes: x < z < y, but 2 costs" in done.stderr
    assert "x < z < y." in done.stdout
    (path,) = Path("claims-decision").glob("model.*")
    costs = read_model(path).reference.costs
    assert_array_equal(costs, [[0, 1, 2], [2, 0, 2], [10, 5, 0]])


@pytest.mark.slow
@pytest.mark.filterwarnings("default:MS10")
def test_the_page_has_the_remarks_that_are_printed(run_command, rng):
    """Managers see the page alone: copies of the target and the edges of bins are on it."""
    points = rng.normal(size=120)
    table = {"size": rng.normal(size=120), "copy": 3.0 * points, "points": points}
    table["pressure"] = [f"{a}/{b}" for a, b in rng.integers(60, 180, (120, 2))]
    pd.DataFrame(table).to_csv("t.csv", index=False)
    # An interrupted decision, and models that it does not write again.
    folder = Path("t-decision")
    (folder / "details").mkdir(parents=True)
    for name in ("model.json", "model.npz", "predict.sql"):
        (folder / name).write_text("earlier")
    done = run_command("decide t.csv --target points --bins 3 --costs 1,1,5")
    (path,) = folder.glob("model.*")
    assert all(each.read_bytes() != b"earlier" for each in folder.glob("*.*"))
    # Two numbers in a cell are one column, by the name that is in the table.
    columns = read_model(path).reference.table_columns
    number = f"{len(columns)} column{'s' * (len(columns) > 1)}"
    assert f"{number} used" in words_of(done.stdout)
    assert {*columns} <= {*table}
    checks = read_model(path).card.sections[0]
    assert checks.title == "Check before use"
    assert [remark[:8] for remark in checks.sentences[:2]] == ["'points'", "MS101: '"]
    assert "is binned at" in checks.sentences[0]
    assert "(--drop copy)" in checks.sentences[1]
    for remark in checks.sentences:
        assert remark in words_of(done.stderr)
    # select, which knows the table from the run alone, has them, too
    run_command("select t-decision/details --costs 1,1,5 -o same.npz")
    assert read_model("same.npz").card.sections[0] == checks
