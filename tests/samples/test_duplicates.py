"""Duplicates are distinguished from coincidences in tables of known laws."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from moselect.inference.standard_errors import standard_errors
from moselect.models.training_columns import unprepared_samples
from moselect.preprocessing.preparation import schema_of
from moselect.samples.duplicates import duplicate_groups, equal_rows

RNG = np.random.default_rng(0)
NOISE = RNG.normal(size=(60, 3))
AGES = RNG.integers(18, 80, 600)


def levels(n, *sizes):
    """Draw independent categories with the given numbers of levels."""
    return pd.DataFrame(
        {f"c{j}": [f"l{v}" for v in RNG.integers(k, size=n)] for j, k in enumerate(sizes)}
    )


def likert(n):
    """Draw eight items of five levels, correlated by one trait."""
    items = 3.0 + 1.2 * (0.9 * RNG.normal(size=(n, 1)) + 0.4 * RNG.normal(size=(n, 8)))
    return np.rint(items).clip(1.0, 5.0)


def mixed(n):
    return levels(n, 2, 4).assign(
        age=RNG.integers(18, 80, n), dose=RNG.normal(size=n).round(2)
    )


def lots():
    """Draw eleven rounded, correlated measurements of lots, with some lots repeated."""
    factors = RNG.normal(size=(900, 4))
    measured = (factors @ RNG.normal(size=(4, 11)) + RNG.normal(size=(900, 11))).round(1)
    return np.concatenate([measured, measured[RNG.choice(900, 200)]])


def classes_of_rows(X):
    """Draw classes that equal rows share."""
    ranks = equal_rows(X)
    return RNG.integers(3, size=ranks.max() + 1)[ranks]


def visits():
    """Draw 150 visits that are each entered one to six times."""
    return mixed(150).iloc[np.repeat(np.arange(150), RNG.integers(1, 7, 150))]


COPIED = {
    "continuous, twice": np.tile(NOISE, (2, 1)),
    "drawn with replacement": NOISE[RNG.integers(60, size=60)],
    "mixed, twice": pd.concat([mixed(200)] * 2, ignore_index=True),
    "twelve categories, twice": pd.concat([levels(200, *[3] * 12)] * 2),
    "indicators, twice": pd.concat([pd.get_dummies(levels(200, *[3] * 12))] * 2),
    "a name in each row": pd.concat(
        [mixed(90).assign(name=[f"n{i}" for i in range(90)])] * 3
    ),
    "lots measured again": lots(),
    "visits": visits(),
    "60 persons, ten times": np.repeat(NOISE, 10, axis=0),
}
COINCIDENT = {
    "one factor": levels(600, 5),
    "many levels": levels(600, 150),
    "two factors, sparse": levels(600, 40, 40),
    "four binary columns": levels(150, 2, 2, 2, 2),
    "indicators, sparse": pd.get_dummies(levels(600, *[3] * 8)),
    "Likert": likert(600),
    "two rounded numbers": RNG.normal(size=(2_000, 2)).round(1),
    "an age beside a constant": np.column_stack([AGES, np.ones(600)]),
    "an age and whether it is above 40": np.column_stack([AGES, AGES > 40]),
    "a dose and its logarithm": np.log(RNG.choice([1, 2, 5, 10], (600, 1))) ** [1, 2],
    "a school and its size": levels(600, 40).assign(
        size=lambda t: 7.0 * t["c0"].str[1:].astype(int) ** 2
    ),
}


@pytest.mark.parametrize("name", COPIED)
def test_copies_share_a_group_even_if_their_labels_are_assessed_again(name):
    X = COPIED[name]
    codes = classes_of_rows(X)
    for share in (0.0,) if name == "a name in each row" else (0.0, 0.2, 1.0):
        again = RNG.random(len(X)) < share
        found = duplicate_groups(X, np.where(again, RNG.permutation(codes), codes))
        assert_array_equal(found, equal_rows(X))


@pytest.mark.parametrize("name", COINCIDENT)
def test_coincidentally_equal_rows_are_separate_samples_even_in_one_class(name):
    X = COINCIDENT[name]
    assert len(set(duplicate_groups(X, classes_of_rows(X)))) == len(X)


@pytest.mark.parametrize("years", [(), RNG.integers(18, 80, 300)], ids=["factors", "age"])
def test_a_table_of_few_levels_repeated_three_times_has_its_original_rows(years):
    """Repeats of a row share its group; coincidentally equal rows of the table do not."""
    X = levels(300, 5, 4)
    if len(years):
        X["age"] = years
    X["class"] = RNG.integers(3, size=300)

    def groups_of(table):
        return duplicate_groups(table.drop(columns="class"), table["class"].to_numpy())

    joined = pd.concat([X] * 3, ignore_index=True).sample(frac=1.0, random_state=0)
    groups = groups_of(joined)
    assert_array_equal(np.bincount(groups), 3)
    assert (joined.groupby(groups).nunique() == 1).all(axis=None)
    # A table with one row removed is no repeated table.
    assert len(set(groups_of(joined[1:]))) == len(joined) - 1


def test_duplicates_are_clusters_and_a_warning_names_the_option():
    def find(X, **roles):
        codes = np.arange(len(X)) % 60 % 3
        return unprepared_samples(X, codes, np.arange(3), None, **roles)

    doubled = np.tile(NOISE, (2, 1))
    with pytest.warns(UserWarning, match="60 of 120 rows count as duplicates.*groups="):
        found = find(doubled)
    assert_array_equal(found.cv_groups, equal_rows(doubled))
    costs = NOISE[:, 0] - NOISE[:, 0].mean()
    error = standard_errors(found.sum_by_cluster(np.tile(costs, 2)))
    assert error == pytest.approx(standard_errors(costs))
    assert find(doubled, groups=np.arange(120)).copy_groups is None
    # counts give no warning
    counted = find(NOISE, sample_weight=np.full(60, 2), weight_type="counts")
    assert_array_equal(np.bincount(counted.copy_groups), 2)
    assert counted.n_units == 120
    mostly_distinct = np.concatenate([RNG.normal(size=(300, 3)), NOISE, NOISE[:1]])
    # a single duplicate is not warned about
    assert len(np.unique(find(mostly_distinct).copy_groups)) == 360


def test_counts_of_a_contingency_table_are_separate_samples():
    """Each row counts the people of a department and class."""
    table = pd.DataFrame({"department": np.repeat(list("abcde"), 3)})
    counts = RNG.integers(20, 60, 15)
    known = np.arange(15) % 3, np.arange(3), schema_of(table)
    with pytest.warns(
        UserWarning, match="the cells of a table are counts: 15 rows count"
    ):
        samples = unprepared_samples(table, *known, sample_weight=counts)
    assert len(np.unique(samples.cv_groups)) == counts.sum()
