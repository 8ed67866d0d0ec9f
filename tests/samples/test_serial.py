"""Correlation lengths of series, and blocks of consecutive samples."""

import numpy as np
import pytest
from scipy.signal import lfilter
from scipy.special import expit

from moselect.inference.standard_errors import cost_errors
from moselect.samples.samples import Samples
from moselect.samples.serial import (
    block_widening,
    correlation_length,
    in_blocks,
    order_length,
    series_of,
)
from tests.without_features import samples_of


def persistent(n, correlation, rng):
    noise = rng.normal(size=n + 500) * np.sqrt(1.0 - correlation**2)
    return lfilter([1.0], [1.0, -correlation], noise)[500:]


def residuals_of(codes, x):
    """Return the codes less their expectations by proportional odds."""
    return codes - expit(x[:, None] - [-1.0, 1.0]).sum(axis=1)


def test_independent_series_have_no_length(rng):
    found = [correlation_length(rng.integers(0, 3, 400)) > 0.0 for _ in range(100)]
    assert sum(found) <= 2


@pytest.mark.parametrize("correlation", [0.8, 0.95])
def test_the_length_of_a_noisy_persistent_series_is_that_of_its_autocorrelation(
    correlation, rng
):
    lengths = [
        correlation_length(persistent(4_000, correlation, rng) + rng.normal(size=4_000))
        for _ in range(20)
    ]
    assert np.median(lengths) == pytest.approx(-1.0 / np.log(correlation), rel=0.3)


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0, 4.0], np.ones(50)])
def test_short_and_constant_series_have_no_length(values):
    assert correlation_length(np.array(values)) == 0.0


@pytest.mark.checks(
    "Standard errors and intervals",
    "repeated draws of series with known autocorrelation",
)
@pytest.mark.parametrize("correlation", [0.0, 0.9, 0.97])
def test_errors_of_the_mean_of_a_persistent_series_are_honest(correlation, rng):
    z = []
    for _ in range(200):
        values = persistent(600, correlation, rng) + rng.normal(size=600)
        samples = samples_of(np.zeros(600, np.int64), times=np.arange(600))
        samples = in_blocks(samples, correlation_length(values))
        influences = samples.sum_by_cluster(values - values.mean())
        z.append(values.mean() / float(cost_errors(influences, 0.0, samples)))
    # a coverage of .95 of 200 draws has a standard error of .015
    assert 0.91 <= np.mean(np.abs(z) < 1.96) <= 0.985
    assert 0.75 <= np.std(z) <= 1.25


def test_blocks_are_consecutive_in_time_and_keep_groups_together(rng):
    groups = np.repeat(np.arange(100), 3)
    when = rng.permutation(100)
    samples = Samples(
        np.empty((300, 0)), groups % 3, np.arange(3), groups=groups, times=when[groups]
    )
    blocks = in_blocks(samples, 5.0)
    # 100 groups of correlation length 5: (100 / 5)^(2/3) = 7.4
    assert blocks.n_units == 7
    of_group = blocks.groups.reshape(100, 3)
    assert (of_group == of_group[:, :1]).all()
    assert (np.diff(of_group[np.argsort(when), 0]) >= 0).all()


def test_samples_without_dependence_stay_as_they_are():
    samples = samples_of(np.arange(30) % 3)
    assert in_blocks(samples, 0.0) is samples
    assert block_widening(30, samples.block_length) == 1.0


def test_long_blocks_are_nearly_independent():
    assert block_widening(20, 1_000.0) == pytest.approx(1.0, abs=0.01)
    # the mean of blocks of one correlation length varies far more than they do
    assert block_widening(20, 1.0) > 1.3


def test_samples_of_one_time_have_no_order():
    # a file that is sorted by class within each of five days
    codes = np.tile(np.repeat(np.arange(3), 40), 5)
    samples = samples_of(codes, times=np.repeat(np.arange(5), 120))
    assert correlation_length(series_of(samples, codes)) == 0.0


@pytest.mark.parametrize("key", ["class", "feature", "none"])
def test_sorted_tables_of_independent_rows_have_no_order(key, rng):
    x = rng.normal(size=600)
    codes = np.digitize(x + rng.logistic(size=600), [-1.0, 1.0])
    order = {"class": codes, "feature": x, "none": rng.random(600)}[key].argsort()
    residuals = residuals_of(codes, x)
    assert order_length(samples_of(codes[order]), residuals[order]) == 0.0


@pytest.mark.parametrize("sort", [lambda x: x, lambda x: np.abs(x) > 1.0])
def test_a_table_that_is_sorted_by_a_column_with_another_effect_has_no_order(sort, rng):
    """The effect of x is V-shaped, and the residuals are those of a constant."""
    x = rng.normal(size=600)
    codes = np.digitize(1.5 * np.abs(x) + rng.logistic(size=600), [0.5, 2.0])
    order = np.argsort(sort(x), kind="stable")
    samples = Samples(x[order, None], codes[order], np.arange(3))
    residuals = samples.codes - codes.mean()
    assert correlation_length(series_of(samples, residuals)) > 100.0
    assert order_length(samples, residuals) == 0.0


@pytest.mark.parametrize("weight_type", ["counts", None])
def test_cells_of_a_table_one_after_another_have_no_order(weight_type, rng):
    """Neither counts of the cells nor a file with a row for each case are series."""
    x = rng.integers(0, 4, 600).astype(float)
    codes = np.digitize(x - 1.5 + rng.logistic(size=600), [-1.0, 1.0])
    cells, counts = np.unique([x, codes], axis=1, return_counts=True)
    order = rng.permutation(len(counts))
    rows = order if weight_type else np.repeat(order, counts[order])
    weights = counts[order] if weight_type else None
    samples = Samples(cells[0][rows, None], cells[1][rows].astype(int), np.arange(3))
    samples = samples.with_sample_info(weights, weight_type=weight_type)
    residuals = residuals_of(samples.codes, samples.X[:, 0] - 1.5)
    assert len(samples) == 600
    assert correlation_length(series_of(samples, residuals)) > 0.0
    assert order_length(samples, residuals) == 0.0


def test_a_persistent_level_shows_in_the_order_of_rows(rng):
    x = rng.normal(size=600)
    level = 1.2 * persistent(600, 0.95, rng)
    codes = np.digitize(x + level + 0.6 * rng.logistic(size=600), [-1.0, 1.0])
    assert order_length(samples_of(codes), residuals_of(codes, x)) > 5.0


def test_a_table_that_is_sorted_by_related_columns_has_a_short_memory(rng):
    """Rows of four countries, in which classes differ; of one, neighbours resemble each other."""
    country = np.repeat(np.arange(4), 500)
    religion = (rng.random(2_000) < 0.2 + 0.2 * country).astype(float)
    noise = rng.logistic(size=2_000)
    noise[:500] = 1.5 * persistent(500, 0.6, rng)
    expected = np.array([-2.0, 0.0, 0.5, 2.0])[country] + religion
    codes = np.digitize(expected + noise, [-1.0, 1.0])
    features = np.column_stack([religion, country])
    samples = Samples(features, codes, np.arange(3))
    length = order_length(samples, residuals_of(codes, expected))
    assert 0.0 < length < 20.0
