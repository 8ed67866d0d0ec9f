"""Labels of every kind become the same class codes."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from moselect.labels import class_labels, encode, encode_labels, union_classes
from moselect.models.training import ordinal_target

CODES = np.array([2, 0, 1, 2])
WORDS = np.array(["low", "mid", "high"])
KINDS = {
    "list": ([30, 10, 20, 30], None),
    "int8": (np.array([127, -128, 0, 127], dtype=np.int8), None),
    "uint64": (np.array([2**64 - 1, 2**64 - 3, 2**64 - 2, 2**64 - 1], dtype=np.uint64), None),
    "uint64 list": ([2**64 - 1, 2**64 - 3, 2**64 - 2, 2**64 - 1], None),
    "uint64 named": ([2**63 + 2, 5, 2**63, 2**63 + 2], [5, 2**63, 2**63 + 2]),
    "float16": (np.array([3, 1, 2, 3], dtype=np.float16), None),
    "float16 Series": (pd.Series(np.array([3, 1, 2, 3], dtype=np.float16)), None),
    "long double": (np.array([3, 1, 2, 3], dtype=np.longdouble), None),
    "big-endian": (np.array([30, 10, 20, 30], dtype=">i4"), None),
    "big-endian float": (np.array([30, 10, 20, 30], dtype=">f8"), None),
    "unmasked": (np.ma.array([3, 1, 2, 3]), None),
    "wide integers": (np.array([10**12, -(10**12), 0, 10**12]), None),
    "floats": (np.array([0.5, -1.5, 0.0, 0.5]), None),
    "Series": (pd.Series([3, 1, 2, 3], index=[9, 8, 7, 6]), None),
    "nullable": (pd.Series([3, 1, 2, 3], dtype="Int64"), None),
    "unordered categories": (pd.Categorical([3, 1, 2, 3]), None),
    "given order": ([1, 3, 2, 1], [3, 2, 1]),
    "gaps": ([9, 2, 5, 9], [2, 5, 9]),
    "objects of integers": (np.array([30, 10, 20, 30], dtype=object), None),
    "decimals": (pd.Series([Decimal("0.5"), Decimal("-2"), Decimal("0.25"), Decimal("0.5")]), None),
    "intervals": (pd.cut([0.9, 0.1, 0.5, 0.8], [0.0, 0.3, 0.6, 1.0]), None),
    "interval Series": (pd.Series(pd.cut([0.9, 0.1, 0.5, 0.8], 3)), None),
    "words": (WORDS[CODES], WORDS),
    "objects": (WORDS[CODES].astype(object), list(WORDS)),
    "word Series": (pd.Series(WORDS[CODES]), WORDS),
    "categories": (pd.Categorical(WORDS[CODES], categories=WORDS, ordered=True), None),
    "category Series": (
        pd.Series(pd.Categorical(WORDS[CODES], categories=["none", *WORDS], ordered=True)),
        None,
    ),
    "categories reordered": (
        pd.Categorical(WORDS[CODES], categories=WORDS[::-1], ordered=True),
        WORDS,
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_encoding(kind):
    y, labels = KINDS[kind]
    classes, codes = encode(y, labels)
    np.testing.assert_array_equal(codes, CODES)
    assert codes.dtype == np.int64
    assert len(classes) == 3
    assert [y.tolist()[i] if hasattr(y, "tolist") else y[i] for i in (1, 2, 0)] == classes.tolist()
    np.testing.assert_array_equal(class_labels(y, labels), classes)
    np.testing.assert_array_equal(encode_labels(y, classes), CODES)


@pytest.mark.parametrize("kind", ["objects of integers", "intervals", "interval Series"])
def test_estimators_take_them(kind):
    np.testing.assert_array_equal(ordinal_target(KINDS[kind][0], None)[1], CODES)


def test_estimators_take_fractions_that_are_named():
    assert ordinal_target([1.5, 1.0, 1.5], [1.0, 1.5, 2.0])[1].tolist() == [1, 0, 1]


def test_booleans():
    classes, codes = encode([True, False])
    assert classes.tolist() == [False, True]
    assert codes.tolist() == [1, 0]


def test_unused_categories():
    y = pd.Categorical(["b", "b"], categories=["a", "b", "c"], ordered=True)
    assert class_labels(y).tolist() == ["b"]
    assert class_labels(y, keep_unused=True).tolist() == ["a", "b", "c"]
    assert encode(y, keep_unused=True)[1].tolist() == [1, 1]


def test_missing_labels_say_where():
    for y in ([1.0, np.nan], ["a", None], pd.Series([1, None], dtype="Int64")):
        with pytest.raises(ValueError, match=r"1 of 2 labels are missing .*at position 1"):
            class_labels(y)
    with pytest.raises(ValueError, match="at position 1"):
        encode(pd.Categorical(["a", None], categories=["a"], ordered=True))


def test_unknown_labels_say_where():
    for y, classes in (([1, 2, 9], [1, 2]), (["a", "c", "b"], ["a", "b"]), ([1, 1.5], [1, 2])):
        with pytest.raises(ValueError, match=r"unknown label .*first at position [12]"):
            encode_labels(y, np.array(classes))


def test_words_need_an_order():
    with pytest.raises(ValueError, match=r"without a known order \(a, b\)"):
        class_labels(["b", "a"])
    with pytest.raises(ValueError, match="without a known order"):
        class_labels(pd.Categorical(["b", "a"]))


def test_integers_beyond_64_bits():
    with pytest.raises(ValueError, match="from 1 to 1180591620717411303424 need more"):
        encode([2**70, 1])
    with pytest.raises(ValueError, match="from -1 to 9223372036854775808 need more"):
        encode([2**63, -1])


def test_signed_and_unsigned_integers_are_compared_exactly():
    large = np.array([2**63, 2**63 + 1], dtype=np.uint64)
    classes = union_classes(large, np.array([7, 9]))
    assert classes.tolist() == [7, 9, 2**63, 2**63 + 1]
    assert encode_labels(np.array([9, 7]), classes).tolist() == [1, 0]
    assert encode_labels(large, classes).tolist() == [2, 3]
    with pytest.raises(ValueError, match="unknown label -1"):
        encode_labels(np.array([-1]), classes)


def test_masked_labels_say_where():
    y = np.ma.array([1, 2, 3], mask=[0, 0, 1])
    for check in (class_labels, encode, lambda y: encode_labels(y, np.array([1, 2]))):
        with pytest.raises(ValueError, match="masked, the first at position 2"):
            check(y)


@pytest.mark.parametrize("y", [np.array([1, 2j]), np.array(["2020-01-01"], dtype="datetime64[s]")])
def test_what_has_no_order_of_classes(y):
    with pytest.raises(ValueError, match="without a known order"):
        class_labels(y)


def test_dates_that_are_missing():
    y = np.array(["2020-01-01", "NaT"], dtype="datetime64[ns]")
    with pytest.raises(ValueError, match=r"1 of 2 labels are missing .*at position 1"):
        class_labels(y)
