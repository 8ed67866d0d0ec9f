"""What is traded on new data: misses for false alarms, costs for limits or people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats, Integers
from moselect.decision.differences import least_so_far
from moselect.decision.limits import SURE, Limit, proportion_error
from moselect.samples import Samples

DECIMALS = 13  # of sums of many changes, which end where they began


def trade_off(
    samples: Samples,
    probabilities: Mapping[str, Floats],
    border: int,
    costs: Floats | None,
) -> pd.DataFrame:
    """Return the operating points of each kind at the border below a class, 1 .. r - 1.

    Every cut of the probability of that class or above is one; see `Evidence.trade_off`.
    """
    above = samples.codes >= border
    parts = []
    for kind, proba in probabilities.items():
        tail = proba[:, border:].sum(axis=1)
        order = np.argsort(-tail, kind="stable")
        # As many samples are called high as have a probability of at least the cut.
        called = _ends_of_equal(tail[order])
        cuts = np.append(np.inf, tail[order][called[1:] - 1])
        part = pd.DataFrame({"kind": kind, "cut": cuts})
        missed, error = _shares(samples, above, order[::-1])
        part["missed"], part["missed error"] = missed[::-1][called], error[::-1][called]
        alarms, error = _shares(samples, ~above, order)
        part["false_alarms"], part["false_alarms error"] = alarms[called], error[called]
        if costs is not None:
            part["cost"] = _costs(samples, proba, border, costs, order)[called]
            part["cheapest"] = part.index == part["cost"].idxmin()
        parts.append(part)
    table = pd.concat(parts, ignore_index=True)
    order = np.lexsort([table["missed"], table["false_alarms"]])
    # What is first among those of as many false alarms or fewer in what is missed.
    table["best"] = False
    table.loc[order, "best"] = least_so_far(table["missed"].to_numpy()[order])
    return table


def _shares(samples: Samples, among: Booleans, order: Integers) -> tuple[Floats, Floats]:
    """Return the shares (n + 1,) of some samples among the first of all, and errors.

    A share is a ratio of sums over independent units: its error is the sandwich, in which
    the sums of squares over units change by one sample at a time, as if one more of each
    had been seen.
    """
    weights = np.where(among, samples.each_weight, 0.0)[order]
    units = np.arange(len(order)) if samples.groups is None else samples.groups[order]
    unit_weights = np.bincount(units, weights)
    sums = pd.Series(weights).groupby(units).cumsum().to_numpy()  # of the unit, so far
    total, n = weights.sum(), samples.effective_size(among)
    share, squares, products = (
        np.append(0.0, np.cumsum(part))
        for part in (
            weights / total,
            weights * (2.0 * sums - weights),
            weights * unit_weights[units],
        )
    )
    variance = squares - 2.0 * share * products + share**2 * (unit_weights @ unit_weights)
    smooth = (share * n + 1.0) / (n + 2.0)
    unseen = 1.0 / (n + 2.0) * (1.0 - smooth)  # none among few samples is no certainty
    return share, np.sqrt(np.maximum(variance, 0.0) / total**2 + unseen * smooth)


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
    return np.asarray(
        paid_low.sum() + np.append(0.0, np.cumsum((paid_high - paid_low)[order]))
    )


def price(
    samples: Samples,
    probabilities: Mapping[str, Floats],
    decided: Mapping[str, Integers],
    limit: Limit,
    costs: Floats,
) -> pd.DataFrame:
    """Return the decisions that cost least under each limit; see `Evidence.price`.

    Kinds decide for the class of least expected cost, with any price on the mistakes that
    are limited, or as they have ``decided``, class codes (n,).
    """
    limit = replace(limit, mistakes=limit.of_answers(costs.shape[1]))
    never, none = np.empty(0), np.empty(0, np.int64)
    paths = [(kind, codes, never, none, none, none) for kind, codes in decided.items()]
    paths += [
        (kind, *_priced(proba @ costs, proba @ limit.mistakes))
        for kind, proba in probabilities.items()
    ]
    parts = [_points(samples, limit, costs, *path) for path in paths]
    table = pd.concat(parts, ignore_index=True)
    order = np.lexsort([table["cost"], table["limit"]])
    least = least_so_far(table["cost"].to_numpy()[order])
    return table.iloc[order[least][::-1]].reset_index(drop=True)


def _priced(
    expected: Floats, mistakes: Floats
) -> tuple[Integers, Floats, Integers, Integers, Integers]:
    """Return the cheapest classes (n,), and the changes as the price of mistakes grows.

    Of each change the price, the sample, and the class before and after: the expected
    cost of each class, ``expected`` (n, r), is a line in the price with the slope
    ``mistakes`` (n, r), and the lower envelope of r lines has at most r - 1 corners.
    """
    rows = np.arange(len(expected))
    start = now = expected.argmin(axis=1)
    price_now, changes = np.zeros(len(rows)), []
    for _ in range(expected.shape[1] - 1):
        cost, slope = (part[rows, now][:, None] for part in (expected, mistakes))
        flatter = mistakes < slope
        with np.errstate(invalid="ignore", divide="ignore"):
            crossing = np.where(flatter, (expected - cost) / (slope - mistakes), np.inf)
        # Of classes that cross at once the flattest lies lowest behind.
        first = crossing.min(axis=1)
        after = np.where(crossing == first[:, None], mistakes, np.inf).argmin(axis=1)
        changed = np.isfinite(first)
        price_now = np.maximum(price_now, first)
        changes.append((price_now[changed], rows[changed], now[changed], after[changed]))
        now = np.where(changed, after, now)
    prices, samples, before, after = map(np.concatenate, zip(*changes, strict=True))
    return start, prices, samples, before, after


def _points(
    samples: Samples,
    limit: Limit,
    costs: Floats,
    kind: str,
    start: Integers,
    prices: Floats,
    rows: Integers,
    before: Integers,
    after: Integers,
) -> pd.DataFrame:
    """Return cost and share of mistakes of all decisions, from the start on."""
    order = np.argsort(prices, kind="stable")
    ends = _ends_of_equal(prices[order])
    codes, weights = samples.codes, samples.each_weight
    among = limit.among[codes]

    def path(table: Floats, shares: Floats) -> Floats:
        """Return means of what a table (r, r) says of true and called classes."""
        change = shares[rows] * (table[codes[rows], after] - table[codes[rows], before])
        means = shares @ table[codes, start] + np.append(0.0, np.cumsum(change[order]))
        return np.asarray(means[ends].round(DECIMALS))

    share = path(
        limit.mistakes.astype(np.float64), weights * among / (weights @ among or 1.0)
    )
    error = proportion_error(share, samples.effective_size(among))
    return pd.DataFrame(
        {
            "limit": share + SURE * error,
            "cost": path(costs, weights / weights.sum()),
            "kind": kind,
            "share": share,
            "standard error": error,
        }
    )


def referral_curves(
    samples: Samples, probabilities: Mapping[str, Floats], costs: Floats
) -> pd.DataFrame:
    """Return the curve of each kind by costs (r, r + 1); see `Evidence.referral`."""
    return pd.concat(
        [_curve(samples, kind, proba, costs) for kind, proba in probabilities.items()],
        ignore_index=True,
    )


def _curve(samples: Samples, kind: str, proba: Floats, costs: Floats) -> pd.DataFrame:
    r, weights = samples.n_classes, samples.each_weight / samples.each_weight.sum()
    expected = proba @ costs
    classes = expected[:, :r].argmin(axis=1)
    saved = expected[:, :r].min(axis=1) - expected[:, r]
    order = np.argsort(-saved, kind="stable")
    # After so many rows of the order, those that are expected to save the same together.
    ends = _ends_of_equal(saved[order])
    left, decided = (weights * costs[samples.codes, codes] for codes in (r, classes))

    def so_far(values: Floats) -> Floats:
        return np.append(0.0, np.cumsum(values[order]))[ends]

    def summed(first: Floats, rest: Floats) -> Floats:
        """Return sums of what rows have that are left, and what the rest has."""
        return so_far(first) + rest.sum() - so_far(rest)

    share, decided_cost = so_far(weights), decided.sum() - so_far(decided)
    cost = decided_cost + so_far(left)
    # Of what is paid for each row as it is answered at this point.
    squares = summed(left**2, decided**2)
    products = summed(weights * left, weights * decided)
    spread = squares - 2.0 * cost * products + cost**2 * (weights**2).sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        risk = np.where(share < 1.0 - 1e-12, decided_cost / (1.0 - share), np.nan)
    table = pd.DataFrame(
        {
            "kind": kind,
            "referred": share,
            "cost": cost,
            "standard error": np.sqrt(np.maximum(spread, 0.0)),
            "decided": risk,
        }
    )
    table["in use"] = table.index == np.searchsorted(ends, np.count_nonzero(saved > 0.0))
    return table


def _ends_of_equal(ordered: Floats) -> Integers:
    """Return 0, n, and after how many of values (n,) in their order another one comes."""
    changes = np.flatnonzero(np.diff(ordered)) + 1
    return np.unique(np.concatenate([[0], changes, [len(ordered)]]))
