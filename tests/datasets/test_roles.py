"""Remarks on columns that may be groups, weights or counts, or hold missing-value codes."""

import itertools
import re
import warnings

import numpy as np
import pandas as pd
import pytest

import moselect
from moselect.datasets.roles import bound_remarks, leak_remarks, role_remarks
from moselect.preprocessing import Preparation
from moselect.preprocessing.preparation import schema_of
from moselect.tables.features import ColumnContent


def test_columns_that_predict_or_hardly_repeat_are_no_groups(table, rng):
    X, codes = table
    X = X.assign(
        NOX=rng.normal(size=40).round(3)[codes * 13 + rng.integers(0, 13, 200)],
        genres=[f"g{code}{rng.integers(0, 9)}" for code in codes],
        client_id=[f"c{max(i, 5)}" for i in range(200)],
        user_id=codes,
        remark=np.nan,  # is read without a warning
    )
    assert role_remarks(X, codes) == []


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("size", {}),  # few values, and not the name of a count
        ("n", {"n": 0.5}),
        ("n", {"b": 1}),  # repeated rows
        ("n", {"b": np.linspace(0.0, 1.0, 48)[np.arange(48) // 2]}),  # a measurement
    ],
)
def test_columns_of_tables_with_one_row_a_sample_are_no_counts(name, changes):
    codes = np.arange(48) % 4
    X = pd.DataFrame({"b": np.arange(48) // 4, name: codes + 3}).assign(**changes)
    assert role_remarks(X, codes) == []


def cells(counts):
    """Return the cells of a contingency table of two factors and a class, with counts."""
    cells = itertools.product(["l", "m", "h"], range(4), range(5))
    X = pd.DataFrame(cells, columns=["drink", "smoke", "class"])
    rng = np.random.default_rng(4)
    codes = X.pop("class").to_numpy()
    return X.assign(**{name: rng.poisson(9.0, len(X)) for name in counts}), codes


@pytest.mark.parametrize(
    "names", [["ncases", "ncontrols"], ["n_events", "nobs"], ["n"], ["f"]]
)
def test_counts_of_a_contingency_table_are_noticed(names):
    X, codes = cells(names)
    (remark,) = role_remarks(X, codes)
    weight, *others = names
    drop_option = f" drop={','.join(others)}" if others else ""
    assert f"(weight={weight}{drop_option})" in remark
    assert f"(drop={','.join(names)})" in remark
    assert role_remarks(X.drop(columns=names), codes) == []
    rest = role_remarks(X.drop(columns=weight), codes, ["sample_weight"])
    assert len(rest) == len(others[:1])
    # Among measurements, only an unmistakable name is noticed.
    measured = X.assign(x=np.linspace(0.0, 1.0, len(X)) ** 2)
    assert len(role_remarks(measured, codes)) == (names[0] == "ncases")


def test_scores_of_a_designed_experiment_are_no_counts(rng):
    """Each combination of the factors has one class, as a wine that one judge rates."""
    cells = itertools.product(range(8), range(9))
    X = pd.DataFrame(cells, columns=["bottle", "judge"])
    X["score"] = rng.integers(0, 100, 72)
    assert role_remarks(X, rng.integers(0, 5, 72)) == []


RNG = np.random.default_rng(6)
PERSONS = RNG.lognormal(6.0, 1.0, 200)  # that a row stands for
RELATIVE = RNG.lognormal(0.0, 0.1, 200)


@pytest.mark.parametrize(
    ("name", "column", "is_noticed"),
    [
        ("perwt", PERSONS, True),
        ("sample_weight", PERSONS, True),
        ("WTSSALL", PERSONS, True),
        ("wt", RELATIVE, True),
        ("Weight", RELATIVE, True),
        ("weight", RNG.normal(75.0, 12.0, 200), False),
        ("wt", RNG.normal(3.2, 1.0, 200).clip(1.5, 5.5), False),
        ("birth_weight", RNG.normal(3.2, 0.5, 200), False),
    ],
)
def test_survey_weights_are_noticed_and_body_weights_are_not(
    table, name, column, is_noticed
):
    X, codes = table
    X = X.assign(**{name: column})
    remarks = role_remarks(X, codes)
    assert len(remarks) == is_noticed
    assert all(f"(weight={name})" in remark for remark in remarks)
    assert role_remarks(X, codes, ["sample_weight"]) == []


@pytest.mark.parametrize("as_type", [float, str])
def test_missing_value_codes_are_noticed_and_then_imputed(table, as_type, rng):
    X, codes = table
    gaps = rng.random((200, 2)) < 0.2
    X = X.assign(
        income=np.where(gaps[:, 0], 999, rng.integers(0, 90, 200)),
        **{"a score": np.where(gaps[:, 1], rng.choice([-8, -9], 200), codes + 1)},
    )
    remarks = role_remarks(X, codes)
    options = [re.search("missing=(.*)$", remark)[1] for remark in remarks]
    assert options == ["income=999", "'a score=-9,a score=-8'"]
    assert {remark[:7] for remark in remarks} == {"MS106: "}
    missing = {"income": 999, "a score": [-8, -9]}
    assert role_remarks(X, codes, coded=missing) == []
    (bounds,) = bound_remarks({"crp": ColumnContent(words=("<5", "n/d", ">200"))})
    assert bounds.startswith("MS106: '<5', '>200' of 'crp' count as missing")
    names = [*missing]
    blank = X.copy()
    blank[names] = X[names].mask(gaps)
    written = X.astype(dict.fromkeys(names, as_type))
    found = Preparation(missing=missing).fit(written, codes).transform(written)
    expected = Preparation().fit(blank, codes).transform(blank)
    pd.testing.assert_frame_equal(found, expected)
    with pytest.raises(ValueError, match="'town' is none of numbers"):
        Preparation(missing={"town": 9}).fit(X, codes)


@pytest.mark.parametrize(
    ("leak", "reason"),
    [
        (lambda codes, noise: 0.1 * noise - np.sign(codes), "AUC 1.000"),
        (lambda codes, noise: np.where(codes == 2, noise, np.nan), "AUC 1.000"),
        (lambda codes, noise: np.array(["well", "ill", "dead"])[codes], "AUC 1.000"),
        (lambda codes, noise: 1000 + noise.argsort(), "numbers the rows"),
        # "no" for the lower half of class 0 only: an AUC below .98
        (
            lambda codes, noise: np.where((codes == 0) & (noise < 0.5), "no", "yes"),
            "= no are of one class",
        ),
        (lambda codes, noise: np.where(noise < 0.5, "no", "yes"), None),
        (lambda codes, noise: [f"word {i}" for i in range(200)], None),
    ],
)
def test_columns_that_leak_are_named_with_their_option(table, leak, reason):
    X, codes = table
    noise = np.random.default_rng(1).normal(size=200)
    X = X.assign(leak=leak(codes, noise))
    found = leak_remarks(X, codes, schema_of(X))
    assert len(found) == (reason is not None)
    assert all(reason in remark and "(drop=leak)" in remark for remark in found)


def test_a_column_that_finds_a_few_rows_is_no_leak(table, rng):
    X, codes = table
    codes = np.where(np.arange(200) < 3, 3, codes)
    X["size"] = 10.0 * (codes == 3) + rng.normal(size=200)
    assert leak_remarks(X, codes, schema_of(X)) == []


def test_doubtful_columns_are_told_by_python_as_by_the_command_line(table):
    """A leak, and missing-value codes."""
    X, codes = table
    rng = np.random.default_rng(3)
    X = X.assign(
        leak=codes + 0.1 * rng.random(200),
        income=np.where(rng.random(200) < 0.2, 999, rng.integers(0, 90, 200)),
    )
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        moselect.compare(["proportional_odds"], X, codes, cv=2)
    texts = " ".join(str(each.message) for each in told)
    for expected in ("(drop=leak)", "missing=income=999"):
        assert expected in texts
