import re
from pathlib import Path

from experiments import verdicts
from experiments.catalogue import find_experiments

VERDICTS = (verdicts.AGREES, verdicts.DIFFERS, verdicts.NOT_PRINTED)
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


def test_the_papers_are_summed_up_as_they_were_found():
    rows = re.findall(r"\(experiments/(\w+)\).*?\|([\d |]+)\|\n", README.read_text("utf-8"))
    counts = {name: [int(number) for number in cells.split("|")] for name, cells in rows}
    for experiment in find_experiments():
        judged = verdicts.judge(
            verdicts.read_expected(experiment.folder / "expected.csv"),
            verdicts.read_results(experiment.folder / "results.csv"),
            complete=True,
        )
        found = [int((judged["verdict"] == verdict).sum()) for verdict in VERDICTS]
        assert counts[experiment.name] == [len(judged), *found]
