"""Weights of samples: counts where rows are the cells of a table, else relative."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from moselect import compare
from moselect.samples import Samples
from moselect.samples.weights import counts_of


@pytest.mark.parametrize("levels", [(2, 2), (3, 3, 2, 2, 2), (6, 4)])
def test_cells_of_a_table_have_counts(levels, rng):
    cells = pd.DataFrame(product(*map(range, levels))).add_prefix("factor ")
    cells.insert(0, "rownames", np.arange(1, len(cells) + 1))
    counts = rng.poisson(20.0, len(cells)).astype(float)
    X = cells.iloc[:, :-1]
    y = cells.iloc[:, -1]
    assert counts_of(counts, X=X, y=y).tolist() == counts.tolist()
    # Cells without cases are often left out.
    kept = np.arange(len(X)) != 1
    if len(X) > 4:
        assert counts_of(counts[kept], X=X[kept], y=y[kept]) is not None
    assert counts_of(counts, "sampling", X, y) is None
    assert counts_of(1_000.0 * counts + 1.0, X=X, y=y) is None  # of a whole population
    assert counts_of(counts + 0.5, X=X, y=y) is None


@pytest.mark.parametrize("n", [30, 500])
@pytest.mark.parametrize(
    "draw",
    [
        lambda rng, n: {"income": rng.lognormal(size=n)},
        lambda rng, n: {"age": rng.integers(18, 92, n)},
        lambda rng, n: {},
        lambda rng, n: {f"item {k}": rng.integers(0, 5, n) for k in range(9)},
    ],
    ids=["measured", "rounded", "few levels", "many factors"],
)
def test_whole_weights_of_persons_are_relative(draw, n, rng):
    X = pd.DataFrame({"sex": rng.integers(0, 2, n), **draw(rng, n)})
    y = rng.integers(1, 4, n)
    weights = rng.integers(1, 300, n).astype(float)
    assert counts_of(weights, X=X, y=y) is None
    assert counts_of(weights, "counts", X, y).sum() == weights.sum()
    samples = Samples(X, y - 1, np.arange(1, 4))
    with pytest.warns(UserWarning, match="weight_type=counts"):
        samples = samples.with_sample_info(weights)
    assert "weight_type=counts" in samples.remarks[0]
    assert samples.weights == pytest.approx(weights / weights.mean())


def test_weights_that_mean_the_same_need_no_word():
    for weights in ([1, 0, 1, 1], [0.5] * 4, [1] * 4):
        samples = Samples(np.arange(4.0)[:, None], np.arange(4) % 2, np.arange(2))
        samples = samples.with_sample_info(weights)
        assert samples.weights is None
        assert not samples.remarks
        assert samples.X.ravel().tolist() == np.flatnonzero(weights).tolist()


def test_equal_weights_are_none_even_for_a_class_of_one_sample(rng):
    X = rng.normal(size=(40, 2))
    y = np.append(np.arange(39) % 2, 2)
    settings = {"cv": 2, "random_state": 1}
    none, equal = (
        compare("proportional_odds", X, y, sample_weight=weights, **settings)
        for weights in (None, np.ones(40))
    )
    pd.testing.assert_frame_equal(none.confusion, equal.confusion)
