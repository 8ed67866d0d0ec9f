"""Rows that belong together are remarked upon, whatever their columns are called."""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import moselect
from moselect.cli.terminal import as_options
from moselect.models.training_columns import samples_of, unprepared_samples
from moselect.preprocessing.preparation import schema_of
from moselect.preprocessing.related_rows import related_row_remarks
from tests.any_tables import ordinal_table

CLAIMS = Path(__file__).parents[2] / "docs" / "data" / "claims.csv"
PERSON = np.repeat(np.arange(60), 10)


def remarks_of(X, codes, **roles):
    """Return the warnings of reading a table, in one line each."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        samples = unprepared_samples(
            X, codes, np.arange(codes.max() + 1), schema_of(X, codes=codes), **roles
        )
        remarks = list(related_row_remarks(samples))
    return [*(str(each.message) for each in caught), *remarks]


def ordinal(latent, rng):
    return np.digitize(latent + rng.logistic(size=len(latent)), [-1.0, 1.0])


def sessions(rng):
    """Draw ten sessions of each of 60 persons, whose classes depend on the person."""
    X = pd.DataFrame({"heart": rng.normal(size=600), "stress": rng.normal(size=600)})
    return X, ordinal(2.0 * rng.normal(size=60)[PERSON] + X["stress"], rng)


@pytest.mark.parametrize(
    ("name", "as_value"),
    [
        ("patient_id", str),
        ("Patient", lambda number: f"P{number:05}"),
        ("userId", int),
        ("customer_no", int),
    ],
)
def test_an_identifier_that_repeats_is_proposed_as_the_group(table, name, as_value, rng):
    X, codes = table
    visits = rng.integers(0, 80, 200)
    X = X.assign(record_id=range(200), **{name: [as_value(one) for one in visits]})
    (proposed,) = remarks_of(X, codes)
    assert proposed.startswith(
        f"MS102: '{name}' has {len(set(visits))} values in 200 rows"
    )
    assert f"(groups=X['{name}'])" in proposed
    assert f"(--group '{name}')" in as_options(proposed)


@pytest.mark.parametrize(
    ("as_value", "is_sorted"),
    [
        (lambda k: f"K{k}", True),
        (int, False),
        (float, True),
        (lambda k: f"K{k}" if k else None, True),
        (lambda k: k * 0.618 % 1.0, False),
        (lambda k: float(k) if k else np.nan, False),
    ],
)
def test_persons_are_found_by_their_classes_under_any_name(as_value, is_sorted, rng):
    X, codes = sessions(rng)
    values = np.arange(60) if is_sorted else rng.permutation(60)
    X = X.assign(aster=[as_value(k) for k in values[PERSON]])
    (found,) = remarks_of(X, codes)
    assert found.startswith("MS102: 'aster' has 60 values in 600 rows")
    assert remarks_of(X, codes, groups=PERSON) == []
    assert remarks_of(X, codes, times=np.arange(600)) == []


def test_a_measurement_of_persons_is_found_but_not_a_rounded_one_with_steps():
    """Of 8 tables each; the steps of a sine explain the class better than a trend does."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        height = (170.0 + 10.0 * rng.normal(size=60)).round(2)[PERSON]
        latent = 4.0 * rng.normal(size=60)[PERSON]
        X = pd.DataFrame({"height": height, "x": rng.normal(size=600)})
        (found,) = remarks_of(X, ordinal(latent, rng))
        assert found.startswith("MS102: 'height'")
        X["height"] = rng.normal(size=600).round(1)
        assert remarks_of(X, ordinal(2.0 * np.sin(4.0 * X["height"]), rng)) == []
    # A name is no reason to take a measurement for a key.
    X = X.rename(columns={"height": "patient_id"})
    assert remarks_of(X, ordinal(X["x"], rng)) == []


def test_persons_are_found_by_the_two_columns_that_identify_them_together(rng):
    X, codes = sessions(rng)
    X = X.assign(site=[f"S{k}" for k in PERSON // 10], number=PERSON % 10)
    (found,) = remarks_of(X, codes)
    assert found.startswith(
        "MS102: 'number' and 'site' together have 60 values in 600 rows"
    )
    product = pd.DataFrame({"a": rng.integers(0, 9, 600), "b": rng.integers(0, 9, 600)})
    assert remarks_of(product, ordinal(product["a"] + product["b"] - 8.0, rng)) == []


@pytest.mark.filterwarnings("ignore:MS10[18]")
@pytest.mark.parametrize(
    ("name", "as_time"),
    [
        ("seen", lambda k: f"{1990 + k}-05-01"),
        ("year", lambda k: 1990 + k // 3),
        ("quarter", lambda k: f"{1990 + k // 4}Q{k % 4 + 1}"),
        ("week", lambda k: k),
    ],
)
def test_times_along_which_classes_change_are_remarked_upon(name, as_time, rng):
    """Ten of 30 periods of ten rows have the other class: of 210 pairs 90 apart 30 agree."""
    period = rng.permutation(np.repeat(np.arange(30), 10))
    X = pd.DataFrame({"x": rng.normal(size=300), name: list(map(as_time, period))})
    X["Month"] = period % 3
    with pytest.warns(UserWarning, match=f"MS109.*{name}.* 99% of rows.* in 14%.*time="):
        samples_of(X, period // 10 % 2)
    samples_of(X, period // 10 % 2, times=period)
    samples_of(X, rng.integers(1, 4, 300))


def test_shops_are_found_by_columns_that_hardly_vary(rng):
    X = pd.DataFrame(
        {
            "aster": rng.permutation(60)[PERSON] + 300,
            "area": (50.0 * rng.lognormal(size=60))[PERSON] + rng.normal(size=600),
            "town": rng.choice(list("abcde"), 60)[PERSON],
            # cells of numbers and words
            "floor": rng.choice(np.array([0.0, 1.0, "mall"], dtype=object), 60)[PERSON],
            "sale": rng.normal(size=600),
        }
    )
    (found,) = remarks_of(X, ordinal(X["sale"], rng))
    assert found.startswith("MS102: 'aster'")


def test_the_figure_of_a_remark_is_the_share_of_classes_that_other_rows_tell(rng):
    """Of two rows of a pair, each tells the class of the other in three of four pairs."""
    pair = np.repeat(np.arange(100), 2)
    codes = pair % 2
    codes[:100:4] = 1 - codes[:100:4]  # one of the first 25 of the pairs differs
    X = pd.DataFrame({"pair_id": pair, "x": rng.normal(size=200)})
    (found,) = remarks_of(X, codes)
    assert "tell the class of 75% of rows" in found


def test_tables_without_related_rows_are_not_remarked_upon(rng):
    n = 600
    age = rng.integers(18, 80, n)
    mixed = pd.DataFrame(
        {
            "age": age,
            "experience": age - 17,
            "sex": rng.choice(["f", "m"], n),
            "income": rng.lognormal(3.0, 1.0, n),
            "rooms": rng.integers(1, 9, n),
        }
    )
    assert remarks_of(mixed, ordinal((age - 49) / 15, rng)) == []
    for n_columns in (1, 2, 4):
        for noise in (0.0, 1.0):
            X = pd.DataFrame(rng.normal(size=(300, n_columns))).add_prefix("x")
            latent = X.sum(axis=1) + noise * rng.logistic(size=300)
            assert remarks_of(X, np.digitize(latent, [-1.0, 1.0])) == []
    factors = pd.DataFrame({"town": rng.choice(list("abcde"), n)})
    assert remarks_of(factors, rng.integers(0, 3, n)) == []
    boston, y = moselect.datasets.load_boston()
    assert remarks_of(boston, y.to_numpy() - 1) == []


def test_a_rounded_amount_that_follows_the_classes_is_no_group():
    """A value of the damage of claims tells the class worse than the most frequent class."""
    table = pd.read_csv(CLAIMS)
    grades = ["none", "slight", "serious", "severe"]
    codes = pd.Categorical(table.pop("severity"), grades).codes.astype(int)
    assert remarks_of(table.drop(columns="claim"), codes) == []


def test_whole_numbers_whose_order_tells_the_class_are_no_groups(rng):
    """Pressures and points of grades are no names of persons, unlike those of the storms."""
    storm = rng.permutation(60)[PERSON] + 300
    pressure = (
        1000.0 - 60.0 * rng.random(60)[PERSON] + 5.0 * rng.normal(size=600)
    ).round()
    codes = np.digitize(-pressure, [-985.0, -960.0])
    X = pd.DataFrame({"pressure": pressure.astype(int), "x": rng.normal(size=600)})
    assert remarks_of(X, codes) == []
    (found,) = remarks_of(X.assign(storm=storm), codes)
    assert found.startswith("MS102: 'storm'")


def test_copies_whose_labels_do_not_all_agree_are_remarked_upon_with_both_figures(rng):
    """Labels of two copies agree with a probability of .76 if a fifth is drawn again.

    Neither is with .8 * .8, and then they agree; else they agree by chance, in a third.
    """
    X, codes = ordinal_table(150, 4)
    # each row is entered one to six times
    rows = rng.permutation(np.repeat(np.arange(150), rng.integers(1, 7, 150)))
    X = pd.DataFrame(X[rows], columns=list("abcd"))
    again = rng.random(len(X)) < 0.2
    codes = np.where(again, rng.integers(0, 3, len(X)), codes[rows])
    (found,) = remarks_of(X, codes)
    assert found.startswith("MS107: ")
    shown = int(found.split("% if copies are divided")[0].split()[-1])
    # Rows without a copy, one of 21, are less certain.
    assert shown == pytest.approx(76.0, abs=6.0)
    assert "groups=range(len(X))" in found


def test_near_copies_are_found_in_tables_of_a_hundred_rows():
    """Four measurements of each of 26 things are found in nearly all of six tables."""
    found = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, codes = ordinal_table(26, 4, seed=100 + seed)
        rows = rng.permutation(np.repeat(np.arange(26), 4))
        measured = X[rows] + 0.05 * rng.normal(size=(104, 4))
        remarks = remarks_of(pd.DataFrame(measured, columns=list("abcd")), codes[rows])
        found += [remark.split(":")[0] for remark in remarks] == ["MS108"]
        independent = pd.DataFrame(rng.normal(size=(104, 4)), columns=list("abcd"))
        assert remarks_of(independent, ordinal(2.0 * independent["a"], rng)) == []
    assert found >= 5


@pytest.mark.parametrize("as_type", [object, str])
def test_numbers_in_text_and_objects_are_compared_as_numbers(as_type, rng):
    X, codes = ordinal_table(100, 3)
    rows = np.repeat(np.arange(100), 3)
    near = pd.DataFrame(X[rows] + 0.01 * rng.normal(size=(300, 3)), columns=list("abc"))
    copies = pd.DataFrame(X[rows], columns=list("abc"))
    for table, code in ((near, "MS108"), (copies, "MS107")):
        (expected,) = remarks_of(table, codes[rows])
        assert expected.startswith(code)
        assert remarks_of(table.astype(as_type), codes[rows]) == [expected]


def test_equal_rows_of_few_settings_are_doubtful(rng):
    """Twenty settings of two numbers are copies of twenty things, or independent samples."""
    setting = rng.integers(0, 20, 600)
    X = pd.DataFrame(rng.normal(size=(20, 2))[setting], columns=["a", "b"])
    (found,) = remarks_of(X, rng.integers(0, 3, 20)[setting])
    assert "has 20 values in 600 rows" in found
    assert "tell the class of 100% of rows" in found
