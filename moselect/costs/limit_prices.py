"""Prices of limited mistakes: the increase of their costs at which limits hold."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby

import numpy as np

from moselect._types import Floats
from moselect.costs.decisions import expected_costs
from moselect.costs.limits import Limit, least_limit, split_limit
from moselect.listing import listing
from moselect.samples.samples import Samples

# Lagrange multiplier of a limit, in units of the mean cost, beyond which decisions are
# constant
LARGEST_PRICE = 2.0**24


def check_rows(limits: Sequence[Limit], samples: Samples) -> None:
    """Raise ValueError if the rows are too few to show a limit, in each of its groups."""
    lowest = np.zeros(len(samples), dtype=np.int64)
    for (mistake, column), each in groupby(
        limits, key=lambda limit: split_limit(limit.words)[:2]
    ):
        of_groups = list(each)
        shown = [limit.reached(samples, lowest).too_few for limit in of_groups]
        if None in shown:
            continue
        (size, needed), limit = max(filter(None, shown)), of_groups[0]
        rows = f"{size:.3g} rows of class {listing(samples.classes[limit.among])}"
        least = math.ceil(1_000.0 * least_limit(max(size, 1.0))) / 10.0
        remedy = f"give a limit of at least {least:g} %" if least < 100.0 else "add rows"
        if column:
            rows += f", the most in a group of {column!r},"
            remedy += ", or merge groups"
        raise ValueError(
            f"the limit {mistake!r}: {rows} cannot show {100.0 * limit.most:.3g} %: {needed} are "
            f"needed; {remedy}"
        )


# Coordinate-wise passes over all limits, and bisections of the price of one.
PRICE_ROUNDS = 5


def limit_prices(
    limits: Sequence[Limit], costs: Floats, samples: Samples, probabilities: Floats
) -> Floats:
    """Find the least prices (k,) of the limited mistakes at which all limits hold.

    A limit holds with its margin. If it does at no price, as too few rows show none, the
    price is the least at which the rate itself is below the limit, or else 0. A price is
    paid by the rows of the limit's group alone. ``costs`` are (r, a), or (n, r, a) of each
    sample.
    """
    unit = float(costs.mean()) or 1.0
    prices = np.zeros(len(limits))
    expected = expected_costs(probabilities, costs)
    # Expected cost (n, a) of each decision, by the price of a limited mistake.
    increases = [
        limit.rows_of(samples)[:, None]
        * (probabilities @ limit.frequencies(costs.shape[-1]))
        for limit in limits
    ]

    def holds(index: int, by_rate: bool, price: float) -> bool:
        tried = expected + (price - prices[index]) * increases[index]
        found = limits[index].reached(samples, tried.argmin(axis=1))
        return found.share <= found.most if by_rate else found.met

    for _ in range(PRICE_ROUNDS):
        before = prices.copy()
        for index, increase in enumerate(increases):
            tried = (
                least_price(partial(holds, index, by_rate), float(prices[index]), unit)
                for by_rate in (False, True)
            )
            price = next((found for found in tried if found is not None), prices[index])
            expected = expected + (price - prices[index]) * increase
            prices[index] = price
        if np.array_equal(before, prices):
            break
    return prices


PRICE_BISECTIONS = 20


def least_price(
    holds: Callable[[float], bool], start: float, unit: float
) -> float | None:
    """Bisect the least price from ``start`` on at which a limit holds; None if at none."""
    if holds(start):
        return start
    low = start
    high = unit
    while not holds(high):
        if high >= LARGEST_PRICE * unit:
            return None
        low = high
        high = 2.0 * high
    for _ in range(PRICE_BISECTIONS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
