"""Sequential verdicts, and rows that are counted once."""

import numpy as np
import pytest
from scipy.stats import norm

from moselect.inference.standard_errors import standard_errors, student_ratio
from moselect.monitoring.reference import MeanCost
from moselect.monitoring.sequential import (
    LEVEL_OF_ALL,
    margin_of,
    radius,
    verdict_of,
)
from moselect.predictor.reference import Reference

COSTS = np.array([0.0, 1.0, 2.0, 5.0])
SHARES = np.array([0.6, 0.25, 0.1, 0.05])
LOOKS = 24
MONTH = 120
REFERENCE = 600


def mean_of(costs):
    n = len(costs)
    return MeanCost(n, n, costs.mean(), costs.std(ddof=1) / n**0.5, COSTS[-1] / n)


def reference_of(cost, error, n=REFERENCE, clusters=REFERENCE):
    return Reference(None, cost, error, [], [], [], n, clusters, [], [])


def first_alarm(rng, shares, change=0):
    """Return the first look at which the verdict is an increase of costs, or `LOOKS`.

    From the look ``change`` on, costs are drawn with ``shares``.
    """
    reported = mean_of(rng.choice(COSTS, REFERENCE, p=SHARES))
    reference = reference_of(reported.cost, reported.error)
    months = [
        mean_of(rng.choice(COSTS, MONTH, p=shares if look >= change else SHARES))
        for look in range(LOOKS)
    ]
    for look in range(LOOKS):
        if verdict_of(reference, months[: look + 1])[0] is False:
            return look
    return LOOKS


@pytest.mark.checks(
    "Monitoring",
    "repeated checks of unchanged rows and of doubled costs",
)
@pytest.mark.slow
def test_false_alarms_over_many_looks_are_rare_and_doubled_costs_are_found(rng):
    unchanged = [first_alarm(rng, SHARES) for _ in range(200)]
    # The error rate holds over all looks together, not for each look.
    assert np.mean(np.array(unchanged) < LOOKS) <= 0.05
    # Every positive cost becomes twice as likely.
    doubled = SHARES * [0.0, 2.0, 2.0, 2.0]
    doubled[0] = 1.0 - doubled.sum()
    for change in (0, 12):
        found = np.array([first_alarm(rng, doubled, change) for _ in range(30)])
        assert np.mean(found < change + 6) >= 0.9


@pytest.mark.parametrize(("share", "increase"), [(0.25, 8.3), (1.0, 4.8)])
def test_increases_are_found_as_often_as_stated(share, increase):
    """Verify a power of 80 % for increases in units of the standard error of the reference."""
    n = round(share * REFERENCE)
    mean = MeanCost(n, n, 0.0, share**-0.5, 0.0)
    margin = margin_of(reference_of(0.0, 1.0), mean, LEVEL_OF_ALL)
    # The difference of both means is normal with the sum of their variances.
    excess = norm(increase, np.hypot(1.0, mean.std_error))
    assert excess.sf(margin) == pytest.approx(0.8, abs=0.02)


def test_the_boundary_is_crossed_at_its_nominal_level(rng):
    # Costs of known variance: crossings of the boundary by random walks, over all looks.
    level = 0.2
    looks = 400
    reference = rng.normal(size=(4_000, 1))
    steps = 3.0 * rng.normal(size=(4_000, looks))
    excess = np.cumsum(steps, axis=1) / np.arange(1, looks + 1) - reference
    variances = 1.0 + 9.0 / np.arange(1, looks + 1)
    crossed = (excess > radius(variances, 1.0, level)).any(axis=1)
    assert 0.5 * level < crossed.mean() <= level + 0.01


def test_costs_of_much_larger_variance_are_found_at_once(rng):
    costs = np.array([0.0, 1.0, 10.0])
    found = []
    for _ in range(40):
        baseline = mean_of(rng.choice(costs, REFERENCE, p=[0.75, 0.245, 0.005]))
        later = mean_of(rng.choice(costs, 200, p=[0.6, 0.25, 0.15]))
        reference = reference_of(baseline.cost, baseline.error)
        found.append(verdict_of(reference, [later])[0] is False)
    assert np.mean(found) >= 0.9


def test_doubled_costs_of_rows_without_groups_are_found_after_a_selection_with_groups(
    rng,
):
    found = []
    for _ in range(80):
        # Mistakes have a normal effect of their group: 10 groups of 20 rows at selection,
        # and later a group for each row.
        then, now = (
            (rng.random(200) < norm.cdf(0.5 * effects + 1.0))
            * rng.choice(COSTS, 200, p=SHARES)
            for effects in (np.repeat(rng.normal(size=10), 20), rng.normal(size=200))
        )
        error = standard_errors(then.reshape(10, 20).mean(axis=1))
        error = np.hypot(student_ratio(10, 0.975) * error, COSTS[-1] / 200)
        reference = reference_of(then.mean(), error, 200, 10)
        means = [mean_of(now), mean_of(2.0 * now)]
        found.append([verdict_of(reference, [mean])[0] is False for mean in means])
    unchanged, doubled = np.mean(found, axis=0)
    assert unchanged <= 0.05
    assert doubled >= 0.4
