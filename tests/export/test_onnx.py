"""Models as ONNX documents: onnxruntime and `predict` agree."""

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from moselect import ParetoSearch
from moselect.export import inputs_of, onnx_of
from moselect.preprocessing import Preparation
from tests.export.cases import DATES, draw_rows, model_of

COSTS = [1, 2, 3, 6]


def mixed_table(n, seed):
    """Draw rows of every content, and classes on which pairs of levels have an effect."""
    rng = np.random.default_rng(seed)
    table = draw_rows(rng, n)
    table["seen"] = pd.to_datetime(table["seen"], format=DATES["seen"])
    table["zone"] = [f"z{k:.0f}" for k in table["zone"]]
    table["band"] = np.resize(["low", "mid", "high"], n)
    pair = table["city"].str[5:].astype(int) % 4 + 2 * (table["zone"] > "z2")
    score = table["dose"] / 3 + table["age"].fillna(50.0) / 12 + 7 * pair % 3
    return table, np.digitize(score + rng.logistic(size=n) / 2, [5.0, 6.5, 8.0])


def run(document, inputs):
    session = onnxruntime.InferenceSession(document)
    assert [each.name for each in session.get_inputs()] == list(inputs)
    names = [out.name for out in session.get_outputs()]
    return dict(zip(names, session.run(None, inputs), strict=True))


def assert_agrees(model, new):
    found = run(onnx_of(model), inputs_of(model, new))
    labels = model.predict(new)
    # Of a model that refers rows, classes are text beside the label of these.
    assert (labels.dtype.kind == "i") == (found["label"].dtype.kind == "i")
    if labels.dtype.kind != "i":
        labels = labels.astype(str)
    assert (found["label"][:, 0] == labels).all()
    assert_allclose(found["probabilities"], model.predict_proba(new), atol=1e-12)
    assert_allclose(
        found["score"][:, 0], model.decision_function(new), rtol=1e-9, atol=1e-9
    )


@pytest.fixture(scope="module")
def mixed_search():
    X, y = mixed_table(900, 1)
    return ParetoSearch(n_iterations=3, cv=2, random_state=1).fit(X, y)


@pytest.mark.checks("Files, exports and pages", "predict, in ONNX Runtime")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("candidate", "refer"),
    [("scorecard", None), ("linear", None), ("additive", 0.6), ("ensemble", None)],
)
def test_candidates_agree_on_new_categories_gaps_and_referrals(
    mixed_search, candidate, refer
):
    model = mixed_search.select(class_costs=COSTS, model=candidate, refer=refer)
    if candidate == "ensemble":  # it has columns of every type
        column_types = {type(column).__name__ for column in model.columns.first.columns_}
        assert {"NumberColumn", "DateColumns", "LevelColumns"} <= column_types
        assert {"EncodedColumn", "PairColumn", "CodeColumn"} <= column_types
    new, _ = mixed_table(2_000, 2)
    new.loc[::7, "zone"] = "elsewhere"
    new.loc[::11, "city"] = "new"
    new.loc[::13, ["dose", "wait", "seen"]] = None
    assert ("refer" in model.predict(new)) == (refer is not None)
    assert_agrees(model, new)


@pytest.mark.slow
def test_an_invalid_cell_gives_no_class(mixed_search):
    model = mixed_search.select(class_costs=COSTS, model="additive")
    new, _ = mixed_table(4, 7)
    new["dose"] = new["dose"].astype(object)
    new.loc[0, "dose"] = "see file"
    new.loc[1, "dose"] = np.inf
    found = run(onnx_of(model), inputs_of(model, new))
    others = model.predict(new[2:].infer_objects())
    nothing = np.iinfo(np.int64).min
    assert found["label"][:, 0].tolist() == [nothing, nothing, *others]
    assert np.isnan(found["probabilities"][:2]).all()


@pytest.mark.checks("Files, exports and pages", "predict, in ONNX Runtime")
def test_codes_of_missing_values_are_gaps():
    income = np.where(np.arange(60) % 7 == 0, 999.0, np.arange(60.0))
    preparation = Preparation(missing={"income": [999]})
    model = model_of(preparation.fit(pd.DataFrame({"income": income})))
    new = pd.DataFrame({"income": [998.0, 999.0, 1000.0, 5.0, np.nan]})
    score = run(onnx_of(model), inputs_of(model, new))["score"][:, 0]
    assert score == pytest.approx(model.decision_function(new))
    # The code is a gap, as is an empty cell; its neighbours are numbers.
    assert score[1] == score[4]
    assert score[0] != score[1] != score[2]
