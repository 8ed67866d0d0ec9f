import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from moselect.datasets import bin_target

# A small range makes ties common; quarters are exact in binary.
tied_values = st.lists(st.integers(-40, 40).map(lambda k: k / 4), min_size=2, max_size=60)
any_values = st.lists(
    st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda x: round(x, 6)),
    min_size=2,
    max_size=60,
)
n_bins = st.integers(2, 6)


def binned_or_skip(values, bins, binning):
    """Bin values; reject an example with an empty class, which has its own test."""
    try:
        return bin_target(values, bins, binning)
    except ValueError as error:
        if "is empty" in str(error):
            reject()
        raise


def sizes(classes):
    return classes.value_counts().sort_index().tolist()


@given(values=st.one_of(tied_values, any_values), bins=n_bins)
def test_uniform_bins_agree_with_pandas_cut(values, bins):
    classes = binned_or_skip(values, bins, "uniform")
    expected = pd.cut(pd.Series(values), bins, labels=False) + 1
    assert classes.tolist() == expected.tolist()


@given(st.integers(2, 80).flatmap(lambda n: st.permutations(range(n))), n_bins)
def test_sizes_of_quantile_bins_differ_by_one_at_most_without_ties(values, bins):
    assume(len(values) >= bins)
    counts = sizes(bin_target(values, bins, "quantile"))
    assert len(counts) == bins
    assert max(counts) - min(counts) <= 1


@given(
    values=tied_values,
    weights=st.lists(st.integers(1, 9), min_size=2, max_size=5),
    spare=st.integers(0, 5),
)
def test_bin_edges_of_priors_are_at_the_nearest_ranks(values, weights, spare):
    priors = np.array(weights) / (sum(weights) + spare)
    classes = binned_or_skip(values, None, priors.tolist())
    exact = len(values) * np.cumsum(priors)
    assert (np.abs(np.cumsum(sizes(classes)) - exact) <= 0.5 + 1e-9).all()


@given(
    values=tied_values,
    bins=n_bins,
    binning=st.sampled_from(["uniform", "quantile", "priors"]),
)
def test_a_larger_value_never_has_a_lower_class(values, bins, binning):
    settings = (None, [0.9 / bins] * bins) if binning == "priors" else (bins, binning)
    classes = binned_or_skip(values, *settings)
    assert set(classes.dropna()) == set(range(1, bins + 1))
    ordered = pd.DataFrame({"value": values, "class": classes.fillna(bins + 1)})
    ranges = ordered.groupby("value")["class"].agg(["min", "max"])
    assert (ranges["min"].to_numpy()[1:] >= ranges["max"].to_numpy()[:-1]).all()
    assert binning == "priors" or (ranges["min"] == ranges["max"]).all()  # of ties


@pytest.mark.parametrize(
    ("values", "arguments", "message"),
    [
        (
            [1, 2, 3],
            {"binning": [0.5, 0.0]},
            "priors must be positive and sum to at most 1: [0.5, 0.0]",
        ),
        ([0, 1, 9], {"bins": 3}, "class 2 of 3 is empty"),
        ([1.0, np.nan, np.inf], {}, "values[1] is nan: it must be finite"),
    ],
)
def test_invalid_arguments_are_refused(values, arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        bin_target(values, **arguments)
