"""The choice between candidates, and the out-of-fold origin of its evidence."""

from dataclasses import replace

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from moselect import compare
from moselect.candidates import Candidate, Fitted
from moselect.candidates.names import BASELINES, CANDIDATES
from moselect.candidates.splits import Splits
from moselect.costs import Costs, cost_matrix
from moselect.costs.criteria import resolve
from moselect.costs.limits import parts_of, read_limit
from moselect.costs.priced import Priced
from moselect.evaluation import decision as candidate_decision
from moselect.evaluation.choice import choose, choose_candidate
from moselect.export import inputs_of, onnx_of
from moselect.labels.labels import encode_labels
from moselect.models import Predictions
from moselect.preprocessing import Preparation
from moselect.samples import Samples
from tests.any_tables import ordinal_table
from tests.selection.decisions import decide
from tests.without_features import samples_of

COSTS = [1, 2, 5]
MATRIX = cost_matrix(COSTS)
NAMES = np.array(["low", "mid", "high"])


def draw(n=120, seed=0):
    """Draw classes that depend on the square of a feature and on a category."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    colour = rng.choice(["red", "green"], size=n)
    latent = x**2 + 1.5 * (colour == "red") + 0.7 * rng.normal(size=n)
    table = pd.DataFrame({"x": x, "noise": rng.normal(size=n), "colour": colour})
    return table, np.searchsorted(np.quantile(latent, [0.4, 0.8]), latent)


def codes_of(labels):
    return encode_labels(labels, NAMES)


def decision_with(row=None):
    """Return a decision that includes a user-supplied model; optionally change one label."""
    table, codes = draw()
    if row is not None:
        codes[row] = (codes[row] + 1) % 3
    decision = decide(Samples(table, codes, NAMES), np.arange(len(codes)) % 3)
    decision.fits.add(Candidate("mine", RandomForestClassifier(5)))
    return decision


@pytest.fixture(scope="module")
def decision():
    return decision_with()


@pytest.fixture(scope="module")
def relabelled():
    return decision_with(row=7)


@pytest.mark.parametrize(
    "candidate",
    [
        *(
            pytest.param(candidate, marks=pytest.mark.slow)
            for candidate in ("scorecard", "linear", "ensemble")
        ),
        "additive",
        *BASELINES,
        "mine",
    ],
)
def test_out_of_fold_predictions_do_not_depend_on_the_label_of_the_row(
    decision, relabelled, candidate
):
    loss = Priced(MATRIX)
    before, after = (each.fits(candidate, loss).cv for each in (decision, relabelled))
    # Row 7 is held out of its own fold model, so its changed label has no effect.
    assert_array_equal(before.proba[7], after.proba[7])
    assert before.scores[7] == after.scores[7]
    assert before.codes[7] == after.codes[7]
    assert (before.proba != after.proba).any()


@pytest.mark.checks("Costs", "the predictions for new rows of the same law")
@pytest.mark.parametrize(
    "candidate", [*CANDIDATES[:-1], pytest.param(CANDIDATES[-1], marks=pytest.mark.slow)]
)
def test_every_selected_candidate_predicts_with_its_reported_cost(decision, candidate):
    _, codes = draw()
    model = decision.select(Costs(COSTS), model=candidate)
    evidence = model.evidence
    assert evidence.selected == candidate
    assert hasattr(model, "coef_") == (candidate != "ensemble")
    new, true = draw(400, seed=1)
    predicted = model.predict(new)
    proba = model.predict_proba(new)
    assert_allclose(proba.sum(axis=1), 1.0)
    if candidate != "linear":  # its thresholds are tuned
        assert (predicted == NAMES[(proba @ MATRIX).argmin(axis=1)]).mean() > 0.99
    shown, error = evidence.candidates.loc[candidate, ["cost", "std_error"]]
    assert abs(MATRIX[true, codes_of(predicted)].mean() - shown) < 4.0 * error
    assert evidence.confusion.to_numpy().sum() == len(codes)


@pytest.mark.checks("Costs", "new rows in the shares of the priors")
@pytest.mark.parametrize(
    ("candidate", "priors"),
    [("linear", [0.7, 0.25, 0.05]), ("additive", [0.7, 0.3, 0.0])],
)
def test_probabilities_hold_for_the_priors(decision, candidate, priors, rng):
    X, codes = draw(4_000, seed=2)
    chances = (priors / np.bincount(codes) * len(codes))[codes]
    rows = rng.choice(len(codes), 4_000, p=chances / chances.sum())
    model = decision.select(Costs(COSTS, priors=priors), model=candidate)
    proba = model.predict_proba(X.iloc[rows])
    assert_allclose(proba.mean(axis=0), priors, atol=0.05)
    document = onnxruntime.InferenceSession(onnx_of(model))
    (exported,) = document.run(["probabilities"], inputs_of(model, X))
    assert_allclose(exported, model.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize(
    ("linear", "additive", "simple", "cheapest"),
    [
        (1.04, 1.5, "linear", "ensemble"),
        (1.06, 1.04, "additive", "ensemble"),
        (1.5, 0.97, "additive", "additive"),
    ],
)
def test_the_cheapest_or_a_simpler_candidate_is_chosen(
    linear, additive, simple, cheapest
):
    losses = {"linear": linear, "additive": additive, "ensemble": 1.0}
    assert choose_candidate(losses) == choose_candidate(losses, "cheapest") == cheapest
    assert choose_candidate(losses, "simple") == simple
    # Differences are negligible for a utility of a larger scale.
    assert choose_candidate(losses, "simple", scale=100.0) == "linear"


def test_the_expected_cost_of_one_candidate_equals_its_figure_under_priors(
    decision,
):
    given = decision.select(
        Costs(COSTS, priors=[0.3, 0.3, 0.4]), model="additive"
    ).evidence
    figure, error = given.evaluations["additive"].figure()
    assert given.expected == pytest.approx(figure)
    assert given.expected_se == pytest.approx(error)
    evidence = decision.select(Costs(COSTS), model="additive").evidence
    figure, error = evidence.evaluations["additive"].figure()
    # Stratified folds reveal the class shares of the test rows, which is optimistic.
    assert 0.0 < evidence.expected - figure < error < evidence.expected_se


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"high<low": 0.1}, "excludes nothing: no class is below low"),
        ({"high<mid": 20}, "is 20: give a share between 0 and 1"),
    ],
)
def test_impossible_limits_are_refused(decision, limits, message):
    with pytest.raises(ValueError, match=message):
        decision.select(Costs(COSTS), limits=limits)


def test_candidates_within_their_limits_are_preferred(rng):
    n_overruled = 0
    costs = resolve(Costs([1, 1, 0.01]), NAMES, [1, 1, 1])
    limits = [
        read_limit("high<high", 0.7, NAMES),
        read_limit("predicted high", 0.3, NAMES),
    ]
    criteria = replace(costs, limits=limits)
    for _ in range(30):
        codes = rng.integers(3, size=80)
        fits = {}
        samples = samples_of(codes, NAMES)
        for candidate in CANDIDATES:
            signal = rng.uniform(0.0, [3.0, 3.0, 1.5])  # of each class
            proba = rng.standard_gamma(0.4 + np.diag(signal)[codes]) + 1e-9
            predictions = Predictions.of(proba / proba.sum(axis=1, keepdims=True))
            fits[candidate] = Fitted(
                None, {"train": predictions, "cv": predictions}, np.nan, 0.0
            )
        splits = Splits(samples, samples, codes)
        evaluated = {
            name: candidate_decision.decide(fit, criteria, splits)
            for name, fit in fits.items()
        }
        meets = {candidate: one.is_within for candidate, one in evaluated.items()}
        for choice in ("cheapest", "simple"):
            chosen = choose(evaluated, CANDIDATES, choice)[0]
            assert meets[chosen] or not any(meets.values())
            shown = {name: one.cv_loss[0] for name, one in evaluated.items()}
            n_overruled += meets[chosen] and not meets[choose_candidate(shown, choice)]
    assert n_overruled >= 2


@pytest.mark.parametrize(
    ("expression", "mistakes", "among"),
    [
        ("mid<mid", [[0, 0, 0], [1, 0, 0], [1, 0, 0]], [0, 1, 1]),
        ("mid>mid", [[0, 0, 1], [0, 0, 1], [0, 0, 0]], [1, 1, 0]),
        ("predicted high", [[0, 0, 1]] * 3, [1, 1, 1]),
        ("low predicted high", [[0, 0, 1], [0, 0, 0], [0, 0, 0]], [1, 0, 0]),
    ],
)
def test_limits_name_their_mistakes_and_denominators(expression, mistakes, among):
    limit = read_limit(expression, 0.1, NAMES)
    assert_array_equal(limit.mistakes, mistakes)
    assert_array_equal(limit.among, among)


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        (">2<>2", {"below": 2, "truth": 2}),
        ("1-2>1-2", {"above": 1, "truth": 1}),
        ("<1 predicted >2", {"predicted": 2, "truth": 0}),
    ],
)
def test_labels_in_limits_may_contain_comparison_signs(expression, parts):
    assert parts_of(expression, ["<1", "1-2", ">2"]) == parts


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:model")
@pytest.mark.parametrize(("n", "is_fitted"), [(60, True), (500, False)])
def test_linear_rules_are_skipped_where_proportional_odds_surely_cost_more(
    n, is_fitted, rng
):
    """A product decides the class; on few rows the difference is within its error."""
    X = rng.normal(size=(n, 2))
    codes = (X[:, 0] * X[:, 1] > 0.0).astype(int)
    codes = np.where(rng.random(n) < 0.6, rng.integers(2, size=n), codes)
    decision = decide(Samples(X, codes, np.arange(2)), np.arange(n) % 5)
    costs = decision.select(Costs([1, 1])).evidence.candidates["cost"]
    assert costs["proportional odds"] > 1.1 * costs.min()
    assert ("linear" in costs) is is_fitted


def test_candidates_that_fail_in_a_fold_are_excluded_with_a_reason():
    codes = np.tile([0, 1, 2], 4)
    folds = np.arange(12) % 4
    x = np.arange(12.0) * (folds == 0)  # constant in the other folds
    decision = decide(Samples.from_table(x[:, None], codes), folds)
    # An ensemble takes long to fit.
    decision.fits.known["ensemble"] = decision.fits("proportional odds", Priced(MATRIX))
    evidence = decision.select(Costs(COSTS)).evidence
    assert "no condition tells classes apart" in evidence.excluded["scorecard"]
    assert evidence.selected in evidence.candidates.index
    with pytest.raises(ValueError, match="scorecard cannot be fitted: no condition"):
        decision.select(Costs(COSTS), "scorecard")


class Forgetful(LogisticRegression):
    """A classifier that omits a class."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), np.nan)


def test_evidence_of_a_user_model_equals_a_comparison_on_the_same_folds(decision):
    table, codes = draw()
    models = {"own": LogisticRegression()}
    model = decision.select(Costs(COSTS), model="own", candidates=models)
    assert not hasattr(model, "coef_")
    assert set(model.evidence.candidates.index) == {"own", *BASELINES}
    compared = compare(
        models, table, codes, cv=decision.folds, random_state=0, costs=COSTS
    )
    found, expected = (
        each.evaluations["own"].figure() for each in (model.evidence, compared)
    )
    assert found == pytest.approx(expected)
    # It is known afterwards.
    again = decision.select(Costs(COSTS), model="own", candidates=models)
    assert again.evidence.expected == model.evidence.expected
    pipeline = make_pipeline(Preparation(random_state=0), models["own"])
    proba = pipeline.fit(table, codes).predict_proba(table)
    assert_allclose(model.predict_proba(table), proba, rtol=1e-9)
    cheapest = NAMES[(proba @ MATRIX).argmin(axis=1)]
    assert_array_equal(model.predict(table), cheapest)


def test_user_models_join_the_candidates_and_failing_ones_are_excluded():
    decision = decide(Samples(*ordinal_table(200), NAMES))
    additive = decision.fits("additive", Priced(MATRIX))
    decision.fits.known |= {"scorecard": additive, "ensemble": additive}  # slow to fit
    models = {"own": LogisticRegression(), "forgetful": Forgetful()}
    evidence = decision.select(Costs(COSTS), candidates=models).evidence
    assert set(evidence.candidates.index) == {*CANDIDATES, *BASELINES, "own"}
    assert evidence.excluded["forgetful"] == "it forgets class 3 of 3, from the lowest"
