"""Remarks on unusual values are about the columns of the user, in their units."""

import numpy as np
import pandas as pd

from moselect.columns import columns_transformer, predict_table, table_range_remarks
from moselect.models import OrdinalLinearClassifier, model_card


def remarks_of(table, columns, new):
    """Return the remarks on new rows of a model of a table, all weights 1."""
    codes = np.arange(len(table)) % 2
    transformer = columns_transformer(table, columns, True, 0).fit(table, codes)
    names = transformer.get_feature_names_out().tolist()
    model = OrdinalLinearClassifier(np.ones(len(names)), [0.0], [0, 1], names, transformer)
    card = model_card(model, table, codes, predicts="severity")
    assert table_range_remarks(model, card, predict_table(model, table).values) == []
    return table_range_remarks(model, card, predict_table(model, new).values)


def test_curves_and_products_are_remarked_on_as_their_features():
    table = pd.DataFrame({"age": np.arange(20.0, 60.0), "dose": np.arange(40.0) % 7 / 10})
    (remark,) = remarks_of(table, "splines", pd.DataFrame({"age": [30, 75], "dose": [0.1, 0.2]}))
    assert remark == "'age': 1 of 2 rows lie outside the training range 20 to 59 (here 30 to 75)"


def test_parts_of_dates_are_called_by_their_column():
    days = pd.date_range("2024-01-01", periods=40, freq="D")
    table = pd.DataFrame({"reported": days.strftime("%Y-%m-%d")})
    for columns in ("features", "splines"):
        remarks = remarks_of(
            table, columns, pd.DataFrame({"reported": ["2024-02-20", "2024-01-02"]})
        )
        assert remarks[0].startswith(
            "'reported (days since 2024-01-01)': 1 of 2 rows lie outside the training range 0 to 39"
        )
