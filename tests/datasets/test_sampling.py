"""Samples of large sources: probabilities, weights, groups and types of columns."""

import contextlib
import gzip
import sqlite3
from collections import Counter, defaultdict
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pandas.testing import assert_frame_equal

from moselect.budgets import MEMORY
from moselect.datasets import load_dataset
from moselect.datasets.sampling import (
    DrawOptions,
    class_shares,
    draw_sample,
    has_new_cell,
    is_large,
)
from moselect.datasets.source_tables import find_source
from moselect.tables.reading import Reading

OPTIONS = DrawOptions(target="grade")
SIZES = {"none": 2900, "slight": 900, "moderate": 180, "severe": 20}


@pytest.fixture(autouse=True)
def small_blocks(set_budget):
    set_budget(MEMORY, block_bytes=20_000, block_cells=5000, query_rows=1000)


@pytest.fixture
def table(rng):
    grades = rng.permutation(np.repeat(list(SIZES), list(SIZES.values())))
    return pd.DataFrame(
        {
            "key": np.arange(4000),
            "size": rng.normal(size=4000).round(3),
            "town": rng.choice(["Bonn", "Köln", 'a "quoted"\ntown; two'], 4000),
            "patient": rng.integers(0, 400, 4000),
            "grade": grades,
        }
    )


@pytest.fixture
def write_table(write):
    """Write a table to a text file and return its path."""
    return lambda table: write(table.to_csv(index=False), "rows.csv")


@pytest.fixture
def path(table, write_table):
    return write_table(table)


@pytest.fixture
def database(tmp_path, table):
    """Write the table to a database and return its address."""
    path = tmp_path / "rows.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        table.to_sql("claims", connection, index=False)
    return f"sqlite:///{path}"


def test_shares_of_classes_are_half_in_proportion_and_half_equal(rng):
    counts = pd.Series(SIZES)
    for n_rows in (10, 500, 3999):
        expected = (n_rows / 2 / 4000 + n_rows / 2 / 4 / counts).clip(upper=1.0)
        assert class_shares(counts, n_rows).to_dict() == pytest.approx(expected.to_dict())
    # A share never rises as rows are read, in whatever order: thinning needs no dropped row.
    order = rng.choice(list("abcd"), 300, p=[0.7, 0.2, 0.08, 0.02])
    before = pd.Series(dtype=float)
    for n in range(1, 300):
        shares = class_shares(pd.Series(Counter(order[:n])), 50)
        assert (shares[before.index] <= before + 1e-12).all()
        before = shares


def test_rows_weights_and_positions_are_those_of_the_source(path, table):
    sample = draw_sample(path, 800, OPTIONS)
    drawn = sample.source.table
    assert_frame_equal(
        drawn, table.iloc[sample.rows].reset_index(drop=True), check_dtype=False
    )
    assert (np.diff(sample.rows) > 0).all()
    assert sample.n_rows == 4000
    assert totals_of(sample.weights, drawn["grade"]) == pytest.approx(SIZES)
    # All rows of the rarest class, each for itself.
    assert set(sample.weights[drawn["grade"] == "severe"]) == {1.0}


def totals_of(weights, labels):
    """Sum weights by label."""
    return pd.Series(weights).groupby(labels).sum().to_dict()


@pytest.mark.slow
def test_probabilities_of_inclusion_are_one_over_the_weights(path, table):
    counts = np.zeros(len(table))
    sums = np.zeros(len(table))
    draws = 60
    for seed in range(draws):
        sample = draw_sample(path, 800, OPTIONS, random_state=seed)
        counts[sample.rows] += 1
        sums[sample.rows] += sample.weights
    certain = counts == draws
    # Rows with new cells are those of a slow twin.
    assert certain[slow_new_rows(table)].all()
    shares = class_shares(table["grade"].value_counts(), 800)
    for label, share in shares.items():
        rows = (table["grade"] == label).to_numpy() & ~certain
        if rows.any():
            error = np.sqrt(share * (1 - share) / draws / rows.sum())
            assert abs(counts[rows].mean() / draws - share) < 4 * error
            # Weighted counts are unbiased for every row, thus for every total.
            assert sums[rows].mean() / draws == pytest.approx(1.0, rel=0.03)
    # Every row has the same probability, wherever it stands in the file.
    rows = np.flatnonzero((table["grade"] == "none").to_numpy() & ~certain)
    early, late = np.array_split(counts[rows], 2)
    error = np.sqrt(2 * early.var() / len(early))
    assert abs(early.mean() - late.mean()) < 4 * error


def slow_new_rows(table):
    table = table.loc[:, table.nunique() < 50]
    known = {}
    rows = []
    for row, cells in enumerate(table.itertuples(index=False)):
        for name, cell in zip(table.columns, cells, strict=True):
            found = known.setdefault(name, set())
            if cell not in found:
                found.add(cell)
                rows.append(row)
    return sorted(set(rows))


def test_weights_sum_to_the_rows_if_only_certain_rows_were_drawn(write_table):
    # The only row of a class that is drawn is its first one, which has a new label.
    table = pd.DataFrame({"key": range(3000), "grade": ["a"] * 2990 + ["b"] * 10})
    path = write_table(table)
    for seed in range(5):
        sample = draw_sample(path, 60, OPTIONS, random_state=seed)
        totals = totals_of(sample.weights, sample.source.table["grade"])
        assert totals == pytest.approx({"a": 2990, "b": 10})


def test_order_of_classes_in_the_file_does_not_matter(write_table, table):
    sizes = pd.Series(SIZES)
    shares = class_shares(sizes, 800)
    expected = sizes * shares
    margin = 4 * np.sqrt(expected * (1 - shares)) + 110
    for ascending in (True, False):
        path = write_table(table.sort_values("grade", ascending=ascending))
        drawn = draw_sample(path, 800, OPTIONS).source.table
        assert ((drawn["grade"].value_counts() - expected).abs() < margin).all()


def test_two_passes_and_two_formats_are_equal_and_seeds_differ(
    path, table, database, tmp_path
):
    first = draw_sample(path, 800, OPTIONS)
    assert_frame_equal(first.source.table, draw_sample(path, 800, OPTIONS).source.table)
    zipped = tmp_path / "rows.csv.gz"
    zipped.write_bytes(gzip.compress(path.read_bytes()))
    folder = tmp_path / "parts"
    folder.mkdir()
    for part in range(3):
        table.iloc[part * 1500 : (part + 1) * 1500].to_parquet(folder / f"{part}.parquet")
    query = by_query("SELECT * FROM claims ORDER BY key")
    sources = dict.fromkeys([path, zipped, folder, folder / "*.parquet"], OPTIONS)
    for source, options in (sources | {database: query}).items():
        sample = draw_sample(source, 800, options)
        assert_array_equal(sample.rows, first.rows)
        assert_array_equal(sample.weights, first.weights)
        assert_array_equal(sample.source.table["key"], first.rows)
    other = draw_sample(path, 800, OPTIONS, random_state=1)
    assert len(np.intersect1d(other.rows, first.rows)) < len(first.rows) / 2


def by_query(query):
    return DrawOptions(target="grade", reading=Reading(query=query))


def test_groups_are_whole_and_those_of_rare_classes_certain(path, table):
    options = DrawOptions(target="grade", group="patient")
    sample = draw_sample(path, 2000, options)
    assert sample.weights.sum() == pytest.approx(len(table))
    patient = table["patient"]
    is_drawn = patient.isin(patient.iloc[sample.rows])
    assert not is_drawn.all()
    assert_array_equal(sample.rows, np.flatnonzero(is_drawn))
    # 20 rows are more than a part of a twentieth of the rows: drawn with their groups' chance.
    many = draw_sample(path, 3500, options)
    assert set(patient[table["grade"] == "severe"]) <= set(patient.iloc[many.rows])
    each = draw_sample(path, 2000, DrawOptions(target="grade", group="none"))
    assert_array_equal(each.rows, draw_sample(path, 2000, OPTIONS).rows)


def test_a_late_word_level_and_gap_are_known(write_table, table):
    table = table.assign(score=1.5 + np.arange(4000), count=np.arange(4000) % 3 / 1.0)
    table = table.astype({"size": object})
    table.loc[3990, "size"] = "unknown"
    table.loc[3980, "town"] = "Ulm"
    table.loc[3970, "score"] = None
    table.loc[3960, "count"] = 0.5
    path = write_table(table)
    for seed in range(5):
        data = load_dataset(path, target="grade", rows=300, random_state=seed)
        assert {3990, 3980, 3970, 3960} <= set(data.source_rows)
        assert "Ulm" in set(data.X["town"])
        assert data.X["score"].isna().sum() == 1


def test_numbers_among_many_words_are_new():
    words = [f"word {j}" for j in range(200)]
    known = defaultdict(set)
    assert has_new_cell(pd.DataFrame({"note": words}), known).any()
    numbers = ["-.5", " 7", "Infinity", "+3e2"]
    later = pd.DataFrame({"note": [*words, *numbers, "7 days", "in time", "word", "-"]})
    assert later["note"][has_new_cell(later, known)].tolist() == numbers
    assert not has_new_cell(later, known).any()


def test_marks_of_inches_are_no_quotes(write):
    lines = [f'{j},{j % 7}" pipe,{j % 2}' for j in range(3000)]
    path = write("\n".join(["key,part,grade", *lines]))
    sample = draw_sample(path, 500, OPTIONS)
    drawn = sample.source.table
    assert_array_equal(drawn["key"], sample.rows)
    assert set(drawn["part"]) == {f'{j}" pipe' for j in range(7)}


def test_weights_are_sampling_weights_and_multiply_those_of_rows(path, table):
    data = load_dataset(path, target="grade", rows=600)
    assert data.roles["weight_type"] == "sampling"
    assert data.roles["sample_weight"].sum() == pytest.approx(4000)
    assert data.n_source_rows == 4000
    drawn = f"{len(data.y)} of 4,000 rows are drawn, and their sampling weights used"
    assert data.notes[-1] == drawn
    weighted = load_dataset(path, target="grade", rows=600, weight="patient")
    ratio = weighted.roles["sample_weight"] / data.roles["sample_weight"]
    assert_allclose(ratio, table["patient"].iloc[data.source_rows])
    assert "patient" not in weighted.X


def test_a_source_of_fewer_rows_is_read_whole(path):
    for rows in (4000, 10_000):
        data = load_dataset(path, target="grade", rows=rows)
        assert data.n_source_rows is None
        assert data.fingerprint == load_dataset(path, target="grade").fingerprint


def test_rows_without_a_label_are_counted_and_not_drawn(write_table, table):
    table.loc[::4, "grade"] = None
    data = load_dataset(write_table(table), target="grade", rows=500)
    assert data.notes[-1] == "1,000 of 4,000 rows have no label and are excluded"
    assert data.roles["sample_weight"].sum() == pytest.approx(3000)
    assert not set(data.source_rows) & set(range(0, 4000, 4))


def test_binned_numbers_are_drawn_with_one_probability(path):
    data = load_dataset(path, target="size", bins=4, rows=500)
    assert data.labels == (1, 2, 3, 4)
    weights = data.roles["sample_weight"]
    assert len(set(weights[weights > 1.0])) == 1


def test_large_files_are_sampled_by_default(path, tmp_path, set_budget):
    assert not is_large(path)
    set_budget(MEMORY, machine_bytes=1000, sampled_rows=400)
    table = find_source(path).table
    table.to_parquet(tmp_path / "rows.parquet")
    for source in (path, tmp_path, tmp_path / "*.parquet"):
        assert is_large(source)
    assert not is_large("boston")
    # Of a folder, Parquet files are read.
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "rows.csv").write_bytes(path.read_bytes())
    assert not is_large(tmp_path / "other")
    # What is read at once is not sampled.
    table.to_csv(tmp_path / "wide.csv", index=False, encoding="utf-16")
    assert len(load_dataset(tmp_path / "wide.csv", target="grade").y) == 4000
    assert 250 < len(load_dataset(path, target="grade").y) < 500


def test_an_order_of_numbers_that_a_file_has_lost_is_asked_for(tmp_path, table):
    table["grade"] = pd.Categorical(np.arange(4000) % 3, [2, 0, 1], ordered=True)
    table.to_parquet(tmp_path / "rows.parquet")
    for source in (tmp_path, tmp_path / "rows.parquet"):
        for rows in (None, 500):
            with pytest.raises(ValueError, match="whose order the file does not keep"):
                load_dataset(source, target="grade", rows=rows)
            data = load_dataset(source, target="grade", rows=rows, order=[2, 0, 1])
            assert data.labels == (2, 0, 1)
    # Other types keep it.
    table["grade"] = table["grade"].cat.rename_categories(str)
    table.to_parquet(tmp_path / "rows.parquet")
    assert load_dataset(tmp_path, target="grade").labels == ("2", "0", "1")


def test_folders_and_queries_that_fit_are_read_whole(tmp_path, table, database):
    reading = Reading(query="SELECT town, grade FROM claims WHERE size > 0")
    positive = table.loc[table["size"] > 0, ["town", "grade"]].reset_index(drop=True)
    assert_frame_equal(find_source(database, reading).table, positive)
    folder = tmp_path / "parts"
    folder.mkdir()
    table.loc[:1999, "size"] = np.arange(2000)
    table[:2000].astype({"size": int}).to_parquet(folder / "a.parquet")
    table[2000:].to_parquet(folder / "b.parquet")
    found = find_source(folder)
    assert found.name == "parts"
    assert_frame_equal(found.table, table, check_dtype=False)


def test_a_query_of_duckdb(tmp_path, table):
    pytest.importorskip("duckdb_engine")
    database = tmp_path / "rows.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.register("rows", table)
        connection.execute("CREATE TABLE claims AS SELECT * FROM rows")
    sample = draw_sample(f"duckdb:///{database}", 800, by_query("SELECT * FROM claims"))
    assert sample.n_rows == len(table)


QUERY = {"reading": {"query": "SELECT * FROM a"}}


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("sqlite:///none.db", {}, "give the query"),
        ("sqlite:///none.db", QUERY, "no such table"),
        ("nothing://x", QUERY, "Could not parse|dialect"),
        ("postgresql://me:secret@host/db", QUERY, "leave the password"),
        ("none-*.parquet", {}, "no Parquet file"),
        ("bad", {}, "bad.parquet"),
        ("empty.csv", {}, "the file is empty|has no rows"),
        ("names.csv", {}, "has no rows"),
        ("boston", {}, "read as a whole"),
        ("rows.csv", {"target": "key"}, "more than 50 labels"),
        ("rows.csv", {"target": "grades"}, "there is no column 'grades'"),
        ("rows.csv", {"target": "grade", "group": "patients"}, "no column 'patients'"),
    ],
)
def test_errors_are_one_line(tmp_path, path, monkeypatch, name, options, message):
    monkeypatch.chdir(tmp_path)
    Path("empty.csv").write_text("")
    Path("names.csv").write_text("a,grade\n")
    Path("bad").mkdir()
    Path("bad/bad.parquet").write_text("PAR1 or not")
    with pytest.raises(ValueError, match=message) as raised:
        load_dataset(name, rows=100, **options)
    assert "\n" not in str(raised.value)
    assert "secret" not in str(raised.value)
