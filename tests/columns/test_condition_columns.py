"""Conditions with round cuts."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.columns import ConditionColumns
from moselect.columns.condition_columns import roundest
from moselect.models.terms import Curve, Number

FINITE = st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 3))


@given(st.tuples(FINITE, FINITE).map(sorted))
def test_no_number_between_the_neighbours_is_rounder(ends):
    low, high = ends
    if low == high:
        return
    cut = roundest(low, high)
    assert low <= cut < high
    # The largest of the units 1, 2 and 5 times powers of ten that has a multiple in between.
    for power in range(7, -5, -1):
        for digit in (5, 2, 1):
            unit = digit * Fraction(10) ** power
            highest = -(-Fraction(high) // unit) - 1
            if highest * unit >= Fraction(low):
                assert cut == float(highest * unit)
                return


def test_every_cut_of_few_values_and_nineteen_of_many():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"grade": rng.integers(1, 5, 400), "income": rng.lognormal(8.0, 1.0, 400)})
    columns = ConditionColumns().fit(X)
    cuts = [one.above for one in columns.conditions_ if one.feature == "income"]
    assert [one.above for one in columns.conditions_ if one.feature == "grade"] == [1.0, 2.0, 3.0]
    assert len(cuts) == 19
    shares = np.diff([0.0, *((X["income"] <= cut).mean() for cut in cuts), 1.0])
    assert shares.max() < 0.11
    met = columns.transform(X)
    np.testing.assert_array_equal(met[:, 3], X["income"] > cuts[0])


def test_weights_are_copies_and_rare_sides_have_no_cut():
    values = pd.DataFrame(np.random.default_rng(1).normal(size=(60, 2)))
    weights = np.random.default_rng(2).integers(1, 4, 60)
    weighted = ConditionColumns().fit(values, sample_weight=weights)
    copies = ConditionColumns().fit(values.loc[values.index.repeat(weights)])
    assert weighted.conditions_ == copies.conditions_
    lonely = pd.DataFrame({"a": [0.0] * 100 + [1.0] * 4})
    assert ConditionColumns().fit(lonely).conditions_ == []


def test_terms_and_documents_say_the_same():
    X = pd.DataFrame({"age": [20.0, 30.0, 40.0, 55.0] * 9})
    columns = ConditionColumns().fit(X)
    term = columns.terms((Number("age"),))[0]
    cut = columns.conditions_[0].above
    assert isinstance(term, Curve)
    assert term.of == Number("age")
    assert cut < term.breaks[0] == np.nextafter(cut, np.inf)
    document = columns.to_document()
    again = ConditionColumns.from_document(msgspec.json.decode(msgspec.json.encode(document)))
    np.testing.assert_array_equal(again.transform(X), columns.transform(X))
    document["conditions"][0][0] = "weight"
    with pytest.raises(ValueError, match="not there"):
        ConditionColumns.from_document(document)
