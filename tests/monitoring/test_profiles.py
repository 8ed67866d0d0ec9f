"""Training distributions of columns: drift of later rows, ranges and spellings."""

import numpy as np
import pandas as pd
import pytest

from moselect.inference.standard_errors import in_clusters
from moselect.monitoring.profiles import column_drift, profiles_of, shares_of
from moselect.predictor.reference import Profile, range_counts, range_remarks
from moselect.preprocessing.preparation import schema_of
from moselect.samples import Samples

N_TABLES = 25
MOST_FALSE = 4  # of 25 tests at 5 %; exceeded with probability .7 %


def table_of(values, **sample_info):
    """Return samples of one column, without duplicates by default."""
    n = len(values)
    if "groups" not in sample_info:
        sample_info = {"copy_groups": np.arange(n)} | sample_info
    column = pd.DataFrame({"a": values})
    schema = schema_of(column)
    classes = np.array(["low", "high"])
    return Samples(column, np.arange(n) % 2, classes, schema=schema, **sample_info)


def drifted(reference_samples, new_samples):
    """Test a column for drift between two tables."""
    profiles = profiles_of(reference_samples, None)
    return bool(column_drift(profiles, new_samples).loc["a", "drifted"])


def levels(rng, n, shares):
    names = [f"level {k}" for k in range(len(shares))]
    return rng.choice(names, n, p=shares / shares.sum())


def zipf(n_levels):
    return 1.0 / np.arange(1, n_levels + 1)


LAWS = {
    "2 levels": lambda rng, n: levels(rng, n, np.ones(2)),
    "50 levels": lambda rng, n: levels(rng, n, np.ones(50)),
    "300 levels by Zipf": lambda rng, n: levels(rng, n, zipf(300)),
    "numbers": lambda rng, n: rng.normal(size=n),
    "few numbers": lambda rng, n: rng.poisson(1.0, n).astype(float),
}


@pytest.mark.checks("Monitoring", "repeated draws of unchanged columns")
@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("sizes", [(300, 1_000), (1_000, 300)])
def test_unchanged_columns_seldom_drift(law, sizes, rng):
    found = [
        drifted(*(table_of(LAWS[law](rng, n)) for n in sizes)) for _ in range(N_TABLES)
    ]
    assert sum(found) <= MOST_FALSE


def in_groups(rng, n_groups):
    """Draw 20 rows a group; four of five rows share the level of their group."""
    group_levels = np.repeat(levels(rng, n_groups, zipf(40)), 20)
    row_levels = levels(rng, len(group_levels), zipf(40))
    values = np.where(rng.random(len(group_levels)) < 0.8, group_levels, row_levels)
    return table_of(values, groups=np.repeat(np.arange(n_groups), 20))


@pytest.mark.slow
def test_shares_of_few_groups_have_the_uncertainty_of_student(rng):
    groups = np.repeat(np.arange(6), 20)
    profile = Profile("a", ("number", ""), [], 0.0, edges=[0.0, 1.0, 1.0])
    is_covered = []
    for _ in range(1_000):
        rates = rng.beta(2.0, 2.0, 6)[groups]
        samples = table_of((rng.random(120) < rates).astype(float), groups=groups)
        (_, share, _), n, _ = shares_of(profile, samples.X["a"], samples)
        is_covered.append(abs(share - 0.5) < 1.96 * np.sqrt(share * (1.0 - share) / n))
    assert np.mean(is_covered) == pytest.approx(0.95, abs=0.02)


@pytest.mark.slow
def test_drift_is_tested_by_group(rng):
    found = [drifted(in_groups(rng, 60), in_groups(rng, 60)) for _ in range(N_TABLES)]
    assert sum(found) <= MOST_FALSE


def test_weighted_shares_estimate_the_population(rng):
    found = []
    for _ in range(N_TABLES):
        reference, values = rng.normal(size=(2, 900))
        share = np.where(values > 0.0, 0.8, 0.2)
        kept = rng.random(900) < share
        sampled = table_of(values[kept], weights=1.0 / share[kept])
        found.append(drifted(table_of(reference), sampled))
    assert sum(found) <= MOST_FALSE


def test_levels_are_recognised_in_other_spellings():
    (profile,) = profiles_of(table_of(["1", "2", "3+"] * 10), None)
    written = pd.Series(["1.0", 2, " 3+", "9", None, "n/a"], dtype=object)
    shares, _, new = shares_of(profile, written, in_clusters(table_of(written)))
    np.testing.assert_allclose(shares, np.array([1, 1, 1, 3]) / 6)
    assert new == pytest.approx(1 / 6)


def test_values_out_of_the_training_range_are_counted_in_units_of_the_table():
    n = 60
    days = pd.date_range("2024-01-01", periods=n)
    table = pd.DataFrame(
        {
            "income": 1000.0 + 10.0 * np.arange(n),
            "day": days.strftime("%d/%m/%Y"),
            "colour": ["red", "blue"] * (n // 2),
        }
    )
    samples = Samples(
        table, np.arange(n) % 2, np.array(["no", "yes"]), schema=schema_of(table)
    )
    profiles = profiles_of(samples, None)

    def counts(rows):
        numbers = {p.name: p.numbers(rows[p.name]) for p in profiles if p.edges}
        return range_counts(profiles, numbers)

    assert range_remarks(profiles, [counts(table)]) == []
    later = days + pd.Timedelta(days=n - 1)
    new = table.assign(income=table["income"] * 10.0, day=later.strftime("%d/%m/%Y"))
    assert range_remarks(profiles, [counts(new[:20]), counts(new[20:])]) == [
        "'income': 60 of 60 rows are outside the training range 1000 to 1590 (here 10000 to 15900)",
        "'day': 59 of 60 rows are outside the training range 2024-01-01 to 2024-02-29 "
        "(here 2024-02-29 to 2024-04-28)",
    ]
    # Times of a day tell apart ranges of the same days.
    assert profiles[1].as_written(1704067200.0 + 9.5 * 3600.0) == "2024-01-01 09:30:00"
