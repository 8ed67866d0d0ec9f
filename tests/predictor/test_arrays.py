"""Arrays that are given to models of tables."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array

from moselect import CostSensitiveOrdinalClassifier, Scorecard
from tests.any_tables import ordinal_table

VALUES, Y = ordinal_table(80, 2, 2)
TABLE = pd.DataFrame(VALUES, columns=["a", "b"])
MASKED = r"X\[\d+, \d\] is masked: drop that row or fill it"
MODELS = {
    name: each.fit(TABLE, Y).to_predictor()
    for name, each in {
        "features": CostSensitiveOrdinalClassifier(),
        "splines": CostSensitiveOrdinalClassifier(columns="splines"),
        "prepared": Scorecard(n_conditions=2),
    }.items()
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_models_of_tables_take_arrays_by_place(model):
    expected = model.predict(TABLE)
    for rows in (
        VALUES,
        VALUES.tolist(),
        VALUES.astype(object),
        np.ma.array(VALUES),
        pl.from_pandas(TABLE),
    ):
        np.testing.assert_array_equal(model.predict(rows), expected)


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [
        (np.ma.masked_greater(VALUES, 1.0), ValueError, MASKED),
        (csr_array(VALUES), TypeError, r"X is sparse: give X\.toarray\(\)"),
        (pl.from_pandas(TABLE).lazy(), TypeError, r"X is lazy: give X\.collect\(\)"),
        (VALUES[0], ValueError, "one row a sample"),
        (VALUES[:, :1], ValueError, r"X has 1 features, but \w+ is expecting 2"),
    ],
)
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.filterwarnings("ignore:Determining the column names")
def test_arrays_that_no_model_takes_are_named(model, rows, error, words):
    with pytest.raises(error, match=words):
        model.predict(rows)
