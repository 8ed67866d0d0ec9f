"""What is said of tables that know too much."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from moselect.columns.leaks import leak_remarks


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


def test_repeated_rows_and_too_good_an_accuracy_are_said(table):
    X, codes = table
    assert leak_remarks(X, codes, accuracy=0.98) == []
    assert "(--drop COLUMN)" in leak_remarks(X, codes, accuracy=0.995)[0]
    (said,) = leak_remarks(pd.concat([X, X[:9]]), np.append(codes, codes[:9]))
    assert said.startswith("9 of 209 rows repeat others")


@pytest.mark.parametrize("as_name", [str, lambda number: f"patient {number}", int])
def test_a_column_that_looks_like_a_group_is_named_with_its_option(table, as_name):
    X, _ = table
    rng = np.random.default_rng(2)
    patients = np.repeat(rng.permutation(40), 5)
    own = rng.integers(0, 3, 40)[patients]
    codes = np.where(rng.uniform(size=200) < 0.7, own, rng.integers(0, 3, 200))
    (said,) = leak_remarks(X.assign(patient=[as_name(one) for one in patients]), codes)
    assert said.startswith("rows of one 'patient'")
    assert "(--group patient)" in said


@pytest.mark.parametrize("values", ["age in years", "noise", "a few regions"])
def test_columns_that_only_tell_something_are_no_groups(table, values):
    X, codes = table
    rng = np.random.default_rng(3)
    column = {
        "age in years": np.rint(10.0 * (codes + rng.normal(size=200))).astype(int),
        "noise": rng.integers(0, 40, 200),
        "a few regions": [
            f"r{code}" for code in np.minimum(codes + rng.integers(0, 2, 200), 2)
        ],
    }[values]
    assert leak_remarks(X.assign(column=column), codes) == []
