from __future__ import annotations

import pandas as pd
import pytest

from moselect.export import export_model, formula_of, python_of
from moselect.models import OrdinalLinearClassifier
from tests.export.conftest import run_module


def test_a_bare_interpreter_gives_what_predict_gives_to_the_last_bit(tmp_path, model_and_rows):
    model, table = model_and_rows
    path = tmp_path / "model.py"
    export_model(model, path)
    scores, classes = zip(*run_module(path, table.to_dict("records")), strict=True)
    assert list(scores) == model.decision_function(table).tolist()
    assert list(classes) == model.predict(table).tolist()


@pytest.fixture
def module():
    model = OrdinalLinearClassifier([1.0, 2.0], [0.0], [False, True], ["a", 'b"""'])
    names = {}
    exec(python_of(formula_of(model), 'x"""\nimport os'), names)
    return names


def test_text_of_numbers_counts(module):
    assert module["predict"]({"a": "1.5", 'b"""': " 2 "}) is True
    assert module["predict"]({"a": -1, 'b"""': pd.Series([0.0])[0]}) is False


@pytest.mark.parametrize("value", [None, "", "tall", float("nan"), float("inf"), [1.0]])
def test_what_is_no_number_is_refused(module, value):
    with pytest.raises(ValueError, match=r"column 'a' is .*, not a finite number"):
        module["predict"]({"a": value, 'b"""': 1.0})


def test_scores_that_overflow_and_columns_that_are_missing(module):
    with pytest.raises(ValueError, match="too large"):
        module["predict"]({"a": 1.7e308, 'b"""': 1.7e308})
    with pytest.raises(KeyError):
        module["predict"]({"a": 1.0})
