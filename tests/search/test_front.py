import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from moselect.search import Front
from moselect.tables import read_table

NAMES = ("vus", "accuracy")
CLASSES = ("low", "mid", "high")


def make(
    points,
    weights=None,
    thresholds=None,
    holdout=None,
    feature_names=("age", "w:b", "c d"),
    **known,
):
    k = len(points)
    return Front(
        objectives=pd.DataFrame(points, columns=NAMES, dtype=float),
        weights=np.arange(3.0 * k).reshape(k, 3) if weights is None else weights,
        thresholds=np.tile([-0.5, 0.5], (k, 1)) if thresholds is None else thresholds,
        classes=np.array(CLASSES),
        feature_names=feature_names,
        chance=pd.Series([1 / 6, 0.4], index=NAMES),
        holdout=None if holdout is None else pd.DataFrame(holdout, columns=NAMES),
        **known,
    )


@pytest.fixture
def front():
    return make([[0.3, 0.9], [0.6, 0.8], [0.8, 0.5], [0.9, 0.45]])


def numbers(*shape, least=None, most=None):
    finite = st.floats(least, most, allow_nan=False, allow_infinity=False)
    return hnp.arrays(float, shape, elements=finite)


def counts():
    """Draw confusion matrices of three models on the same samples."""
    one = hnp.arrays(np.int64, (3, 3), elements=st.integers(0, 2**40))
    return one.map(lambda table: np.stack([np.roll(table, k, axis=1) for k in range(3)]))


@given(
    numbers(3, 2, least=-1e5, most=1.0),
    numbers(3, 3),
    numbers(3, 2, least=-1e100, most=1e100),
    st.none() | numbers(3, 2, least=-1e5, most=1.0),
    st.none() | counts(),
    st.none() | counts(),
)
def test_a_front_is_restored_from_a_file_to_the_last_bit(
    points, weights, thresholds, holdout, confusions, holdout_confusions
):
    thresholds = np.sort(thresholds, axis=1)
    known = {"confusions": confusions, "holdout_confusions": holdout_confusions}
    front = make(points, weights, thresholds, holdout, **known)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "front.csv"
        front.to_frame().to_csv(path, index=False)
        again = Front.from_frame(read_table(path), CLASSES, front.chance)
    assert list(again.objectives) == list(NAMES)
    for found, stored in (
        (again.objectives, points),
        (again.weights, weights),
        (again.thresholds, thresholds),
        (again.holdout, holdout),
        (again.confusions, confusions),
        (again.holdout_confusions, holdout_confusions),
    ):
        assert (found is None) == (stored is None)
        if stored is not None:
            np.testing.assert_array_equal(found, stored)
    if holdout is not None:
        assert list(again.holdout) == list(NAMES)
    assert again.feature_names == front.feature_names
    assert again.classes.tolist() == list(CLASSES)


def test_best_is_the_greatest_of_an_objective(front):
    assert (front.best("vus"), front.best("accuracy")) == (3, 0)
    with pytest.raises(
        ValueError, match="unknown objective 'mae': choose from vus, accuracy"
    ):
        front.best("mae")


def test_balanced_has_the_greatest_product_of_gains(front):
    gains = (front.objectives.to_numpy() - [1 / 6, 0.4]) / [5 / 6, 0.6]
    assert front.balanced() == gains.prod(axis=1).argmax() == 1
    # Two gains below chance must not make a good product.
    assert make([[-5.0, -5.0], [0.2, 0.5]]).balanced() == 1


def test_a_subset_keeps_rows_their_order_and_the_best():
    rng = np.random.default_rng(0)
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


def test_members_match_the_rows(front):
    assert len(front) == len(list(front)) == 4
    for i, model in enumerate(front):
        np.testing.assert_array_equal(model.coef_, front.weights[i])
        np.testing.assert_array_equal(model.thresholds_, front.thresholds[i])
        assert model.classes_.tolist() == list(CLASSES)
        assert model.feature_names == front.feature_names  # columns are matched by them
    assert front[-1].coef_.tolist() == front.weights[3].tolist()
