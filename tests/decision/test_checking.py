"""Whether a promise was kept: what is compared, and what it is compared by."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import moselect
from moselect.decision import Costs, check
from moselect.decision.checking import class_shares
from moselect.decision.promise import profiles_of
from moselect.labels import encode_labels
from moselect.samples import Samples
from tests.decision.deciding import decide

NAMES = np.array(["low", "mid", "high"])
MISTAKE = "high<high"


def draw(n, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    X["c"] = np.where(X["c"] > 0.0, "yes", "no")
    return X, np.digitize(X["a"] + 0.5 * X["b"] + rng.logistic(size=n) * 0.6, [0.0, 1.2])


@pytest.fixture(scope="module")
def decision():
    return decide(Samples(*draw(800, 0), NAMES))


@pytest.fixture(scope="module", params=["curves", "mine"])
def model(request, decision):
    from sklearn.naive_bayes import GaussianNB

    models = {"mine": GaussianNB()} if request.param == "mine" else None
    costs, limits = Costs([1, 1, 5]), {MISTAKE: 0.5}
    return decision.for_costs(costs, request.param, limits, models)


def test_figures_are_those_of_the_rows(model):
    X, codes = draw(3_000, 1)
    found = check(model, X, NAMES[codes])
    predicted = encode_labels(model.predict(X), NAMES)
    costs = np.array(model.promise.costs)
    assert found.cost == pytest.approx(costs[codes, predicted].mean())
    assert found.promised.cost == model.evidence.expected
    differences = found.mistakes["cost"] - found.mistakes["promised"]
    np.testing.assert_allclose(found.mistakes["difference"], differences)
    assert found.mistakes["cost"].sum() == pytest.approx(found.cost)
    (limit,) = found.limits.to_dict("records")
    assert limit["now"] == pytest.approx(np.mean(predicted[codes == 2] < 2))
    assert found.class_shares["now"].tolist() == pytest.approx(
        np.bincount(codes) / len(codes)
    )
    assert not found.drift["drifted"].any()


def test_verdicts(decision):
    model = decision.for_costs(Costs([1, 1, 5]), "curves")
    X, codes = draw(4_000, 2)
    assert check(model, X.head(30), NAMES[codes[:30]]).kept is None
    wrong = np.where(np.arange(len(codes)) % 3 == 0, 2 - codes, codes)
    found = check(model, X, NAMES[wrong])
    assert found.kept is False
    assert found.verdict.startswith("dearer by ")
    moved = X.assign(a=X["a"] + 1.0, c="maybe")
    found = check(model, moved)
    assert found.drift["drifted"].to_dict() == {"a": True, "b": False, "c": True}
    assert found.drift.loc["c", "outside"] == 1.0
    assert found.kept is None
    assert "2 of 3 columns have drifted" in found.verdict
    with pytest.raises(ValueError, match="nothing was promised"):
        check(decision.fits.known["curves"].model, X)


def test_levels_are_known_however_they_are_written():
    sizes = pd.Series(["1", "2", "3+"] * 10, name="size")
    (profile,) = profiles_of(sizes.to_frame())
    written = pd.Series(["1.0", 2, " 3+", "9", None, "n/a"], dtype=object)
    counts, new = profile.counts(written)
    assert counts.tolist() == [1, 1, 1, 3]
    assert new == pytest.approx(1 / 6)


def test_class_shares_are_those_of_greatest_likelihood():
    shares = np.array([0.5, 0.3, 0.2])
    proba = np.random.default_rng(3).dirichlet(3.0 * shares, 400)
    found, posterior = class_shares(proba, shares)

    def loss(free):
        now = np.append(free, 1.0 - free.sum())
        return -np.log(np.maximum(proba @ (now / shares), 1e-300)).sum()

    best = minimize(
        loss, found[:2] + 0.01, method="Nelder-Mead", options={"xatol": 1e-8}
    ).x
    np.testing.assert_allclose(found[:2], best, atol=1e-4)
    np.testing.assert_allclose(posterior.mean(axis=0), found, atol=1e-8)


def test_a_decision_is_made_anew(model):
    X, _ = draw(500, 4)
    costs, proba = moselect.cost_matrix([1, 1, 50]), model.predict_proba(X)
    cheapest = NAMES[(proba @ costs).argmin(axis=1)]
    assert (model.decide(costs).predict(X) == cheapest).mean() > 0.99  # but for rounding
    with pytest.raises(ValueError, match="no class probabilities"):
        moselect.OrdinalLinearClassifier([1.0], [0.5, 1.0], NAMES).decide(costs)
