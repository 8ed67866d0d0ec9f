import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from moselect.export import export_model
from moselect.export.exporting import SUFFIXES
from moselect.models import ProportionalOdds, WrappedClassifier
from moselect.operators.feature_graph import FeatureGraph
from moselect.predictor import ModelCard, OrdinalLinearClassifier
from moselect.predictor.conversion import to_predictor
from moselect.preprocessing import Preparation
from moselect.preprocessing.graph_columns import GraphColumns
from moselect.tables.amounts import read_all_amounts, split_pairs
from tests.export.cases import model_of

MODEL = OrdinalLinearClassifier([1.0, 2.0], [0.5], ["low", "high"], ["a", "b"])
CARD = ModelCard(predicts="risk", n_rows=2)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_appear_and_are_not_overwritten(tmp_path, suffix):
    path = tmp_path / f"model{suffix.upper()}"
    export_model(MODEL, str(path), card=CARD)
    with pytest.raises(ValueError, match="exists already"):
        export_model(MODEL, path, card=CARD)
    path.write_text("mine")
    export_model(MODEL, path, card=CARD, overwrite=True)
    assert path.read_bytes() != b"mine"
    assert list(tmp_path.iterdir()) == [path]


def linear(n_terms=1, columns=None):
    return OrdinalLinearClassifier([1.0] * n_terms, [0.0], [0, 1], None, columns)


UNKNOWN = WrappedClassifier(GaussianNB()).fit([[0.0], [1.0], [2.0]], [0, 0, 1])
MODELS = linear(
    columns=GraphColumns(["odds"], FeatureGraph.of(lambda X: X * 2.0, 1), None)
)
REFUSED = {
    "needs a model card, which this model has not": (MODEL, "m.html"),
    "ProportionalOdds cannot be exported": (ProportionalOdds(), "m.sql"),
    "has 901 terms": (linear(n_terms=901), "m.sql"),
    "GaussianNB has no ONNX form": (to_predictor(UNKNOWN), "m.onnx"),
    "columns of GraphColumns have no formula, so": (MODELS, "m.sql"),
}


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        (["95k", "97k", "1M"], "'a' \\(k, M\\)"),
        (["1/2", "3/4", "5/9"], "'a' \\(two numbers"),
        (["3/1/2024 9:05 AM", "3/14/2024 12:30 PM"] * 2, "'a' \\(times with AM"),
    ],
)
def test_columns_that_sql_would_read_as_missing_are_refused(tmp_path, cells, why):
    table = pd.DataFrame({"a": cells * 20, "b": range(20 * len(cells))})
    read_all_amounts(table, few=True)
    columns = Preparation().fit(split_pairs(table, ()), np.arange(len(table)) % 2)
    with pytest.raises(ValueError, match=f"SQL cannot read column {why}"):
        export_model(model_of(columns), tmp_path / "m.sql")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("message", REFUSED)
def test_exports_that_are_impossible_are_refused(tmp_path, message):
    model, name = REFUSED[message]
    with pytest.raises(ValueError, match=message):
        export_model(model, tmp_path / name)
    assert not list(tmp_path.iterdir())
