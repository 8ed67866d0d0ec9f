"""Output in a wide terminal, a narrow one and a pipe, with names of any characters."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.listing import in_one_line
from moselect.report.members import figure_warnings
from tests.cli.conftest import QUICK, SCRIPT, words_of

ESCAPE = "\x1b"


@given(st.text())
def test_no_text_steers_the_terminal_or_breaks_the_line(text):
    assert in_one_line(text).isprintable()


def evaluate(folder, redirection):
    """Run a command in a shell, and return how it ended."""
    (folder / "t.csv").write_text("y,p\nlow,low\nhigh,high\n")
    line = f"{sys.executable} -m moselect evaluate t.csv --true y --pred p {redirection}"
    return subprocess.run(
        line, cwd=folder, stderr=subprocess.PIPE, shell=True, text=True, check=False
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_under_standard_output_is_one_line(tmp_path):
    done = evaluate(tmp_path, "--order low,high > /dev/full")
    (line,) = done.stderr.splitlines()
    assert line.startswith("moselect: error: 'standard output': ")
    assert done.returncode == 74


def test_work_goes_on_if_nobody_reads_its_messages(tmp_path):
    evaluate(tmp_path, "2>&1 > out | true")
    assert "accuracy" in (tmp_path / "out").read_text()


def in_a_terminal(line):
    """Run the real command in a pseudo-terminal; return all that it wrote there."""
    terminal, end = pty.openpty()
    with subprocess.Popen(
        [SCRIPT, *line.split()],
        stdin=end,
        stdout=end,
        stderr=end,
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "80"},
    ) as process:
        os.close(end)
        written = b""
        while True:
            try:
                part = os.read(terminal, 2**16)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            written += part
        process.wait()
    os.close(terminal)
    assert process.returncode == 0, written
    return written.decode()


@pytest.mark.slow
def test_progress_is_live_and_cleared_at_the_end():
    search = (
        "search boston --seed 1 --folds 0 --out run --seconds 1.5 --evaluations 100000000"
    )
    written = in_a_terminal(search)
    counts = re.findall(r"searching: ([\d,]+) evaluations, 506 rows", written)
    assert len(set(counts)) > 2
    # after the line was cleared for good
    remaining = written[written.rindex(f"{ESCAPE}[2K") :]
    assert "evaluations, 506 rows" not in remaining
    assert "Saved in run" in remaining


@pytest.mark.slow
def test_tables_fit_a_narrow_terminal(run_command, monkeypatch, rng):
    monkeypatch.setenv("COLUMNS", "60")
    score = rng.normal(size=150)
    rank = np.argsort(np.argsort(score + rng.normal(scale=0.1, size=150))) // 15
    # long and hostile names
    names = [f"[red]level {k:02d} of a long scale :bug:" for k in range(10)]
    table = pd.DataFrame({"[bold]s\x1b[31m": score, "sev": [names[k] for k in rank]})
    table.to_csv("t.csv", index=False)
    search = run_command(
        f"search t.csv --order '{','.join(names)}' --seed 1 --out run {QUICK}"
    )
    select = run_command(
        "select run --class-costs 1,1,1,1,1,1,1,1,1,1 --model 'proportional odds'"
    )
    for text in (search.stdout, select.stdout):
        assert text
        assert ESCAPE not in text
        assert max(map(len, text.splitlines())) <= 60
    figure = r"(?:accuracy|1 - MAE|VUS|U \w+) -?\d\.\d{3}[,.]"
    figures = re.findall(figure, words_of(search.stdout))
    assert len(figures) == 6  # no figure was cut off
    # Names are as they are: no markup, no emoji; they may be wrapped.
    assert f"of class {names[-1]}, misses" in words_of(select.stdout)
    run_command("predict model.json t.csv --keep sev -o p.csv")
    evaluated = run_command(
        f"evaluate p.csv --true sev --pred class --order '{','.join(names)}'"
    )
    assert all(name in Path("p.csv").read_text() for name in names)
    rows = re.findall(r"^\[red\].+? +15 +\d+%", evaluated.stdout, re.MULTILINE)
    assert len(rows) == 10


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ([0.1, 0.22, 0.6, 0.6], "accuracy, 1 - MAE: not significantly above chance"),
        (
            [0.6, 0.24, np.nan, np.nan],
            "VUS, U cons: no cross-validated value, as only one fold or none has rows of every "
            "class",
        ),
    ],
)
def test_objectives_not_above_chance_are_reported(expected, message):
    figures = pd.DataFrame(
        {"chance": 0.2, "cross-validated": expected, "std_error": 0.03},
        ["accuracy", "one_minus_mae", "vus", "u_cons"],
    )
    assert figure_warnings(figures) == [message]
    assert figure_warnings(figures[["chance"]]) == []
