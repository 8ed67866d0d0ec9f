"""Whatever is wrong is told in one line that says what to do, with exit code 2."""

from __future__ import annotations

import pandas as pd
import pytest

from moselect.models import OrdinalLinearClassifier
from moselect.storage import write_model

SCORED = ("evaluate", "t.csv", "--true", "grade")
LINEAR = ("select", "run", "--class-costs", "1,1,5", "--kind", "linear")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("serch",), ["serch", "did you mean 'search'", "see moselect --help"]),
        (
            ("search", "--objctives", "vus"),
            ["--objectives", "see moselect search --help"],
        ),
        (("plot",), ["RUN", "see moselect plot --help"]),
        (("search",), ["say what to search", "moselect datasets"]),
        (("search", "bostn"), ["'bostn'", "did you mean 'boston'"]),
        (("search", "[red]x[/].csv"), ["no data set or file '[red]x[/].csv'"]),
        (("search", "folder"), ["'folder' is a folder"]),
        (("search", "single.csv"), ["class 3 has a single sample"]),
        (("search", "text.csv"), ["without a known order", "--order"]),
        (("search", "t.csv", "--read", "separator=; decimals=,"), ["--read", "decimal="]),
        (("search", "t.csv", "--target", "wight"), ["'wight'", "did you mean 'weight'"]),
        (("search", "t.csv", "--jobs", 0), ["n_jobs == 0"]),
        (("search", "t.csv", "--holdout", 1.5), ["holdout is 1.5"]),
        (
            ("search", "t.csv", "--objectives", "vus,auc"),
            ["'auc'", "choose from", "u_pairs"],
        ),
        (("search", "t.csv", "--out", "run"), ["'run' exists already", "--force"]),
        (("search", "--resume", "nowhere"), ["no search in 'nowhere'"]),
        (("search", "--resume", "run", "--seed", 6), ["goes on as the search began"]),
        (("plot", "nowhere"), ["'nowhere' is not a run folder"]),
        (("select", "runs/a-001"), ["has schema None", "search again"]),
        (
            (*LINEAR, "--export", "m.r"),
            ["its name must end in .sql, .xlsx, .py, .onnx, .html, .txt, .png"],
        ),
        ((*LINEAR, "--export", "taken.sql"), ["'taken.sql' exists already"]),
        (("predict", "m.json", "t.csv", "-o", "no/p.csv"), ["no folder 'no'", "make it"]),
        (
            ("predict", "m.json", "t.csv", "-o", "p.txt"),
            ["cannot write 'p.txt'", ".csv, "],
        ),
        (("predict", "none.json", "t.csv"), ["there is no model 'none.json'"]),
        (
            ("predict", "t.csv", "t.csv"),
            ["'t.csv' is damaged", "moselect select writes one"],
        ),
        (("predict", "m.json", "one.csv"), ["column 'height' is missing"]),
        (
            ("predict", "m.json", "tall.csv"),
            ["can be scored: in the first one 'height' is 'tall'"],
        ),
        (("predict", "m.json", "t.csv", "--proba"), ["no calibration of its score"]),
        (
            ("predict", "m.json", "t.csv", "--keep", "x"),
            ["--keep x: there is no such column"],
        ),
        (SCORED, ["--score, --pred, or both"]),
        ((*SCORED, "--score", "wight"), ["did you mean 'weight'"]),
        ((*SCORED, "--score", "word"), ["scores in 'word' are not numbers"]),
        (
            (*SCORED, "--score", "weight", "--dask", "tcp://x"),
            ["--dask counts the files"],
        ),
        (
            ("evaluate", "t.csv", "--true", "weight", "--score", "height"),
            ["is continuous"],
        ),
        (("evaluate", "none", "--true", "y", "--score", "s"), ["no file 'none'"]),
        (("evaluate", "folder", "--true", "y", "--score", "s"), ["holds no files"]),
        (("evaluate", "rows", "--true", "y", "--score", "s"), ["there are no rows"]),
        (
            ("evaluate", "broken", "--true", "y", "--score", "s"),
            ["cannot read", "b.parquet"],
        ),
        (("compare", "t.csv", "--seed", -1), ["random_state is -1"]),
        (
            ("compare", "t.csv", "--class-costs", "1", "--cost-matrix", "x"),
            ["give one of"],
        ),
        (("compare", "t.csv", "--out", "taken.sql"), ["'taken.sql' exists already"]),
        (("compare", "t.csv", "--out", "picture.txt"), ["'picture.png' exists already"]),
    ],
)
def test_errors_suggest_the_next_step(inside, tmp_path, table, run, arguments, told):
    holes = table["weight"].where(table.index > 0)
    numbered = table.assign(word="a", holes=holes)[["word", "holes", *table]]
    for name, changed in {
        "t": numbered,
        "one": pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6], "grade": 1}),
        "single": pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6], "grade": [1, 1, 1, 2, 2, 3]}),
        "text": pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6], "grade": list("uuvvww")}),
        "tall": table.assign(height="tall"),
    }.items():
        changed.to_csv(tmp_path / f"{name}.csv", index=False)
    for name in ("folder", "runs/a-001", "rows", "broken"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "runs/a-001/run.json").write_text("{}")
    (tmp_path / "rows/a.csv").write_text("y,s\n")
    (tmp_path / "broken/b.parquet").write_text("PAR")
    (tmp_path / "taken.sql").write_text("mine")
    (tmp_path / "picture.png").write_text("mine")
    model = OrdinalLinearClassifier(
        [1.0, 1.0], [2.0], ["no", "yes"], ["height", "weight"]
    )
    write_model(tmp_path / "m.json", model)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = inside(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    line = done.stderr.splitlines()[-1]
    assert line.startswith("moselect: error: ")
    for words in told:
        assert words.lower() in line.lower()
    assert before == {
        path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()
    }
