import numpy as np
import pandas as pd
import pytest

from moselect.search import Front

NAMES = ("vus", "accuracy")
CLASSES = ("low", "mid", "high")


def make(points, holdout=None, **known):
    k = len(points)
    return Front(
        objectives=pd.DataFrame(points, columns=NAMES, dtype=float),
        weights=np.arange(3.0 * k).reshape(k, 3),
        thresholds=np.tile([-0.5, 0.5], (k, 1)),
        classes=np.array(CLASSES),
        feature_names=("age", "w:b", "c d"),
        chance=pd.Series([1 / 6, 0.4], index=NAMES),
        holdout=None if holdout is None else pd.DataFrame(holdout, columns=NAMES),
        **known,
    )


@pytest.fixture
def front():
    return make([[0.3, 0.9], [0.6, 0.8], [0.8, 0.5], [0.9, 0.45]])


def test_best_is_the_greatest_of_an_objective(front):
    assert (front.best("vus"), front.best("accuracy")) == (3, 0)
    with pytest.raises(
        ValueError, match="objective must be one of 'vus', 'accuracy', not 'mae'"
    ):
        front.best("mae")


def test_balanced_has_the_greatest_product_of_gains(front):
    gains = (front.objectives.to_numpy() - [1 / 6, 0.4]) / [5 / 6, 0.6]
    assert front.balanced() == gains.prod(axis=1).argmax() == 1
    # Two gains below chance must not make a good product.
    assert make([[-5.0, -5.0], [0.2, 0.5]]).balanced() == 1


def test_a_subset_keeps_rows_their_order_and_the_best(rng):
    points, holdout = rng.random((2, 50, 2))
    confusions, holdout_confusions = rng.integers(9, size=(2, 50, 3, 3))
    front = make(
        points,
        holdout=holdout,
        confusions=confusions,
        holdout_confusions=holdout_confusions,
    )
    subset = front.subset(7)
    full = front.to_frame()
    kept = np.flatnonzero(full["vus"].isin(subset.objectives["vus"]))
    assert len(subset) == len(kept) == 7
    assert subset.objectives.max().equals(front.objectives.max())
    assert len(front.subset(60)) == 50
    pd.testing.assert_frame_equal(
        subset.to_frame(), full.iloc[kept].reset_index(drop=True), check_exact=True
    )
