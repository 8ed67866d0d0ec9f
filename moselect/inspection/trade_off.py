"""Trade-offs: miss rate and false alarm rate, cost and limits, cost and referral."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats, Integers
from moselect.costs.decisions import costs_at, expected_costs, least_expected_cost
from moselect.costs.limits import Limit, margin_of
from moselect.costs.priced import Priced
from moselect.inference.standard_errors import (
    effective_size,
    sandwich,
    share_errors,
    variance_of_models,
)
from moselect.predictor.score_calibration import posterior_of
from moselect.samples.samples import Samples

# Grid of Lagrange multipliers of a limit, in units of the mean cost: 0 and 60 values with a ratio
# of 1.18, from negligible to dominant for rare mistakes. With 30 values the cost under a limit is
# up to 15 % above the one that `select` finds in a table of 120 rows, with 60 up to 4 %.
PRICES = np.append(0.0, 2.0 ** np.linspace(-4.0, 10.0, 60))


def trade_off(
    samples: Samples,
    probabilities: Mapping[str, Floats],
    boundary: int,
    costs: Priced | None,
    folds: Integers,
) -> pd.DataFrame:
    """Compute the operating points of each candidate at the boundary below a class, 1 .. r - 1.

    Every threshold on the probability of the class or above is one; see
    `Evidence.trade_off`. ``folds`` (n,) are the folds of the out-of-fold probabilities.
    """
    above = np.arange(samples.n_classes) >= boundary
    in_use = samples if costs is None else samples.in_use(costs.ratios)
    weights = samples.sample_weight_or_ones / samples.sample_weight_or_ones.sum()
    parts = []
    for candidate, proba in probabilities.items():
        if costs is not None and costs.has_priors:
            tail = posterior_of(proba, costs.ratios)[:, boundary:].sum(axis=1)
        else:
            tail = proba[:, boundary:].sum(axis=1)
        order = np.argsort(-tail, kind="stable")
        # Samples of equal probability are on the same side of a threshold.
        called = _ends_of_equal(tail[order])
        missed, missed_error = _shares(in_use, above, order[::-1], folds)
        alarms, alarms_error = _shares(in_use, ~above, order, folds)
        part = {
            "model": candidate,
            "cut": np.append(np.inf, tail[order][called[1:] - 1]),
            "miss_rate": missed[::-1][called],
            "miss_rate_error": missed_error[::-1][called],
            "false_alarm_rate": alarms[called],
            "false_alarm_rate_error": alarms_error[called],
        }
        if costs is not None:
            cells = costs.of(samples).cells[..., : samples.n_classes]
            expected = expected_costs(proba, cells)
            # On each side of the boundary the class of least expected cost is predicted.
            low = expected[:, :boundary].argmin(axis=1)
            high = boundary + expected[:, boundary:].argmin(axis=1)
            low_costs, high_costs = (
                weights * costs_at(cells, samples.codes, codes) for codes in (low, high)
            )
            cost, _ = _paths(samples, weights, low_costs, high_costs, order)
            part["cost"] = cost[called]
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def _shares(
    samples: Samples, among: Booleans, order: Integers, folds: Integers
) -> tuple[Floats, Floats]:
    """Compute cumulative shares (n + 1,) of some classes (r,) along an order, and errors.

    The variance is of independent rows or groups, with one added success and failure, and
    between the models of the ``folds`` (n,) at a threshold. The former is half as large again,
    as scorecards have few levels, on which the threshold of the deployed model may differ.
    """
    weights = among[samples.codes] * samples.sample_weight_or_ones
    weights /= weights.sum() or 1.0
    share, variance = _paths(samples, weights, np.zeros_like(weights), weights, order)
    errors = share_errors(share, variance, effective_size(samples, among))
    parts = weights * (folds == np.unique(folds[weights > 0.0])[:, None])
    of_folds = np.cumsum(parts[:, order], axis=1) / parts.sum(axis=1, keepdims=True)
    of_folds = np.insert(of_folds, 0, 0.0, axis=1)
    models = variance_of_models(of_folds, variance)
    return share, np.sqrt(1.5 * errors**2 + models)


def _paths(
    samples: Samples, weights: Floats, first: Floats, last: Floats, order: Integers
) -> tuple[Floats, Floats]:
    """Compute weighted means (n + 1,) and variances as samples switch values in an order.

    Each sample contributes ``first`` (n,) to the mean until its turn in the ``order``,
    then ``last`` (n,); ``weights`` (n,) have sum 1. The variance is the sandwich estimate
    over independent clusters u, sum (S_u - mean W_u)^2, with the squares and products of
    the sums S_u updated one sample at a time.
    """
    units = samples.units
    masses = np.bincount(units, weights)
    sums = np.bincount(units, first)
    changes = (last - first)[order]
    units = units[order]
    after = sums[units] + pd.Series(changes).groupby(units).cumsum().to_numpy()
    means, squares, products = (
        np.cumsum(np.append(start, steps))
        for start, steps in (
            (sums.sum(), changes),
            (sums @ sums, changes * (2.0 * after - changes)),
            (sums @ masses, changes * masses[units]),
        )
    )
    variance = squares - 2.0 * means * products + means**2 * (masses @ masses)
    return means, sandwich(samples, np.maximum(variance, 0.0))


def price(
    samples: Samples,
    probabilities: Mapping[str, Floats],
    predicted: Mapping[str, Integers],
    limit: Limit,
    costs: Floats,
) -> pd.DataFrame:
    """Find the decision rules of least cost under each limit; see `Evidence.price`.

    Candidates predict the class of least expected cost, with each of `PRICES` added to
    the cost of the limited mistake, or the codes (n,) that are ``predicted``.
    """
    unit = costs.mean() or 1.0
    mistakes = limit.frequencies(costs.shape[-1])
    weights = samples.sample_weight_or_ones / samples.sample_weight_or_ones.sum()
    decisions = [*predicted.items()] + [
        (candidate, least_expected_cost(proba, costs + unit * price * mistakes))
        for candidate, proba in probabilities.items()
        for price in PRICES
    ]
    rows = []
    in_use = limit.part_of(samples)
    margin = margin_of(limit.confidence)
    for candidate, codes in decisions:
        share, error, _ = limit.rate(in_use, codes)
        cost = weights @ costs_at(costs, samples.codes, codes)
        rows.append((share + margin * error, cost, candidate, share, error))
    columns = ["limit", "cost", "model", "share", "std_error"]
    table = pd.DataFrame(rows, columns=columns).sort_values(["limit", "cost"])
    # Rules that cost less than each of a stricter limit.
    is_least = table["cost"] < table["cost"].cummin().shift(fill_value=np.inf)
    return table[is_least][::-1].reset_index(drop=True)


def risk_coverage(
    samples: Samples, probabilities: Mapping[str, Floats], costs: Priced
) -> pd.DataFrame:
    """Compute the risk-coverage curve of each candidate; see `Evidence.referral`."""
    r = samples.n_classes
    costs = costs.of(samples)
    one_more = costs.max_cost(samples)
    samples = samples.in_use(costs.ratios)
    weights = samples.sample_weight_or_ones / samples.sample_weight_or_ones.sum()
    parts = []
    for candidate, proba in probabilities.items():
        expected = expected_costs(proba, costs.cells)
        classes = expected[:, :r].argmin(axis=1)
        saved = expected[:, :r].min(axis=1) - expected[:, r]
        order = np.argsort(-saved, kind="stable")
        # Numbers of referred rows; rows with the same expected saving are referred together.
        ends = _ends_of_equal(saved[order])
        referred, classified = (
            weights * costs_at(costs.given, samples.codes, codes)
            for codes in (r, classes)
        )
        cost, variance = _paths(samples, weights, classified, referred, order)
        # A model that refers all of some rows may decide others; a constant one does not.
        error = np.hypot(np.sqrt(variance), one_more if len(ends) > 2 else 0.0)
        share, saved_cost = (
            np.append(0.0, np.cumsum(values[order]))[ends]
            for values in (weights, classified)
        )
        classified_cost = classified.sum() - saved_cost
        with np.errstate(invalid="ignore", divide="ignore"):
            risk = np.where(share < 1.0 - 1e-12, classified_cost / (1.0 - share), np.nan)
        part = {
            "model": candidate,
            "referred": share,
            "cost": cost[ends],
            "std_error": error[ends],
            "decided": risk,
            # Exactly the rows with a positive expected saving are referred.
            "in use": np.arange(len(ends))
            == np.searchsorted(ends, np.count_nonzero(saved > 0.0)),
        }
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def _ends_of_equal(ordered: Floats) -> Integers:
    """Return the end positions of runs of equal values (n,), with 0 and n."""
    changes = np.flatnonzero(np.diff(ordered)) + 1
    return np.unique(np.concatenate([[0], changes, [len(ordered)]]))
