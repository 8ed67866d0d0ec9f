"""Tables of any cells, drawn by hypothesis, and of numbers with ordinal classes."""

import datetime

import numpy as np
import pandas as pd
from hypothesis import strategies as st

CELLS = {
    "number": st.floats(-1e6, 1e6) | st.integers(-9, 9).map(float),
    "word": st.sampled_from(["a", "b", "c", "ü x", "1", "None?"]),
    "text": st.text(max_size=3),
    "flag": st.booleans(),
    "date": st.dates(datetime.date(1900, 1, 1), datetime.date(2100, 1, 1)),
    "moment": st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2100, 1, 1)),
    "mixed": st.sampled_from([1, 2.5, "3", "x", True]),
}


@st.composite
def tables(draw):
    """Draw two tables of the same columns."""
    contents = draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=4))
    pair = []
    for _ in range(2):
        n = draw(st.integers(2, 25))
        columns = {}
        for j, content in enumerate(contents):
            cells = CELLS[content] if draw(st.booleans()) else CELLS[content] | st.none()
            columns[f"{content} {j}"] = draw(st.lists(cells, min_size=n, max_size=n))
        pair.append(pd.DataFrame(columns))
    return pair


def ordinal_table(n, p=3, r=3, seed=0):
    """Draw standardised features (n, p), and class codes (n,) that follow them with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    latent = X @ np.linspace(1.0, -1.5, p) + rng.logistic(size=n)
    shares = np.arange(1, r) / r
    return X, np.searchsorted(np.quantile(latent, shares), latent)
