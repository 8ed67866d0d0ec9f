import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.slow
def test_the_python_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(
        r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL
    )
    names = {}
    exec("\n".join(blocks), names)
    assert (tmp_path / "fronts.png").is_file()
    assert set(names["model"].predict(names["X"])) <= set(names["y"])
    low, high = names["result"].confidence_intervals.T
    assert (low < names["result"].estimates).all()
    assert (names["result"].estimates < high).all()
