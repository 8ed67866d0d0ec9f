from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.samples import Samples

X = np.array([[1.0, 5.0], [2.0, 3.0], [4.0, 4.0], [3.0, 1.0]])
NAMES = ["low", "mid", "high"]


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=20))
def test_labels_become_their_index_among_the_classes(drawn):
    y = [*NAMES, *drawn]
    values = np.arange(2.0 * len(y)).reshape(len(y), 2)
    data = Samples.from_table(values, y, NAMES)
    assert data.codes.tolist() == [NAMES.index(label) for label in y]
    assert data.codes.dtype == np.int64
    assert data.classes.tolist() == NAMES
    assert data.class_counts.tolist() == [y.count(label) for label in NAMES]
    assert (len(data), data.n_classes) == (len(y), 3)
    np.testing.assert_array_equal(data.X, values)


def test_any_form_of_the_same_labels_is_the_same_data():
    named = np.array(["low", "high", "low", "mid"], dtype=object)
    ordered = pd.Categorical(named, categories=NAMES, ordered=True)
    forms = [(named, NAMES), (named.tolist(), tuple(NAMES)), (ordered, None)]
    found = [Samples.from_table(X, y, labels) for y, labels in forms]
    found.append(Samples.from_table(X, pd.Series(ordered, index=[9, 8, 7, 6])))
    for data in found:
        assert data.codes.tolist() == [0, 2, 0, 1]
        assert data.classes.tolist() == NAMES
        assert data.digest == found[0].digest


def test_numbers_are_in_their_order():
    data = Samples.from_table(X, [10, 2, 2, 30])
    assert data.classes.tolist() == [2, 10, 30]
    assert data.codes.tolist() == [1, 0, 0, 2]


def test_columns_have_names_if_the_table_has():
    frame = pd.DataFrame(X, columns=["a", "b"])
    assert Samples.from_table(frame, [1, 1, 2, 2]).feature_names == ("a", "b")
    assert Samples.from_table(X, [1, 1, 2, 2]).feature_names is None


def test_floats_are_not_copied():
    assert np.shares_memory(Samples.from_table(X, [1, 1, 2, 2]).X, X)


@pytest.mark.parametrize(
    ("X", "y", "settings", "message"),
    [
        (X, [1, 1, 2], {}, "X has 4 rows but y has 3 labels"),
        (X[:3], [1, 1, 2, 2], {}, "X has 3 rows but y has 4 labels"),
        (X[:0], [], {}, "there are no rows: X and y are empty"),
        (X, [1, 1, 1, 1], {}, r"y has one class only \(1\)"),
        (X, [1, 1, 2, 2], {"labels": [1, 2, 3]}, "class 3 has no samples: drop it"),
        (X, [1, 1, 2, 4], {"labels": [1, 2]}, "unknown label 4"),
        (X, ["low", "low", "high", "high"], {}, "without a known order"),
        (X, [1, 2, np.nan, 2], {}, "1 of 4 labels are missing"),
        (np.where(X == 4.0, np.inf, X), [1, 1, 2, 2], {}, "column '0' has 1 missing"),
    ],
)
def test_tables_that_cannot_be_used(X, y, settings, message):
    with pytest.raises(ValueError, match=message):
        Samples.from_table(X, y, **settings)


def test_a_class_of_one_sample_is_enough_where_nothing_is_said():
    assert Samples.from_table(X, [1, 1, 1, 2]).class_counts.tolist() == [3, 1]


@pytest.mark.parametrize("rows", [np.array([3, 0]), np.array([True, False, False, True])])
def test_taken_samples_keep_all_classes(rows):
    frame = pd.DataFrame(X, columns=["a", "b"])
    data = Samples.from_table(frame, [*NAMES, "low"], NAMES)
    assert data.class_counts.tolist() == [2, 1, 1]
    part = data.take(rows)
    np.testing.assert_array_equal(part.X, X[rows])
    assert part.codes.tolist() == data.codes[rows].tolist()
    assert part.class_counts.tolist() == [2, 0, 0]
    assert part.classes.tolist() == NAMES
    assert part.feature_names == ("a", "b")
    assert part.digest != data.digest
    assert len(data) == 4


def test_the_digest_is_of_features_and_codes():
    digest = Samples.from_table(X, [1, 1, 2, 2]).digest
    assert Samples.from_table(X.copy(order="F"), [1, 1, 2, 2]).digest == digest
    changed = X.copy()
    changed[3, 1] = np.nextafter(changed[3, 1], 9.0)
    assert Samples.from_table(changed, [1, 1, 2, 2]).digest != digest
    assert Samples.from_table(X, [1, 2, 1, 2]).digest != digest
    assert Samples.from_table(X, [5, 5, 7, 7]).digest == digest  # labels are names


def test_constant_columns_are_named():
    frame = pd.DataFrame({"a": [1.0, 1.0], "b": [1.0, 2.0], "c": [0.0, 0.0]})
    with pytest.warns(UserWarning, match=r"constant columns .*: a, c$"):
        Samples.from_table(frame, [1, 2]).warn_of_constant_features()
    with pytest.warns(UserWarning, match=r"constant columns .*: 0, 2$"):
        Samples.from_table(frame.to_numpy(), [1, 2]).warn_of_constant_features()


@pytest.mark.parametrize("values", [X, np.ones((4, 2))], ids=["none", "all"])
def test_no_warning_unless_some_columns_are_constant(values):
    Samples.from_table(values, [1, 1, 2, 2]).warn_of_constant_features()  # a warning is an error
