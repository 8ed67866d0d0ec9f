from __future__ import annotations

import json
import subprocess
import sys

import pytest

from moselect.export import formula_of, python_of
from moselect.models import OrdinalLinearClassifier

RUN = """
import json, runpy, sys
model = runpy.run_path(sys.argv[1])
rows = json.load(sys.stdin)
json.dump([[model["score"](row), model["predict"](row)] for row in rows], sys.stdout)
"""


def test_a_bare_interpreter_gives_what_predict_gives_to_the_last_bit(tmp_path, case):
    path, text = tmp_path / "m.py", python_of(case.formula)
    path.write_text(text, encoding="utf-8")
    rows = case.table.astype(object).where(case.table.notna(), None).to_dict("records")
    scored, without = [], []
    for row, score, label in zip(rows, case.scores, case.classes, strict=True):
        (without if score is None else scored).append((row, [score, label]))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", RUN, path],
        input=json.dumps([row for row, _ in scored]),
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    )
    assert json.loads(done.stdout) == [expected for _, expected in scored]
    names = {}
    exec(text, names)
    for row, _ in without:
        with pytest.raises(
            ValueError, match=r"'smoker' is 'perhaps'|'born' is 'soon'|is missing|is None"
        ):
            names["predict"](row)


def test_what_is_no_number_is_refused():
    model = OrdinalLinearClassifier([1.0, 2.0], [0.0], [False, True], ["a", 'b"""'])
    module = {}
    exec(python_of(formula_of(model), 'x"""\nimport os'), module)
    for value in (None, "", "tall", float("nan"), float("inf"), [1.0]):
        with pytest.raises(ValueError, match=r"column 'a' is .*, not a finite number"):
            module["predict"]({"a": value, 'b"""': 1.0})
    with pytest.raises(ValueError, match="too large"):
        module["predict"]({"a": 1.7e308, 'b"""': 1.7e308})
    with pytest.raises(KeyError):
        module["predict"]({"a": 1.0})
