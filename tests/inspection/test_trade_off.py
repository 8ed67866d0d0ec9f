"""The trade-off at a boundary and the price of a limit, against brute force."""

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import norm
from scipy.stats import t as student

from moselect.costs.limits import margin_of, read_limit
from moselect.costs.priced import Priced
from moselect.inspection.trade_off import PRICES, price, risk_coverage, trade_off
from tests.without_features import samples_of

CANDIDATES = ("a", "b")


def draw(seed):
    """Draw samples with ties, two candidates and costs, some with groups or priors."""
    rng = np.random.default_rng(seed)
    r = 2 + seed % 5
    n = int(rng.integers(8, 30))
    codes = np.concatenate([np.arange(r), rng.integers(0, r, n - r)])
    known = {}
    if seed % 2:
        known = {"weights": rng.integers(1, 5, n) / 2.0, "groups": rng.integers(0, 6, n)}
    samples = samples_of(codes, **known)
    proba = {
        candidate: rng.dirichlet(np.ones(r), n).round(1 + seed % 3)
        for candidate in CANDIDATES
    }
    costs = rng.integers(0, 9, (r, r)) * (1.0 - np.eye(r))
    ratios = rng.uniform(0.2, 3.0, r) if seed % 3 else np.ones(r)
    return samples, proba, Priced(costs, ratios=ratios)


def sandwich(samples, ratios, among, values):
    """Return a ratio of sums and its sandwich error over independent rows or groups."""
    w = samples.sample_weight_or_ones * ratios[samples.codes] * among
    mean = w @ values / w.sum()
    influence = w * (values - mean) / w.sum()
    if samples.groups is None:
        return mean, np.sqrt(influence @ influence)
    in_group = samples.groups == np.unique(samples.groups)[:, None]
    masses = in_group @ (samples.sample_weight_or_ones * ratios[samples.codes])
    n = masses.sum() ** 2 / (masses**2).sum()  # effective groups (Kish 1965)
    # Intervals of 1.96 errors have the coverage of Student's t.
    wider = student.ppf(0.975, max(n - 1.0, 1.0)) / norm.ppf(0.975)
    return mean, wider * np.linalg.norm(in_group @ influence) * np.sqrt(n / (n - 1.0))


@pytest.mark.checks("Limits, referral and trade-off", "every threshold")
@pytest.mark.parametrize("seed", range(20))
def test_the_trade_off_enumerates_every_threshold(seed):
    samples, proba, costs = draw(seed)
    boundary = 1 + seed % (samples.n_classes - 1)
    above = samples.codes >= boundary
    w = samples.sample_weight_or_ones / samples.sample_weight_or_ones.sum()
    found = trade_off(samples, proba, boundary, costs, np.zeros(len(samples)))
    expected = {}
    for candidate, each in proba.items():
        tail = each[:, boundary:].sum(axis=1)
        if (costs.ratios != 1.0).any():  # the probabilities in use
            weighted = each * costs.ratios
            weighted /= weighted.sum(axis=1, keepdims=True)
            tail = weighted[:, boundary:].sum(axis=1)
        mean = each @ costs.in_use
        low = mean[:, :boundary].argmin(axis=1)
        # Within each side of the boundary, the class of least expected cost.
        high = boundary + mean[:, boundary:].argmin(axis=1)
        for cut in [np.inf, *np.unique(tail)]:
            predicted = np.where(tail >= cut, high, low)
            missed = sandwich(samples, costs.ratios, above, tail < cut)
            alarms = sandwich(samples, costs.ratios, ~above, tail >= cut)
            expected[candidate, cut] = (
                *missed,
                *alarms,
                w @ costs.in_use[samples.codes, predicted],
            )
    assert len(found) == len(expected)
    for row in found.to_dict("records"):
        missed, error, alarms, alarm_error, cost = expected[row["model"], row["cut"]]
        assert row["miss_rate"] == pytest.approx(missed, abs=1e-12)
        assert row["false_alarm_rate"] == pytest.approx(alarms, abs=1e-12)
        assert row["cost"] == pytest.approx(cost, abs=1e-12)
        # The sandwich error, with an added success and failure (Agresti & Coull 1998), and
        # a variance that is half as large again.
        for own, share, known, of in (
            (row["miss_rate_error"], missed, error, above),
            (row["false_alarm_rate_error"], alarms, alarm_error, ~above),
        ):
            # Effective rows: total weight over the largest mean weight of a row of a class.
            masses = samples.sample_weight_or_ones * costs.ratios[samples.codes]
            largest = max(
                (masses[rows] ** 2).sum() / masses[rows].sum()
                for rows in np.equal.outer(np.unique(samples.codes[of]), samples.codes)
            )
            n = masses[of].sum() / largest
            smooth = (share * n + 1.0) / (n + 2.0)
            unseen = smooth * (1.0 - smooth) - share * (1.0 - share)
            variance = 1.5 * max(known**2 + unseen / n, 0.0)
            assert own == pytest.approx(np.sqrt(variance), abs=1e-9)


def test_errors_at_a_threshold_include_the_variation_between_fold_models(rng):
    """With a weak signal, fold models differ in the location and spread of their probabilities."""
    is_covered = []
    n_rows = 400
    cut = 0.3
    boundary = logit(cut)
    folds = np.arange(n_rows) % 5
    new = rng.normal(size=5_000)
    chance = expit(boundary + 0.3 * new)
    for _ in range(100):
        # Log-odds of five fold models and, last, of the model of all rows.
        centre = boundary + rng.normal(0.0, 0.1, 6)
        spread = rng.uniform(0.2, 0.5, 6)
        x = rng.normal(size=n_rows)
        codes = (rng.random(n_rows) < expit(boundary + 0.3 * x)).astype(int)
        high = expit(centre[folds] + spread[folds] * x)
        samples = samples_of(codes)
        proba = {"weak": np.column_stack([1.0 - high, high])}
        predicted = centre[5] + spread[5] * new >= boundary
        alarms = np.average(predicted, weights=1.0 - chance)
        for known in (folds, np.zeros(n_rows)):
            table = trade_off(samples, proba, 1, None, known)
            found = table[table["cut"] >= cut].iloc[-1]
            error = found["false_alarm_rate_error"]
            is_covered.append(abs(found["false_alarm_rate"] - alarms) <= 1.96 * error)
    of_folds, alone = np.reshape(is_covered, (-1, 2)).mean(axis=0)
    assert alone < 0.5
    assert of_folds > 0.75


@pytest.mark.checks("Limits, referral and trade-off", "every number of referred rows")
@pytest.mark.parametrize("seed", range(5))
def test_risk_coverage_match_brute_force(seed):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet([1.0, 1.0, 1.0], 30)
    codes = rng.integers(0, 3, 30)
    proba[5:10] = proba[4]
    samples = samples_of(
        codes,
        weights=rng.integers(1, 4, 30).astype(float),
        groups=rng.integers(0, 8, 30) if seed % 2 else None,
    )
    costs = rng.exponential(size=(3, 4)) * (1.0 - np.eye(3, 4))
    loss = Priced(costs, ratios=rng.uniform(0.3, 2.0, 3))
    curve = risk_coverage(samples, {"one": proba}, loss)
    expected = proba @ loss.in_use
    saved = expected[:, :3].min(axis=1) - expected[:, 3]
    thresholds = [np.inf, *np.unique(saved)[::-1]]
    masses = np.bincount(codes, samples.weights)
    squares = np.bincount(codes, samples.weights**2)
    # One more mistake at the largest cost of each class; a referral is no mistake.
    one_more = loss.in_use[:, :3].max(axis=1) * squares / masses @ (masses * loss.ratios)
    one_more /= masses.sum() * (masses @ loss.ratios)
    for row, threshold in zip(curve.to_dict("records"), thresholds, strict=True):
        is_classified = saved < threshold
        predicted = np.where(is_classified, expected[:, :3].argmin(axis=1), 3)
        incurred = costs[codes, predicted]
        referred, _ = sandwich(samples, loss.ratios, 1.0, ~is_classified)
        assert row["referred"] == pytest.approx(referred)
        mean, error = sandwich(samples, loss.ratios, 1.0, incurred)
        assert row["cost"] == pytest.approx(mean)
        assert row["std_error"] == pytest.approx(np.hypot(error, one_more), abs=1e-9)
        if is_classified.any():
            mean, _ = sandwich(samples, loss.ratios, is_classified, incurred)
            assert row["decided"] == pytest.approx(mean)
        if row["in use"]:
            assert threshold == min(saved[saved > 0.0], default=np.inf)
    assert curve["in use"].sum() == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_the_price_of_a_limit_is_minimal_over_the_grid(seed):
    samples, proba, costs = draw(seed)
    top = samples.n_classes - 1
    expression = f"{top}<{top}" if seed % 3 else f"predicted {top}"
    limit = read_limit(expression, 0.5, samples.classes, costs.ratios)
    fixed_predictions = {
        "c": np.random.default_rng(seed).integers(0, top + 1, len(samples))
    }
    found = price(samples, proba, fixed_predictions, limit, costs.in_use)
    w = samples.sample_weight_or_ones / samples.sample_weight_or_ones.sum()
    # Rules that minimise the costs plus a price of the mistake, over the grid of prices.
    rules = [fixed_predictions["c"]]
    unit = costs.in_use.mean()
    for each in proba.values():
        mean = each @ costs.in_use
        mistakes = each @ (limit.mistakes * costs.ratios[:, None])
        rules += [(mean + unit * at * mistakes).argmin(axis=1) for at in PRICES]
    assert (np.diff(found["cost"]) > 0.0).all()
    assert (np.diff(found["limit"]) < 0.0).all()
    for codes in rules:
        reached = limit.reached(samples, codes)
        margin = margin_of(limit.confidence) * reached.std_error
        meets = found["limit"] <= reached.share + margin + 1e-12
        mean_cost = w @ costs.in_use[samples.codes, codes]
        assert found.loc[meets, "cost"].min() <= mean_cost + 1e-12
