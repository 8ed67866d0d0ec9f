"""Commands on a sample of a larger table."""

import json
import shutil
import signal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests import children
from tests.children import signal_when_written

SEARCH = "--target grade --order none,slight,severe --rows 900 --seed 1 --particles 8"
DATA_ERROR = 65
COSTS = "--class-costs 1,2,5 --model linear"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    rng = np.random.default_rng(2)
    x = rng.normal(size=(4000, 2)).round(3)
    codes = np.digitize(x.sum(axis=1) + rng.normal(size=4000), [0.0, 3.4])
    table = pd.DataFrame(x, columns=["speed", "mass"])
    table["grade"] = np.array(["none", "slight", "severe"])[codes]
    table.to_csv(folder / "t.csv", index=False)
    return folder


@pytest.fixture
def searched(folder, run_command, monkeypatch):
    """Return a run of a sample, in a folder of its own."""
    shutil.copy(folder / "t.csv", "t.csv")
    if not (folder / "run").exists():
        done = run_command(f"search t.csv {SEARCH} --evaluations 50 --folds 0 --out run")
        (folder / "messages").write_text(done.stderr)
        shutil.copytree("run", folder / "run")
    else:
        shutil.copytree(folder / "run", "run")
    return (folder / "messages").read_text()


@pytest.mark.slow
def test_the_number_of_rows_is_that_of_the_sample_and_its_source(searched, run_command):
    record = json.loads(Path("run/run.json").read_text())["data"]
    assert record["n_source_rows"] == 4000
    n = record["n_samples"]
    assert 700 < n < 1000
    assert f"t: {n} of 4,000 rows" in searched
    # The sample is kept with the run: the source may be elsewhere.
    Path("t.csv").rename("moved.csv")
    done = run_command(f"select run {COSTS}")
    said = " ".join(done.stdout.split())
    assert f"Cross-validated on {n} of 4,000 cases" in said
    assert (
        f"{n} of 4,000 rows of t"
        in Path(next(Path("run").rglob("summary.html"))).read_text()
    )
    run_command("report run -o page.html")
    assert f"{n} of 4,000 rows" in Path("page.html").read_text()


def test_all_other_rows_are_evaluated(searched, run_command):
    done = run_command(f"select run {COSTS} --all-rows --json")
    found = json.loads(done.stdout)["all_rows"]
    sample = json.loads(Path("run/run.json").read_text())["data"]["n_samples"]
    assert found["n_sampled"] == sample
    assert found["n_rows"] == 4000 - sample
    assert pd.DataFrame(found["confusion"]).sum(axis=None) == 4000 - sample
    shown = run_command(f"select run {COSTS} --all-rows --force")
    words = " ".join(shown.stdout.split())
    assert f"by {4000 - sample:,} rows that are not in the sample" in words


def test_of_a_whole_table_there_are_no_other_rows(folder, run_command):
    shutil.copy(folder / "t.csv", "t.csv")
    whole = SEARCH.replace("--rows 900", "--rows 5000")
    run_command(f"search t.csv {whole} --evaluations 20 --folds 0 --out w")
    assert json.loads(Path("w/run.json").read_text())["data"]["n_source_rows"] is None
    done = run_command(f"select w {COSTS} --all-rows", code=2)
    assert "there are no others" in " ".join(done.stderr.split())


def test_a_damaged_or_missing_sample_is_one_line(searched, run_command):
    (path,) = Path("run").glob("sample-*.npz")
    path.write_bytes(path.read_bytes()[:100])
    done = run_command(f"select run {COSTS}", code=DATA_ERROR)
    assert "is damaged" in done.stderr
    path.unlink()
    done = run_command(f"select run {COSTS}", code=DATA_ERROR)
    assert "is missing: search again" in " ".join(done.stderr.split())


def test_a_source_that_cannot_be_read_leaves_nothing(run_command):
    Path("t.csv").write_text(
        "speed,grade\n" + "1.5,1\n" * 2000 + '2.5,"2\n' + "1,1\n" * 9
    )
    done = run_command(
        "search t.csv --target grade --rows 100 --out run", code=DATA_ERROR
    )
    assert len(done.stderr.strip().splitlines()) < 4
    assert not Path("run").exists()
    assert sorted(path.name for path in Path().iterdir()) == ["t.csv"]


@pytest.mark.slow
def test_a_killed_search_goes_on_without_its_source(folder, run_command, tmp_path):
    shutil.copy(folder / "t.csv", "t.csv")
    search = f"search t.csv {SEARCH} --evaluations 400 --folds 0 --runs 2 --out run"
    run_command(search)
    expected = Path("run/front.csv").read_bytes()
    shutil.rmtree("run")
    started = signal_when_written("run/unfinished/run-000.npz", signal.SIGKILL)
    assert children.run(tmp_path, search, started).returncode != 0
    Path("t.csv").unlink()
    assert not Path("run/run.json").exists()
    run_command("search --resume run")
    assert Path("run/front.csv").read_bytes() == expected
    assert not Path("run/unfinished").exists()
    run_command(f"select run {COSTS}")


@pytest.mark.slow
def test_decide_says_how_many_rows_of_the_source_it_read(folder, run_command):
    shutil.copy(folder / "t.csv", "t.csv")
    options = "--target grade --order none,slight,severe --costs 1,2,5 --rows 300"
    done = run_command(f"decide t.csv {options} -o d")
    assert "of 4,000 rows, 2 columns used" in " ".join(done.stdout.split())
