"""Transformations of a table that change no figure, and one that must."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit

import moselect
from moselect import cost_matrix
from moselect.models import ProportionalOdds

COSTS = cost_matrix([1.0, 2.0, 6.0], loss="squared")
N = 150
ALL = np.arange(N)
FOLDS = ALL % 3
RNG = np.random.default_rng(4)
X = pd.DataFrame(RNG.normal(size=(N, 2)), columns=["age", "income"])
X["region"] = RNG.choice(["north", "south", "west"], N)
LATENT = X["age"] - X["income"] + (X["region"] == "west") + RNG.logistic(size=N)
Y = np.digitize(LATENT, [-0.5, 1.5])
NAMES = np.array(["small", "big", "huge"])
CANDIDATES = {"plain": LogisticRegression(), "shrunk": LogisticRegression(C=0.01)}
invariance = pytest.mark.checks("Invariances", "the same table before the transformation")


def evidence_of(
    X=X, y=Y, costs=COSTS, candidates=CANDIDATES, order=ALL, labels=None, weight=None
):
    """Compare the candidates and proportional odds on the given folds."""
    return moselect.compare(
        {**candidates, "odds": ProportionalOdds()},
        X.iloc[order],
        y[order],
        cv=PredefinedSplit(FOLDS[order]),
        costs=costs,
        labels=labels,
        sample_weight=weight,
        random_state=0,
    )


@pytest.fixture(scope="module")
def found():
    return evidence_of()


def assert_same(other, found, scale):
    """Check all candidates, differences and the confusion matrix."""
    assert other.selected == found.selected
    figures = found.candidates[["cost", "std_error"]]
    pd.testing.assert_frame_equal(
        other.candidates[figures.columns].loc[figures.index] / scale, figures, rtol=1e-5
    )
    assert_array_equal(other.confusion, found.confusion)
    for name, paired in found.differences.items():
        assert other.differences[name][:2] == pytest.approx(paired[:2], rel=1e-5)


SAME = {  # changes, and the factor of all costs
    "permuted rows": ({"order": RNG.permutation(N)}, 1.0),
    "permuted columns": ({"X": X[X.columns[::-1]]}, 1.0),
    "permuted candidates": ({"candidates": dict(reversed(CANDIDATES.items()))}, 1.0),
    # not in alphabetical order
    "renamed classes": ({"y": NAMES[Y], "labels": NAMES}, 1.0),
    "costs in another currency": ({"costs": 7.0 * COSTS}, 7.0),
    "weights on another scale": ({"weight": np.full(N, 2.5)}, 1.0),
}


@invariance
@pytest.mark.parametrize("name", SAME)
def test_figures_are_the_same(found, name):
    changes, scale = SAME[name]
    assert_same(evidence_of(**changes), found, scale)


@pytest.mark.checks(
    "Invariances", "a transposed cost matrix, which changes the decisions"
)
def test_transposed_costs_are_other_costs(found):
    other = evidence_of(costs=COSTS.T)
    assert (other.confusion.to_numpy() != found.confusion.to_numpy()).any()
    assert other.expected != pytest.approx(found.expected, rel=0.01)
