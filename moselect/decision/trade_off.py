"""What is traded on new data: misses for false alarms, costs for limits or people."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats, Integers
from moselect.decision.costs import ResolvedCosts
from moselect.decision.differences import least_so_far
from moselect.decision.limits import SURE, Limit
from moselect.decision.standard_errors import (
    effective_size,
    sandwich,
    smooth_variance,
    variance_of_models,
)
from moselect.metrics.probability import least_expected_cost
from moselect.samples import Samples

# Prices of a mistake, in units of the mean cost, from which the least cost under a limit is taken:
# 0, and 60 of the ratio 1.18, from a mistake that hardly counts to a rare one that rules. With 30 a
# limit costs up to 15 % more than `select` finds in a table of 120 rows, with 60 up to 4 %.
PRICES = np.append(0.0, 2.0 ** np.linspace(-4.0, 10.0, 60))


def trade_off(
    samples: Samples,
    probabilities: Mapping[str, Floats],
    border: int,
    costs: ResolvedCosts | None,
    folds: Integers,
) -> pd.DataFrame:
    """Return the operating points of each kind at the border below a class, 1 .. r - 1.

    Every cut of the probability of that class or above is one; see `Evidence.trade_off`.
    ``folds`` (n,) are those whose models gave the probabilities.
    """
    above = np.arange(samples.n_classes) >= border
    in_use = samples if costs is None else samples.in_use(costs.ratios)
    parts = []
    for kind, proba in probabilities.items():
        tail = proba[:, border:].sum(axis=1)
        order = np.argsort(-tail, kind="stable")
        # As many samples are called high as have a probability of at least the cut.
        called = _ends_of_equal(tail[order])
        cuts = np.append(np.inf, tail[order][called[1:] - 1])
        part = pd.DataFrame({"kind": kind, "cut": cuts})
        missed, error = _shares(in_use, above, order[::-1], folds)
        part["missed"], part["missed error"] = missed[::-1][called], error[::-1][called]
        alarms, error = _shares(in_use, ~above, order, folds)
        part["false_alarms"], part["false_alarms error"] = alarms[called], error[called]
        if costs is not None:
            part["cost"] = _costs(samples, proba, border, costs.of_classes, order)[called]
            part["cheapest"] = part.index == part["cost"].idxmin()
        parts.append(part)
    table = pd.concat(parts, ignore_index=True)
    order = np.lexsort([table["missed"], table["false_alarms"]])
    # What is first among those of as many false alarms or fewer in what is missed.
    table["best"] = False
    table.loc[order, "best"] = least_so_far(table["missed"].to_numpy()[order])
    return table


def _shares(
    samples: Samples, among: Booleans, order: Integers, folds: Integers
) -> tuple[Floats, Floats]:
    """Return the shares (n + 1,) of some classes (r,) among the first of all, and errors.

    The variance is that of independent rows or groups, of half a row more of each kind
    beside it (none among few samples is no certainty), and of the models of the folds
    (n,), which differ at a cut. By simulation of weak and strong signals 1.96 errors
    hold on .90 (ensembles) to .97 of new draws.
    """
    weights = np.where(among[samples.codes], samples.each_weight, 0.0)
    weights /= float(weights.sum()) or 1.0
    share, variance = _paths(samples, weights, np.zeros(len(weights)), weights, order)
    n = effective_size(samples, among)
    unseen = smooth_variance(share, n) / (n + 2.0) / 2.0
    parts = weights * (folds == np.unique(folds[weights > 0.0])[:, None])
    of_folds = np.cumsum(parts[:, order], axis=1) / parts.sum(axis=1, keepdims=True)
    of_folds = np.insert(of_folds, 0, 0.0, axis=1)
    return share, np.sqrt(variance + unseen + variance_of_models(of_folds, variance))


def _paths(
    samples: Samples, weights: Floats, first: Floats, last: Floats, order: Integers
) -> tuple[Floats, Floats]:
    """Return weighted means (n + 1,) and variances as samples turn one after the other.

    Each sample contributes ``first`` (n,) to the mean until its turn in the ``order``,
    then ``last`` (n,); ``weights`` (n,) are those of the mean, of sum 1. The variance is
    the sandwich over independent units u, sum (S_u - mean W_u)^2, in which the squares
    and products of the sums S_u change by one sample at a time.
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


def _costs(
    samples: Samples, proba: Floats, border: int, costs: Floats, order: Integers
) -> Floats:
    """Return the mean costs (n + 1,) if the first are called high, the others low.

    On each side the class of least expected cost is called.
    """
    expected = proba @ costs
    low = expected[:, :border].argmin(axis=1)
    high = border + expected[:, border:].argmin(axis=1)
    weights = samples.each_weight / samples.each_weight.sum()
    paid_low, paid_high = (weights * costs[samples.codes, codes] for codes in (low, high))
    return np.cumsum(np.append(paid_low.sum(), (paid_high - paid_low)[order]))


def price(
    samples: Samples,
    probabilities: Mapping[str, Floats],
    decided: Mapping[str, Integers],
    limit: Limit,
    costs: Floats,
) -> pd.DataFrame:
    """Return the decisions that cost least under each limit; see `Evidence.price`.

    Kinds decide for the class of least expected cost, with each of `PRICES` on the
    mistakes that are limited, or as they have ``decided``, class codes (n,).
    """
    unit = float(costs.mean()) or 1.0
    mistakes = limit.frequencies(costs.shape[1])
    weights = samples.each_weight / samples.each_weight.sum()
    decisions = [*decided.items()] + [
        (kind, least_expected_cost(proba, costs + unit * price * mistakes))
        for kind, proba in probabilities.items()
        for price in PRICES
    ]
    rows = []
    for kind, codes in decisions:
        _, _, share, error = limit.reached(samples, codes)
        cost = float(weights @ costs[samples.codes, codes])
        rows.append((share + SURE * error, cost, kind, share, error))
    columns = ["limit", "cost", "kind", "share", "standard error"]
    table = pd.DataFrame(rows, columns=columns)
    order = np.lexsort([table["cost"], table["limit"]])
    least = least_so_far(table["cost"].to_numpy()[order])
    return table.iloc[order[least][::-1]].reset_index(drop=True)


def referral_curves(
    samples: Samples, probabilities: Mapping[str, Floats], costs: ResolvedCosts
) -> pd.DataFrame:
    """Return the curve of each kind by costs with a referral; see `Evidence.referral`."""
    curves = (
        _curve(samples, kind, proba, costs) for kind, proba in probabilities.items()
    )
    return pd.concat(curves, ignore_index=True)


def _curve(
    samples: Samples, kind: str, proba: Floats, costs: ResolvedCosts
) -> pd.DataFrame:
    r, expected = samples.n_classes, proba @ costs.in_use
    samples = samples.in_use(costs.ratios)
    weights = samples.each_weight / samples.each_weight.sum()
    classes = expected[:, :r].argmin(axis=1)
    saved = expected[:, :r].min(axis=1) - expected[:, r]
    order = np.argsort(-saved, kind="stable")
    # After so many rows of the order, those that are expected to save the same together.
    ends = _ends_of_equal(saved[order])
    left, decided = (
        weights * costs.matrix[samples.codes, codes] for codes in (r, classes)
    )
    cost, variance = _paths(samples, weights, decided, left, order)
    share, saved_cost = (
        np.append(0.0, np.cumsum(values[order]))[ends] for values in (weights, decided)
    )
    decided_cost = decided.sum() - saved_cost
    with np.errstate(invalid="ignore", divide="ignore"):
        risk = np.where(share < 1.0 - 1e-12, decided_cost / (1.0 - share), np.nan)
    table = pd.DataFrame(
        {
            "kind": kind,
            "referred": share,
            "cost": cost[ends],
            "standard error": np.sqrt(variance[ends]),
            "decided": risk,
        }
    )
    table["in use"] = table.index == np.searchsorted(ends, np.count_nonzero(saved > 0.0))
    return table


def _ends_of_equal(ordered: Floats) -> Integers:
    """Return 0, n, and after how many of values (n,) in their order another one comes."""
    changes = np.flatnonzero(np.diff(ordered)) + 1
    return np.unique(np.concatenate([[0], changes, [len(ordered)]]))
