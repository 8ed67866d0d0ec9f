"""What a limit costs: the least cost on new data under each limit of a mistake."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.decision.differences import least_so_far
from moselect.decision.limits import SURE, Limit
from moselect.samples import Samples

DECIMALS = 13  # of sums of many changes, which end where they began


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
    parts = [
        _points(
            samples, kind, codes, limit, costs, np.empty(0), *[np.empty(0, np.int64)] * 3
        )
        for kind, codes in decided.items()
    ]
    for kind, proba in probabilities.items():
        start, events = _priced(proba @ costs, proba @ limit.mistakes)
        parts.append(_points(samples, kind, start, limit, costs, *events))
    table = pd.concat(parts, ignore_index=True)
    order = np.lexsort([table["cost"], table["limit"]])
    least = least_so_far(table["cost"].to_numpy()[order])
    return table.iloc[order[least][::-1]].reset_index(drop=True)


def _priced(
    expected: Floats, mistakes: Floats
) -> tuple[Integers, tuple[Floats, Integers, Integers, Integers]]:
    """Return the cheapest classes (n,), and the changes as the price of mistakes grows.

    Of each change the price, the sample, and the class before and after: the expected
    cost of each class, ``expected`` (n, r), is a line in the price with the slope
    ``mistakes`` (n, r), and the lower envelope of r lines has at most r - 1 corners.
    """
    rows = np.arange(len(expected))
    start = now = expected.argmin(axis=1)
    at, found = np.zeros(len(rows)), []
    for _ in range(expected.shape[1] - 1):
        cost, slope = (part[rows, now][:, None] for part in (expected, mistakes))
        flatter = mistakes < slope
        with np.errstate(invalid="ignore", divide="ignore"):
            crossing = np.where(flatter, (expected - cost) / (slope - mistakes), np.inf)
        # Of classes that cross at once the flattest lies lowest behind.
        first = crossing.min(axis=1)
        after = np.where(crossing == first[:, None], mistakes, np.inf).argmin(axis=1)
        changed = np.isfinite(first)
        at = np.maximum(at, first)
        found.append((at[changed], rows[changed], now[changed], after[changed]))
        now = np.where(changed, after, now)
    prices, samples, before, after = map(np.concatenate, zip(*found, strict=True))
    return start, (prices, samples, before, after)


def _points(
    samples: Samples,
    kind: str,
    start: Integers,
    limit: Limit,
    costs: Floats,
    prices: Floats,
    rows: Integers,
    before: Integers,
    after: Integers,
) -> pd.DataFrame:
    """Return cost and share of mistakes of all decisions from the start to the last change."""
    order = np.argsort(prices, kind="stable")
    ends = (
        np.flatnonzero(np.append(np.diff(prices[order]) != 0.0, True)[: len(order)]) + 1
    )
    codes, weights = samples.codes, samples.each_weight
    among = limit.among[codes]

    def path(table: Floats, of: Floats) -> Floats:
        """Return means of what a table (r, r) says of true and called classes."""
        change = of[rows] * (table[codes[rows], after] - table[codes[rows], before])
        means = of @ table[codes, start] + np.append(0.0, np.cumsum(change[order]))
        return np.asarray(means[np.append(0, ends)].round(DECIMALS))

    share = path(
        limit.mistakes.astype(np.float64), weights * among / (weights @ among or 1.0)
    )
    n = max(samples.effective_size(among), 1.0)
    smooth = (share * n + 1.0) / (n + 2.0)  # as `Limit.reached`
    error = np.sqrt(smooth * (1.0 - smooth) / n)
    return pd.DataFrame(
        {
            "limit": share + SURE * error,
            "cost": path(costs, weights / weights.sum()),
            "kind": kind,
            "share": share,
            "standard error": error,
        }
    )
