"""User-supplied models as additional candidates, with the same evidence."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from moselect import compare, cost_matrix
from moselect.candidates import CANDIDATES
from moselect.candidates.names import BASELINES
from moselect.costs import Costs
from moselect.costs.priced import Priced
from moselect.preprocessing import Preparation
from moselect.samples import Samples
from tests.selection.decisions import decide

COSTS = [1, 2, 5]
NAMES = np.array(["low", "mid", "high"])


class Forgetful(LogisticRegression):
    """A classifier that omits a class."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), np.nan)


@pytest.fixture(scope="module")
def table(search):
    _, X, y = search
    return X, y.cat.codes.to_numpy(np.int64)


@pytest.fixture(scope="module")
def decision(table):
    return decide(Samples(*table, NAMES), np.arange(300) % 2)


def test_evidence_of_a_user_model_equals_a_comparison_on_the_same_folds(decision, table):
    X, codes = table
    mine = LogisticRegression()
    model = decision.select(Costs(COSTS), model="mine", candidates={"mine": mine})
    assert not hasattr(model, "coef_")
    assert model.evidence.candidates.index.sort_values().tolist() == sorted(
        ["mine", *BASELINES]
    )
    compared = compare(
        {"mine": mine}, X, codes, cv=decision.folds, random_state=0, costs=COSTS
    )
    found, expected = (
        each.evaluations["mine"].figure() for each in (model.evidence, compared)
    )
    assert found == pytest.approx(expected)
    pipeline = make_pipeline(Preparation(random_state=0), mine).fit(X, codes)
    np.testing.assert_allclose(
        model.predict_proba(X), pipeline.predict_proba(X), rtol=1e-9
    )
    cheapest = NAMES[(pipeline.predict_proba(X) @ cost_matrix(COSTS)).argmin(axis=1)]
    np.testing.assert_array_equal(model.predict(X), cheapest)


def test_user_models_join_the_candidates_and_failing_ones_are_excluded(decision):
    models = {"mine": LogisticRegression(), "forgetful": Forgetful()}
    additive = decision.fits("additive", Priced(cost_matrix(COSTS)))
    decision.fits.known |= {"scorecard": additive, "ensemble": additive}  # slow to fit
    evidence = decision.select(Costs(COSTS), candidates=models).evidence
    assert set(evidence.candidates.index) == {*CANDIDATES, *BASELINES, "mine"}
    assert evidence.excluded["forgetful"] == "it forgets class 3 of 3, from the lowest"
