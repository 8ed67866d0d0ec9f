"""Standard errors against known laws: groups, weights, priors, and tables without a mistake."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, logit

from moselect.candidates import Fitted
from moselect.candidates.names import TRIVIAL
from moselect.candidates.splits import Splits
from moselect.costs import Costs, exact_thresholds
from moselect.costs.criteria import resolve
from moselect.costs.limits import read_limit
from moselect.costs.priced import Priced
from moselect.evaluation.decision import decide
from moselect.evaluation.objective_figures import objective_figures
from moselect.inference.standard_errors import (
    class_deviations,
    cost_errors,
    variance_on_equal_rows,
)
from moselect.metrics import objective_named
from moselect.models import Predictions
from moselect.samples import Samples
from tests.without_features import samples_of

NAMES = np.array(["low", "mid", "high"])
ZERO_ONE = Priced(1.0 - np.eye(2))


def figure(rates, rng, **known):
    """Draw two classes and mistakes by their rates; return their share and its error."""
    codes = rng.integers(0, 2, len(rates))
    predicted = codes ^ (rng.random(len(rates)) < rates)
    samples = samples_of(codes, NAMES[:2], **known)
    loss, influence = ZERO_ONE.loss.estimate(
        ZERO_ONE.cells, samples, predicted, predicted
    )
    max_cost = ZERO_ONE.max_cost(samples)
    return loss, float(cost_errors(samples.sum_by_cluster(influence), max_cost, samples))


def assert_calibrated(shown, true, coverage=0.95, sd=(0.8, 1.1)):
    """Check the standard deviation of z, and the coverage of 95 % intervals.

    Both are within three of their standard errors for so many draws.
    """
    values, errors = np.transpose(shown)
    z = (values - true) / errors
    n = len(z)
    low, high = np.array(sd) * (1.0 + np.array([-3.0, 3.0]) / np.sqrt(2.0 * n))
    assert low <= z.std() <= high
    n_covered = np.count_nonzero(np.abs(z) <= 1.96)
    assert n_covered >= coverage * n - 3.0 * np.sqrt(n * coverage * (1.0 - coverage))


@pytest.mark.checks("Standard errors and intervals", "repeated draws of groups")
@pytest.mark.parametrize("n_groups", [6, 10, 25, 100])
def test_standard_errors_of_costs_are_clustered_by_group(n_groups):
    rng = np.random.default_rng(n_groups)
    shown = []
    for _ in range(400):  # 20 rows a group, correlated by .1 within it
        rates = np.repeat(rng.beta(2.7, 6.3, n_groups), 20)
        groups = np.repeat(np.arange(n_groups), 20)
        shown.append(figure(rates, rng, groups=groups))
    assert_calibrated(shown, 0.3)


@pytest.mark.checks("Standard errors and intervals", "groups of very unequal sizes")
@pytest.mark.parametrize("largest", [0.33, 0.5])
def test_one_large_group_leaves_few_degrees_of_freedom(largest, rng):
    shown = []
    for _ in range(400):
        groups = np.where(rng.random(300) < largest, 0, rng.integers(1, 20, 300))
        shown.append(figure(rng.beta(2.7, 6.3, 20)[groups], rng, groups=groups))
    assert_calibrated(shown, 0.3, 0.925, (0.8, 1.15))


@pytest.mark.parametrize(("sigma", "rate"), [(1.0, 0.05), (2.0, 0.3)])
def test_errors_of_costs_hold_with_uneven_weights(sigma, rate, rng):
    shown = []
    for _ in range(400):
        weights = rng.lognormal(sigma=sigma, size=200)
        shown.append(figure(np.full(200, rate), rng, weights=weights))
    assert_calibrated(shown, rate)


def draw(n, shares, rng):
    """Draw classes by their shares, and normal scores within each class."""
    codes = rng.choice(3, n, p=shares)
    return codes, rng.normal(1.2 * codes)


def probabilities(scores, shares):
    """Return the posterior class probabilities under the given class shares."""
    density = np.exp(-0.5 * (scores[:, None] - 1.2 * np.arange(3)) ** 2) * shares
    return density / density.sum(axis=1, keepdims=True)


def test_standard_errors_of_limits_are_clustered_under_priors(rng):
    n_groups = 6
    shown = []
    for _ in range(300):
        rates = np.repeat(rng.beta(2.7, 6.3, n_groups), 20)
        codes = rng.choice(3, len(rates), p=[0.3, 0.5, 0.2])
        # The highest class has twice the miss rate.
        missed = rng.random(len(rates)) < np.where(codes == 2, 2.0, 1.0) * rates
        groups = np.repeat(np.arange(n_groups), 20)
        samples = samples_of(codes, NAMES, groups=groups)
        priors = Costs([1, 1, 1], priors=[0.3, 0.1, 0.6])
        ratios = priors.ratios(samples.class_weights)
        limit = read_limit("mid<mid", 0.2, NAMES, ratios)
        reached = limit.reached(samples, np.where(missed, 0, codes))
        shown.append((reached.share, reached.std_error))
    # The expected share, by simulation of the rates under the priors.
    draws = rng.beta(2.7, 6.3, 100_000)
    true = (0.1 * draws.mean() + 0.6 * np.minimum(2.0 * draws, 1.0).mean()) / 0.7
    assert_calibrated(shown, true, 0.92, (0.8, 1.2))


def test_variance_between_models_is_estimated_from_equal_rows(rng):
    levels = rng.integers(4, size=200)
    folds = np.arange(len(levels)) % 5
    decisions = rng.random((5, 4)) < 0.5  # by model and level
    weights = rng.exponential(size=len(levels))
    parts = weights * (folds == np.arange(5)[:, None])
    values = decisions[folds, levels].astype(float)
    # Each fold model applied to all rows; the factor 1.2 is 1 + 1 / 5 folds.
    shares = decisions[:, levels] @ weights / weights.sum()
    found = variance_on_equal_rows(levels[:, None], parts, values)
    assert found == pytest.approx(1.2 * shares.var(ddof=1))
    assert variance_on_equal_rows(rng.random((len(levels), 1)), parts, values) is None


def evaluate(proba, codes, costs, limits=(), **more):
    """Evaluate candidates by their class probabilities for the same samples."""
    samples = samples_of(codes, NAMES)
    fits = {}
    for name, each in {"additive": proba, **more}.items():
        predictions = Predictions.of(each)
        splits = {"train": predictions, "cv": predictions}
        fits[name] = Fitted(None, splits, np.nan, 0.0, is_constant=name == TRIVIAL)
    criteria = replace(costs, limits=limits)
    splits = Splits(samples, samples, np.arange(len(codes)) % 5)
    return {name: decide(fit, criteria, splits) for name, fit in fits.items()}


@pytest.mark.checks("Limits, referral and trade-off", "new rows of a known law")
@pytest.mark.slow
@pytest.mark.parametrize(("distance", "coverage"), [(0.0, 0.92), (0.3, 0.8)])
def test_shares_under_a_limit_cover_the_deployed_model(distance, coverage, rng):
    """Limit the share below a threshold t, t^2 for scores of density 2 s in the class.

    Models differ by a normal distance in log odds, and five folds estimate its variance.
    """
    limits = [read_limit("high<high", 0.2, NAMES)]
    z = []
    for _ in range(300):
        scores = rng.random(200)
        codes = 2 * (rng.random(200) < scores)
        models = distance * rng.normal(size=6)
        high = expit(logit(scores) + models[np.arange(200) % 5])
        proba = np.column_stack([1.0 - high, np.zeros(200), high])
        one = evaluate(proba, codes, Priced(1.0 - np.eye(3)), limits)["additive"]
        threshold = expit(logit(1.0 / (1.0 + one.rule.costs[2, 0])) - models[5])
        (shown,) = one.limits
        z.append((shown.share - threshold**2) / shown.std_error)
    assert abs(np.mean(z)) <= 0.15
    assert np.mean(np.abs(z) <= 1.96) >= coverage


@pytest.mark.checks(
    "Standard errors and intervals",
    "repeated draws under other class shares",
)
@pytest.mark.parametrize(
    ("shares", "priors"),
    [([0.6, 0.3, 0.1], [0.3, 0.3, 0.4]), ([0.2, 0.3, 0.5], [0.7, 0.25, 0.05])],
)
def test_standard_errors_of_costs_hold_under_priors(shares, priors, rng):
    shown = []
    truth, new_scores = draw(20_000, priors, rng)
    for _ in range(300):
        codes, scores = draw(400, shares, rng)
        costs = resolve(Costs([1, 1, 3], priors=priors), NAMES, np.bincount(codes))
        evaluated = evaluate(probabilities(scores, shares), codes, costs)
        predicted = (probabilities(new_scores, shares) @ costs.in_use).argmin(axis=1)
        cost, error = evaluated["additive"].figure()
        shown.append((cost - costs.matrix[truth, predicted].mean(), error))
    assert_calibrated(shown, 0.0, 0.925)


def discriminant_scores(samples, trained, tested):
    """Project rows on the difference of the class means, centred at their midpoint."""
    first, second = (
        samples.X[trained & (samples.codes == k)].mean(axis=0) for k in (0, 1)
    )
    return (samples.X[tested] - (first + second) / 2.0) @ (second - first)


@pytest.mark.slow
@pytest.mark.parametrize("n_groups", [None, 32])
def test_errors_of_rankings_count_that_the_training_folds_overlap(n_groups, rng):
    # No feature has a signal: each model ranks at random.
    shown = []
    folds = np.arange(96) % 4
    for _ in range(250):
        X = rng.normal(size=(96, 4))
        rates = np.full(96, 0.5)
        groups = None
        if n_groups is not None:
            groups = np.arange(96) % n_groups
            X += 2.0 * rng.normal(size=(n_groups, 4))[groups]
            rates = rng.choice([0.3, 0.7], n_groups)[groups]
        samples = Samples(X, rng.binomial(1, rates), NAMES[:2], groups=groups)
        scores = np.empty(96)
        for k in range(4):
            scores[folds == k] = discriminant_scores(samples, folds != k, folds == k)
        in_training, out_of_fold = (
            Predictions((each > 0.0).astype(np.int64), each, None)
            for each in (discriminant_scores(samples, folds >= 0, folds >= 0), scores)
        )
        fit = Fitted(None, {"train": in_training, "cv": out_of_fold}, 4.0, 0.0)
        evaluated = decide(fit, ZERO_ONE, Splits(samples, samples, folds))
        found = evaluated.measures([objective_named("u_pairs")])
        shown.append(found["u_pairs"][["cv", "std_error"]])
    # By the rows alone, the standard deviations would be 1.43 and 1.34.
    assert_calibrated(shown, 0.5)


def test_errors_of_accuracies_count_that_thresholds_differ_between_fold_models(rng):
    """Exact thresholds for a class with a share of 10 % and tenfold costs."""
    shown = []
    costs = np.array([[0.0, 1.0], [10.0, 0.0]])
    truth = rng.random(20_000) < 0.1
    new = rng.normal(1.2 * truth)
    folds = np.arange(150) % 5
    for _ in range(250):
        codes = (rng.random(150) < 0.1).astype(np.int64)
        scores = rng.normal(1.2 * codes)
        thresholds = np.empty(5)
        for k in range(5):
            known = folds != k
            thresholds[k] = exact_thresholds(scores[known], codes[known], costs)[0].item()
        predicted = Predictions(
            (scores > thresholds[folds]).astype(np.int64), scores, None
        )
        samples = Samples(scores[:, None], codes, NAMES[:2])
        found = objective_figures(
            [objective_named("accuracy")], samples, predicted, folds
        )
        true = np.mean((new > exact_thresholds(scores, codes, costs)[0]) == truth)
        shown.append((found[0].item() - true, found[1].item()))
    # By the rows alone, it would be 1.98 with a coverage of .78.
    assert_calibrated(shown, 0.0, 0.92)


@pytest.mark.parametrize("priors", [None, [0.2, 0.2, 0.6]])
def test_a_baseline_that_refers_every_row_has_the_referral_cost(priors, rng):
    codes, scores = draw(150, [0.5, 0.3, 0.2], rng)
    masses = np.bincount(codes)
    costs = resolve(Costs([10, 10, 10], priors=priors, refer=1.0), NAMES, masses)
    known = probabilities(scores, [0.5, 0.3, 0.2])
    always = np.tile(masses / 150, (150, 1))
    evaluated = evaluate(known, codes, costs, **{TRIVIAL: always})
    assert set(evaluated[TRIVIAL].out_of_fold.codes) == {3}
    assert evaluated[TRIVIAL].figure() == (
        pytest.approx(1.0),
        pytest.approx(0.0, abs=1e-12),
    )
    assert evaluated["additive"].figure()[1] > 0.01


def test_deviations_from_class_means_are_changes_without_a_group(rng):
    codes, groups = rng.integers(0, 2, 60), rng.integers(0, 5, 60)
    values, weights = rng.normal(size=60), rng.uniform(1.0, 2.0, 60)
    deviations = class_deviations(
        samples_of(codes, groups=groups, weights=weights), values
    )
    for k in (0, 1):
        of_class, own = codes == k, (codes == k) & (groups == 3)
        others = of_class & ~own
        change = np.average(values[of_class], weights=weights[of_class])
        change -= np.average(values[others], weights=weights[others])
        assert change == pytest.approx(
            (weights * deviations)[own].sum() / weights[of_class].sum()
        )
