"""Checks of a selected model against its reference on labelled and unlabelled rows."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

import moselect
from moselect.costs import Costs
from moselect.labels.labels import encode_labels
from moselect.monitoring import check
from moselect.monitoring.prior_shift import (
    class_shares,
    likelihoods_of,
    share_sensitivity,
)
from moselect.predictor.score_calibration import posterior_of
from moselect.samples import Samples
from tests.selection.decisions import decide

NAMES = np.array(["low", "mid", "high"])
MISTAKE = "high<high"
COSTS = Costs([1, 1, 5])


def draw(n, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    X["c"] = np.where(X["c"] > 0.0, "yes", "no")
    return X, np.digitize(X["a"] + 0.5 * X["b"] + rng.logistic(size=n) * 0.6, [0.0, 1.2])


@pytest.fixture(scope="module")
def decision():
    return decide(Samples(*draw(800, 0), NAMES))


@pytest.fixture(scope="module", params=["proportional odds", "mine"])
def model(request, decision):
    from sklearn.naive_bayes import GaussianNB

    models = {"mine": GaussianNB()} if request.param == "mine" else None
    return decision.select(COSTS, request.param, {MISTAKE: 0.5}, models)


@pytest.fixture(scope="module")
def odds(decision):
    return decision.select(COSTS, "proportional odds")


@pytest.mark.checks("Monitoring", "the checked rows, by hand")
def test_figures_are_computed_from_the_checked_rows(model):
    X, codes = draw(3_000, 1)
    found = check(model, X, NAMES[codes])
    predicted = encode_labels(model.predict(X), NAMES)
    costs = np.array(model.reference.costs)
    assert found.cost == pytest.approx(costs[codes, predicted].mean())
    assert found.reported.cost == model.evidence.expected
    differences = found.mistakes["cost"] - found.mistakes["reported"]
    assert_allclose(found.mistakes["difference"], differences)
    assert found.mistakes["cost"].sum() == pytest.approx(found.cost)
    (limit,) = found.limits.to_dict("records")
    assert limit["now"] == pytest.approx(np.mean(predicted[codes == 2] < 2))
    assert found.class_shares["now"].tolist() == pytest.approx(
        np.bincount(codes) / len(codes)
    )
    assert not found.drift["drifted"].any()


def test_verdicts(odds):
    X, codes = draw(4_000, 2)
    assert check(odds, X.head(30), NAMES[codes[:30]]).holds is None
    assert check(odds, X, NAMES[2 - codes]).holds is False
    found = check(odds, X.assign(a=X["a"] + 1.0, c="maybe"))
    assert found.drift["drifted"].to_dict() == {"a": True, "b": False, "c": True}
    assert found.drift.loc["c", "outside"] == 1.0
    assert found.holds is None
    assert "2 of 3 columns have drifted" in found.verdict


def test_history_accumulates_the_cost_of_all_checked_rows(odds):
    X, codes = draw(900, 3)
    first = check(odds, X[:400], NAMES[codes[:400]])
    new = X[400:], NAMES[codes[400:]]
    so_far = check(odds, *new, history=first.history).history["cost_so_far"].tolist()
    assert so_far == pytest.approx([first.cost, check(odds, X, NAMES[codes]).cost])
    other = first.history.assign(reported=odds.reference.cost * 1.1)
    with pytest.raises(ValueError, match="the history is of a model with a reported"):
        check(odds, *new, history=other)


@pytest.mark.checks("Monitoring", "scipy's optimiser of the likelihood")
def test_class_shares_maximise_the_likelihood(rng):
    shares = np.array([0.5, 0.3, 0.2])
    proba = rng.dirichlet(3.0 * shares, 400)
    likelihoods = likelihoods_of(proba, shares)
    weights = np.ones(400)
    found = class_shares(likelihoods, weights)

    # Negative log-likelihood of the class shares under label shift.
    def loss(free):
        now = np.append(free, 1.0 - free.sum())
        return -np.log(np.maximum(proba @ (now / shares), 1e-300)).sum()

    best = minimize(
        loss, found[:2] + 0.01, method="Nelder-Mead", options={"xatol": 1e-8}
    ).x
    assert_allclose(found[:2], best, atol=1e-4)
    assert_allclose(posterior_of(likelihoods, found).mean(axis=0), found, atol=1e-8)
    labels = np.eye(3)[np.arange(400) % 3]
    shares = class_shares(labels, weights)
    assert_allclose(shares, labels.mean(axis=0))
    influences = labels / shares @ share_sensitivity(labels, shares, weights)
    assert_allclose(influences, labels - shares, atol=1e-12)


def test_an_estimated_share_of_zero_has_an_error(rng):
    x = rng.normal(0.5, size=300)
    likelihoods = np.exp(-0.5 * (x[:, None] - [0.0, 1.0, 3.5]) ** 2)
    weights = np.ones(300)
    shares = class_shares(likelihoods, weights)
    assert shares[2] < 1e-9
    assert (share_sensitivity(likelihoods, shares, weights).diagonal() > 0.0).all()


def test_priors_are_the_class_shares_of_the_reference(rng):
    priors = np.array([0.2, 0.3, 0.5])
    # enough rows of the class whose share rises for a normal distribution of its costs
    decision = decide(Samples(*draw(4_000, 0), NAMES))
    model = decision.select(Costs([1, 1, 5], priors=priors), "proportional odds")
    reference = model.reference
    assert_allclose(np.sum(reference.confusion, axis=1), priors)
    shown = model.evidence.candidates["cost"]["proportional odds"]
    assert np.sum(np.multiply(reference.costs, reference.confusion)) == pytest.approx(
        shown
    )
    X, codes = draw(12_000, 5)
    rows = rng.choice(len(codes), 4_000, p=(priors / np.bincount(codes))[codes])
    X = X.iloc[rows]
    codes = codes[rows]
    found = check(model, X, NAMES[codes], groups=range(len(rows)))
    plain = moselect.expected_cost(
        NAMES[codes], model.predict(X), [1, 1, 5], labels=NAMES
    )
    assert found.cost == pytest.approx(plain)
    assert abs(found.cost - reference.cost) < 3.0 * np.hypot(found.error, reference.error)
    assert_allclose(found.class_shares["reported"], priors)
    estimated = check(model, X, groups=range(len(rows)))
    assert_allclose(estimated.class_shares["now"], priors, atol=0.05)


def test_standard_errors_are_clustered_by_group(model):
    X, codes = draw(300, 9)
    single = check(model, X, NAMES[codes])
    repeated = check(
        model,
        pd.concat([X] * 5, ignore_index=True),
        np.tile(NAMES[codes], 5),
        groups=np.tile(np.arange(300), 5),
    )
    assert repeated.history.iloc[0][["rows", "clusters"]].tolist() == [1_500, 300]
    # except for the allowance of one mistake, which is a row rather than a group
    assert repeated.error == pytest.approx(single.error, rel=0.15)
    with pytest.warns(UserWarning, match="1,200 of 1,500 rows count as duplicates"):
        duplicates = check(model, pd.concat([X] * 5), np.tile(NAMES[codes], 5))
    assert duplicates.error == pytest.approx(repeated.error)
    with pytest.raises(ValueError, match="one group"):
        check(model, X, NAMES[codes], groups=np.zeros(300))


@pytest.mark.checks("Monitoring", "rows of which one column has moved by itself")
@pytest.mark.slow
def test_errors_without_labels_allow_for_probabilities_that_are_too_sure():
    """Slopes of 400 rows are some 8 % too steep or too flat, and costs with them."""
    z = []
    for seed in range(30):
        X, codes = draw(12_000, seed)
        fitted = decide(Samples(X[:400], codes[:400], NAMES))
        model = fitted.select(COSTS, "proportional odds")
        predicted = encode_labels(model.predict(X[1_200:]), NAMES)
        true = np.array(model.reference.costs)[codes[1_200:], predicted].mean()
        found = check(model, X[400:1_200].reset_index(drop=True))
        z.append((found.cost - true) / found.error)
    # By the mean errors of the probabilities alone it is 1.6.
    assert 0.6 < np.std(z) < 1.35


def test_errors_without_labels_allow_for_columns_that_drift_by_themselves(odds, rng):
    X, _ = draw(800, 4)
    X["a"] += 0.5
    noise = rng.logistic(size=800) * 0.6
    codes = np.digitize(X["a"] + 0.5 * X["b"] + noise, [0.0, 1.2])
    is_known = X["a"] < 2.5  # within the range of training
    found = check(odds, X[is_known])
    assert found.drift["drifted"].tolist() == [True, False, False]
    shares = np.bincount(codes[is_known]) / is_known.sum()
    off = found.class_shares["now"] - shares
    assert (np.abs(off) < 2.0 * found.class_shares["std_error"]).all()
    assert np.abs(off).max() > 0.1  # by shares that change alone
