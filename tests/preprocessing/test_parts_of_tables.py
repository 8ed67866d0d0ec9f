"""Parts of a table are read by the schema of the full table."""

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.preprocessing import Preparation

N = 40
HALF = np.arange(N) < N // 2
# Columns whose first half suggests another content than the full column.
UNEQUAL = {
    "text after numbers": ([str(i % 4) for i in range(N - 2)] + ["oops"] * 2),
    "words after truths": ["true", "false"] * (N // 2 - 1) + ["maybe"] * 2,
    "text after dates": [f"2020-01-{1 + i % 5:02d}" for i in range(N - 2)] + ["soon"] * 2,
    "days that may be months": [f"0{1 + i % 5}/01/2020" for i in range(N // 2)]
    + [f"{13 + i % 5}/01/2020" for i in range(N // 2)],
    "nothing but gaps": ["-"] * (N // 2) + ["1", "2.5"] * (N // 4),
}


@pytest.fixture(name="X", params=UNEQUAL)
def table(request):
    return pd.DataFrame({"odd": UNEQUAL[request.param], "x": np.arange(N) % 7 + 0.5})


Y = np.arange(N) % 3


def fit_part(X, rows, y=None, **options):
    """Fit a preparation to some rows by the schema of the full table."""
    preparation = Preparation(**options)
    return preparation.with_schema(preparation.schema_of(X)).fit(X[rows], y)


def test_parts_of_a_table_are_read_by_its_schema(X):
    fitted = fit_part(X, HALF, Y[HALF])
    assert np.isfinite(fitted.transform(X[~HALF]).to_numpy()).all()


def test_dates_are_not_misread():
    X = pd.DataFrame({"day": UNEQUAL["days that may be months"]})
    fitted = fit_part(X, HALF, keep=["day"])
    days = np.arange(N // 2) % 5
    # Later days are clipped to the last one in training.
    assert fitted.transform(X)["day days"].tolist() == [*days, *np.full(N // 2, 4)]


def test_identifiers_are_found_in_the_full_table():
    """All folds use the same columns, although names differ in each row of this part."""
    names = [f"n{k % 30}" for k in range(90)]
    X = pd.DataFrame({"name": names, "x": np.arange(90) / 7})
    assert fit_part(X, slice(30)).excluded_ == ()
    assert [column.name for column in Preparation().fit(X[:30]).excluded_] == ["name"]


@pytest.mark.slow
def test_folds_and_holdouts_use_the_schema_of_the_full_table(X):
    search = ParetoSearch(
        n_particles=5, n_iterations=2, cv=2, holdout=0.5, random_state=1
    )
    front = search.fit(X, Y).front_
    assert front.expected is not None
    assert front.holdout is not None
