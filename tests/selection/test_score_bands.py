from itertools import combinations

import numpy as np
import pytest
from scipy.special import xlogy

import moselect


def draw(n, seed, digits=None):
    rng = np.random.default_rng(seed)
    score = rng.uniform(size=n)
    y = rng.uniform(size=n) < 0.02 + 0.5 * score**3
    return y, score if digits is None else score.round(digits)


def log_likelihood(y, band):
    rates = [y[band == b].mean() for b in range(band.max() + 1)]
    sizes = np.bincount(band)
    value = sum(
        n * (xlogy(p, p) + xlogy(1 - p, 1 - p)) for n, p in zip(sizes, rates, strict=True)
    )
    return value, rates, sizes


@pytest.mark.parametrize("seed", range(5))
def test_no_other_division_with_rising_rates_is_more_likely(seed):
    y, score = draw(400, seed, digits=1)
    found = moselect.bands(y, score, n_bands=3, min_share=0.1)
    best = -np.inf
    middles = np.arange(0.05, 1.0, 0.1)
    for thresholds in combinations(middles, 2):
        value, rates, sizes = log_likelihood(y, np.searchsorted(thresholds, score))
        if sizes.min() >= 40 and rates[0] < rates[1] < rates[2]:
            best = max(best, value)
    own = np.searchsorted(found.thresholds, score)
    value, rates, sizes = log_likelihood(y, own)
    assert value == pytest.approx(best, rel=1e-12)
    assert (np.diff(rates) > 0.0).all()
    assert sizes.min() >= 40
    np.testing.assert_array_equal(found.predict(score), own + 1)


def test_intervals_of_rates_cover_those_of_new_rows():
    y_new, score_new = draw(100_000, 99)
    covered = []
    for seed in range(20):
        table = (found := moselect.bands(*draw(1_000, seed), n_bands=4)).table
        band = found.predict(score_new)
        rate = np.array([y_new[band == b].mean() for b in table.index])
        covered.append((table["low"] <= rate) & (rate <= table["high"]))
    assert np.mean(covered) > 0.88


def test_a_table_has_all_rows_and_whole_ranges():
    y, score = draw(1_000, 0)
    found = moselect.bands(np.where(y, "bad", "good"), score, labels=["good", "bad"])
    table = found.table
    assert table["rows"].sum() == 1_000
    assert table["share"].sum() == pytest.approx(1.0)
    assert table["rate"] @ table["rows"] == pytest.approx(y.sum())
    assert table["above"].iloc[1:].tolist() == table["up_to"].iloc[:-1].tolist()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_bands": 1}, "n_bands is 1: give at least 2"),
        ({"n_bands": 60}, "fewer than 60 bands of 0.02 of the rows have rising rates"),
        ({"score": np.full(300, np.inf)}, r"score\[0\] is inf: it must be finite"),
    ],
)
def test_wrong_input_is_refused_in_one_line(changes, message):
    y, score = draw(300, 0)
    with pytest.raises(ValueError, match=message):
        moselect.bands(**({"y": y, "score": score} | changes))
