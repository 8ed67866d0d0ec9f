import re
from pathlib import Path

import pandas as pd

from experiments import verdicts
from experiments.catalogue import find_experiments

README = Path(__file__).parents[1] / "README.md"


def test_the_python_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    names = {}
    exec("\n".join(blocks), names)
    assert (tmp_path / "fronts.png").is_file()
    assert set(names["model"].predict(names["X"])) <= set(names["y"])
    low, high = names["result"].confidence_intervals.T
    assert (low < names["result"].estimates).all()
    assert (names["result"].estimates < high).all()


def test_the_set_up_lines_make_their_own_environment():
    lines = [line for line in README.read_text(encoding="utf-8").splitlines() if "-m venv" in line]
    assert len(lines) == 2
    assert all(line.startswith("python3 -m venv .venv && .venv/bin/pip install") for line in lines)


def test_it_fits_a_screen_and_its_links_lead_to_files():
    text = README.read_text(encoding="utf-8")
    assert text.count("\n") <= 180
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert len(links) > 10
    assert [link for link in links if not (README.parent / link).exists()] == []


def test_its_count_of_printed_figures_is_what_was_found():
    verdict = pd.concat(
        verdicts.judge(
            verdicts.read_expected(experiment.folder / "expected.csv"),
            verdicts.read_results(experiment.folder / "results.csv"),
            complete=True,
        )["verdict"]
        for experiment in find_experiments()
    ).value_counts()
    agree, differ = verdict[verdicts.AGREES], verdict[verdicts.DIFFERS]
    text = README.read_text(encoding="utf-8")
    assert f"found again, of {agree + differ} | {agree} |" in text
    assert f"The other {differ} figures of the papers differ" in text
