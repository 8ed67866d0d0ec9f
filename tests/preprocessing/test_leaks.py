"""Remarks on columns that leak classes, and on identifiers that repeat."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from moselect.preprocessing.leaks import frequency_remarks, group_remarks, leak_remarks


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 200)
    X = pd.DataFrame(
        {"age": codes + rng.normal(size=200), "town": rng.choice(list("abc"), 200)}
    )
    return X, codes


@pytest.mark.parametrize(
    ("leak", "said"),
    [
        (lambda codes, noise: 0.1 * noise - np.sign(codes), "AUC 1.000"),
        (lambda codes, noise: np.where(codes == 2, noise, np.nan), "AUC 1.000"),
        (lambda codes, noise: np.array(["well", "ill", "dead"])[codes], "AUC 1.000"),
        (lambda codes, noise: 1000 + noise.argsort(), "numbers the rows"),
        (lambda codes, noise: noise, None),
        (lambda codes, noise: [f"word {i}" for i in range(200)], None),
    ],
)
def test_columns_that_leak_are_named_with_their_option(table, leak, said):
    X, codes = table
    noise = np.random.default_rng(1).normal(size=200)
    found = leak_remarks(X.assign(leak=leak(codes, noise)), codes)
    assert len(found) == (said is not None)
    assert all(said in remark and "(--drop leak)" in remark for remark in found)


@pytest.mark.parametrize("name", ["patient_id", "Patient", "userId", "customer_no"])
@pytest.mark.parametrize("as_value", [str, lambda number: f"P{number:05}", int])
def test_an_identifier_that_repeats_is_proposed_as_the_group(table, name, as_value):
    X, _ = table
    visits = np.random.default_rng(2).integers(0, 80, 200)
    X = X.assign(record_id=range(200), **{name: [as_value(one) for one in visits]})
    (proposed,) = group_remarks(X)
    assert proposed.startswith(f"'{name}' has {len(set(visits))} values in 200 rows")
    assert f"(--group {name})" in proposed


def test_columns_that_predict_or_hardly_repeat_are_no_groups(table):
    X, codes = table
    rng = np.random.default_rng(3)
    X = X.assign(
        NOX=rng.normal(size=40).round(3)[codes * 13 + rng.integers(0, 13, 200)],
        genres=[f"g{code}{rng.integers(0, 9)}" for code in codes],
        client_id=[f"c{max(i, 5)}" for i in range(200)],
        user_id=codes,
    )
    assert group_remarks(X) == []


@pytest.mark.parametrize("name", ["Freq", "count", "n"])
def test_counts_of_a_table_of_frequencies_are_proposed_as_weights(name):
    levels = pd.MultiIndex.from_product([["low", "high"], range(6), range(4)]).to_frame()
    codes = levels[2].to_numpy()
    X = pd.DataFrame(
        {"rows": np.arange(48.0), "a": levels[0].to_numpy(), "b": levels[1].to_numpy()}
    )
    (remark,) = frequency_remarks(X.assign(**{name: codes * 7 + 3}), codes)
    assert f"(--weight {name})" in remark


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("size", {}),  # no name of a count
        ("n", {"n": 0.5}),
        ("n", {"b": 1}),  # rows that agree
        ("n", {"b": np.linspace(0.0, 1.0, 48)[np.arange(48) // 2]}),  # a measurement
    ],
)
def test_columns_of_tables_of_rows_are_no_counts(name, changes):
    codes = np.arange(48) % 4
    X = pd.DataFrame({"b": np.arange(48) // 4, name: codes + 3}).assign(**changes)
    assert frequency_remarks(X, codes) == []


@pytest.mark.parametrize("n_rows", [16, 48])
def test_counts_beside_a_measurement_are_no_frequencies(n_rows):
    rows = np.arange(n_rows)
    X = pd.DataFrame({"size": np.sqrt(rows + 2.0), "a": rows // 4 % 20, "n": rows % 7})
    X = X.assign(**{"key": rows, "weight in kg": np.linspace(40.3, 90.1, n_rows)})
    assert frequency_remarks(X, rows % 4) == []
