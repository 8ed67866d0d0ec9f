"""Commands on a sample of a larger table."""

import shutil
import signal
from pathlib import Path

import pandas as pd
import pytest

from tests import children
from tests.children import signal_when_written
from tests.cli.conftest import draw, read_json, run_in, words_of

SEARCH = "--target grade --rows 900 --seed 1 --particles 8"
COSTS = "--class-costs 1,2,5 --model linear"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    draw(4000, 2).to_csv(folder / "t.csv", index=False)
    return folder


@pytest.fixture(scope="module")
def sampled(folder):
    """Search a sample of the table, and return the messages."""
    line = f"search t.csv {SEARCH} --evaluations 50 --folds 0 --out run"
    return run_in(folder, line).stderr


@pytest.fixture
def searched(folder, sampled, tmp_path):
    """Return the messages of a search of a sample, with a copy of its run."""
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return sampled


@pytest.mark.slow
def test_the_number_of_rows_is_that_of_the_sample_and_its_source(searched, run_command):
    record = read_json("run/run.json")["data"]
    assert record["n_source_rows"] == 4000
    n = record["n_samples"]
    assert 700 < n < 1000
    assert f"t: {n} of 4,000 rows" in searched
    # The sample is kept with the run: the source may be elsewhere.
    Path("t.csv").rename("moved.csv")
    words = words_of(run_command(f"select run {COSTS}").stdout)
    assert f"Cross-validated on {n} of 4,000 cases" in words
    (summary,) = Path("run").rglob("summary.html")
    assert f"{n} of 4,000 rows of t" in summary.read_text()
    run_command("report run -o page.html")
    assert f"{n} of 4,000 rows" in Path("page.html").read_text()


def test_all_other_rows_are_evaluated(searched, run_command, run_json):
    found = run_json(f"select run {COSTS} --all-rows")["all_rows"]
    sample = read_json("run/run.json")["data"]["n_samples"]
    others = 4000 - sample
    assert (found["n_sampled"], found["n_rows"]) == (sample, others)
    assert pd.DataFrame(found["confusion"]).sum(axis=None) == others
    words = words_of(run_command(f"select run {COSTS} --all-rows --force").stdout)
    assert f"by {others:,} rows that are not in the sample" in words


def test_a_damaged_or_missing_sample_is_one_line(searched, run_command):
    (path,) = Path("run").glob("table-*.npz")
    path.write_bytes(path.read_bytes()[:100])
    done = run_command(f"select run {COSTS}", code=65)
    assert "is damaged" in done.stderr
    path.unlink()
    done = run_command(f"select run {COSTS}", code=65)
    assert "is missing: search again" in words_of(done.stderr)


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
    options = "--target grade --costs 1,2,5 --rows 300"
    words = words_of(run_command(f"decide t.csv {options} -o d").stdout)
    assert "of 4,000 rows, 2 columns used" in words
