import json
import re

import msgspec
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from pandas.testing import assert_frame_equal
from sklearn.preprocessing import TargetEncoder

from moselect.preprocessing import Preparation
from moselect.samples.duplicates import equal_rows
from moselect.samples.folds import Folds
from tests.any_tables import tables
from tests.estimator_checks import parametrize_with_checks


@parametrize_with_checks([Preparation()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def prepared(values, y=None, **options):
    """Return a one-column preparation, and its training columns."""
    X = pd.DataFrame({"a": values, "x": np.arange(len(values)) / 7})
    preparation = Preparation(**options).fit(X, y)
    return preparation, preparation.transform(X).drop(columns="x")


def written_and_read(preparation):
    text = json.dumps(msgspec.to_builtins(preparation.to_document()), allow_nan=False)
    return Preparation.from_document(json.loads(text))


def test_gaps_are_filled_with_the_median_and_marked_if_common():
    rare = [1.0, 2.0, 9.0, None, *[3.0] * 4]
    assert prepared(rare)[1]["a"].tolist() == [1, 2, 9, 3, 3, 3, 3, 3]
    preparation, X = prepared([1.0, 2.0, 9.0, *[None] * 5])
    assert X["a"].tolist() == [1, 2, 9, 2, 2, 2, 2, 2]
    assert X["a missing"].tolist() == [0, 0, 0, 1, 1, 1, 1, 1]
    assert "a (5 missing values imputed by the median and flagged)" in preparation.summary


def test_infinite_numbers_are_refused():
    with pytest.raises(ValueError, match="column 'a' has 1 infinite values"):
        prepared([1.0, np.inf, 2.0])


def test_words_among_numbers_are_missing_values():
    preparation, X = prepared([*np.arange(40.0), "n.b.", "<1", "n.b."])
    assert X["a"].tolist() == [*np.arange(40.0), 19.5, 19.5, 19.5]
    assert (
        "a (read as numbers, 'n.b.', '<1' as missing; 3 missing values imputed"
        in preparation.summary
    )
    fitted = written_and_read(preparation)
    other = fitted.transform(pd.DataFrame({"a": ["7", " N.B."], "x": [0.0, 1.0]}))
    assert other["a"].tolist() == [7, 19.5]
    with pytest.raises(ValueError, match="'a' holds '<2', not a finite number"):
        fitted.transform(pd.DataFrame({"a": ["<2"], "x": [1.0]}))
    _, X = prepared(["1", "2", "3+"] * 9)
    assert X["a"].tolist() == [0, 1, 2] * 9


@settings(max_examples=10)
@given(st.lists(st.integers(5, 20), min_size=2, max_size=6), st.randoms())
def test_levels_agree_with_indicators_of_pandas(counts, random):
    values = [level for level, n in zip("abcdef", counts, strict=False) for _ in range(n)]
    random.shuffle(values)
    _, X = prepared(values)
    expected = pd.get_dummies(pd.Series(values))
    assert X.shape[1] == len(counts) - 1
    for name in X:
        assert X[name].tolist() == expected[name.removeprefix("a=")].tolist()


def test_rare_and_unknown_levels_share_an_indicator():
    values = ["n"] * 10 + ["s"] * 6 + ["e", "w", "e", None]
    preparation, X = prepared(values)
    assert X.columns.tolist() == ["a=s", "a=(other)"]
    assert X["a=(other)"].tolist() == [0] * 16 + [1] * 4
    other = preparation.transform(pd.DataFrame({"a": ["?!", "n", None], "x": 0.0}))
    assert other["a=(other)"].tolist() == [1, 0, 1]
    assert "most frequent level, rare levels merged)" in preparation.summary


RNG = np.random.default_rng(5)
PLACES = np.array([f"p{i}" for i in RNG.integers(0, 30, 300)])
GRADES = pd.Series(np.where(PLACES < "p2", 3, RNG.integers(1, 3, 300)))


def test_many_levels_agree_with_target_encoding():
    preparation, X = prepared(PLACES, GRADES)
    levels = PLACES[:, None]
    encoder = TargetEncoder(target_type="continuous").fit(levels, GRADES - 1)
    expected = encoder.transform(levels)[:, 0]
    assert_allclose(X["a (mean class)"], expected, rtol=1e-12)
    other = preparation.transform(pd.DataFrame({"a": ["unknown", None], "x": 0.0}))
    assert other["a (mean class)"].tolist() == pytest.approx([(GRADES - 1).mean()] * 2)


def test_training_samples_are_encoded_by_other_folds_than_duplicates():
    X = pd.DataFrame({"a": PLACES, "x": 1.0 * np.arange(300)})
    X = pd.concat([X] * 2, ignore_index=True)
    y = pd.concat([GRADES] * 2, ignore_index=True)
    encoded = Preparation(random_state=3).fit_transform(X, y)["a (mean class)"]
    levels = X[["a"]].to_numpy()
    # Each fold is encoded by the mean classes of the other folds.
    for others, rows in Folds.deal(equal_rows(X), y, 5, seed=3):
        encoder = TargetEncoder(target_type="continuous")
        encoder.fit(levels[others], (y - 1)[others])
        expected = encoder.transform(levels[rows])[:, 0]
        assert_allclose(encoded.iloc[rows], expected, rtol=1e-12)


DAYS = pd.Series(pd.date_range("2024-02-27 06:00", periods=40, freq="19h"))


@pytest.mark.parametrize(
    "write",
    [
        lambda days: days,
        lambda days: days.dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"),
        lambda days: days.dt.strftime("%b %d, %Y %H:%M"),
    ],
)
def test_dates_of_any_type_or_format(write):
    kept = pd.DataFrame(
        {
            "a days": np.arange(40) * 19 / 24,
            "a month": DAYS.dt.month,
            "a weekday": DAYS.dt.day_of_week + 1,
            "a hour": DAYS.dt.hour,
        }
    )
    for options, expected in (
        ({"keep": ["a"]}, kept),
        ({}, kept.drop(columns="a days")),
    ):
        _, X = prepared(write(DAYS), **options)
        assert_frame_equal(X, expected, check_dtype=False)


def test_days_are_a_column_where_the_classes_have_a_trend():
    X = pd.DataFrame({"a": DAYS})
    for codes, has_trend in ((np.arange(40) // 10, True), (np.arange(40) % 4, False)):
        preparation = Preparation().fit(X, codes)
        assert ("a days" in preparation.get_feature_names_out()) == has_trend
    new = pd.to_datetime(["2020-01-01", "2024-02-28", "2030-01-01"])
    kept = Preparation(keep=["a"]).fit(X).transform(pd.DataFrame({"a": new}))
    assert_allclose(kept["a days"], [0.0, 0.75, 39 * 19 / 24])


def test_days_between_successive_dates():
    stay = np.arange(40) % 7 + 0.25
    out = (DAYS + pd.to_timedelta(stay, "D")).dt.strftime("%d.%m.%Y %H:%M")
    out = out.astype(object)
    out[:3] = [None, "?", ""]
    born = pd.Series(pd.date_range("1950-01-01", periods=40, freq="100D")).astype(str)
    X = pd.DataFrame({"out": out, "in": DAYS, "born": born})
    preparation = Preparation().fit(X)
    prepared = written_and_read(preparation).transform(X)
    age = (DAYS - pd.to_datetime(born)) / pd.Timedelta(days=1)
    assert prepared.filter(like="days").to_dict("list") == {
        "days from born to in": age.tolist(),
        "days from in to out": [np.median(stay[3:])] * 3 + stay[3:].tolist(),
    }
    other = X[:2].assign(out=["29.02.2024 00:00", "1.2."], born=[None, "1950-01-01"])
    rows = preparation.read(other)
    assert rows.estimated.tolist() == ["estimated without 'born'", ""]
    unreadable = "column 'out' holds '1.2.', not a date such as 03.03.2024 21:00"
    assert rows.unreadable.tolist() == ["", unreadable]


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("id", range(20), "identifier by its name, all values differ"),
        ("runner", [f"r{i}" for i in range(20)], "identifier, all values differ"),
        (
            "runner",
            [f"r{min(i, 38)}" for i in range(40)],
            "identifier, almost all values differ",
        ),
        ("nothing", [None] * 20, "empty"),
    ],
)
def test_columns_are_excluded_with_a_reason(name, values, reason):
    X = pd.DataFrame({name: values})
    X["x"] = np.arange(len(X)) / 7
    preparation = Preparation().fit(X)
    (excluded,) = preparation.excluded_
    assert (excluded.name, excluded.reason) == (name, reason)
    assert f"Excluded: {name} ({reason})." in preparation.summary
    # Excluded columns are not required.
    assert preparation.transform(X[["x"]]).columns.tolist() == ["x"]


def test_kept_columns_are_not_excluded():
    words = [f"w{i}" for i in range(20)]
    X = pd.DataFrame({"id": range(20), "zero": 0, "word": words, "town": "Ghent"})
    kept = Preparation(keep=list(X)).fit(X, [1, 2] * 10)
    names = kept.get_feature_names_out().tolist()
    assert names == ["id", "zero", "word (mean class)", "town (mean class)"]


def test_a_single_column_may_be_constant_in_a_fold():
    X = pd.DataFrame({"diet": ["FM"] * 10 + ["IM"] * 12})
    by_schema = Preparation().with_schema(Preparation().schema_of(X))
    assert set(by_schema.fit(X[:10], [0, 1] * 5).transform(X).to_numpy().flat) == {0.5}


def attempt(call, *arguments):
    """Return the result of a call, or None and the message of its ValueError."""
    try:
        return call(*arguments), ""
    except ValueError as error:
        return None, str(error)


@pytest.mark.slow
@given(tables(), st.randoms())
def test_any_table_is_prepared_row_by_row_or_refused_in_one_line(pair, random):
    X, new = pair
    y = np.arange(len(X)) % 2
    preparation, refusal = attempt(Preparation().fit, X, y)
    if preparation is None:
        assert re.fullmatch(r"no column is left to learn from: [^\n]*", refusal)
        return
    trained = preparation.transform(X)
    assert np.isfinite(trained.to_numpy()).all()
    assert np.isfinite(Preparation().fit_transform(X, y).to_numpy()).all()
    rows = [preparation.transform(X.iloc[[i]]) for i in range(len(X))]
    assert_frame_equal(pd.concat(rows), trained, check_exact=True)
    again = written_and_read(preparation)
    names = list(X)
    random.shuffle(names)
    assert_frame_equal(again.transform(X[names]), trained, check_exact=True)

    expected, refusal = attempt(preparation.transform, new)
    reasons = pd.Series(preparation.read(new).unreadable, new.index)
    unreadable = reasons.str.contains(" holds ")
    complete = new[preparation.used].notna().all(axis=1)
    assert reasons[complete & ~unreadable].eq("").all()
    if expected is None:
        assert re.search(
            r"column '.*' holds .*, not .* \(row \d+; \d+ of \d+ rows\)", refusal
        )
        assert unreadable.any()
        new = new[~unreadable.to_numpy(dtype=bool)]
        expected = preparation.transform(new)
    else:
        assert not unreadable.any()
    assert np.isfinite(expected.to_numpy()).all()
    assert_frame_equal(again.transform(new), expected, check_exact=True)
    with pytest.raises(ValueError, match="is missing"):
        again.transform(new.drop(columns=preparation.columns_[0].name))


@pytest.mark.parametrize(
    "cells", [["12 km", "7 km", "9 km"], ["95%", "5%"], ["120/80", "90/60"]]
)
def test_numbers_in_text_that_files_have_as_numbers_are_warned_of(cells):
    X = pd.DataFrame({"cell": cells * 4})
    with pytest.warns(UserWarning, match=f"'{cells[0]}', are levels: .*load_dataset"):
        Preparation().fit(X)
    Preparation().fit(X.astype("category"))
    Preparation(categorical=["cell"]).fit(X)
