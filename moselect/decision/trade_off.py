"""How many are missed against how many false alarms there are, at one border between classes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats, Integers
from moselect.decision.differences import least_so_far
from moselect.samples import Samples


def trade_off(
    samples: Samples,
    probabilities: Mapping[str, Floats],
    border: int,
    costs: Floats | None,
) -> pd.DataFrame:
    """Return the operating points of each kind at the border below class ``border``, 1 .. r - 1.

    Every cut of the probability of that class or above is one; see `Evidence.trade_off`.
    """
    above = samples.codes >= border
    parts = []
    for kind, proba in probabilities.items():
        tail = proba[:, border:].sum(axis=1)
        order = np.argsort(-tail, kind="stable")
        # As many samples are called high as have a probability of at least the cut.
        ends = np.flatnonzero(np.append(np.diff(tail[order]) != 0.0, True)) + 1
        called = np.concatenate([[0], ends])
        part = pd.DataFrame(
            {"kind": kind, "cut": np.append(np.inf, tail[order][ends - 1])}
        )
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
    """Return the shares (n + 1,) of some samples that are among the first of all, and their errors.

    A share is a ratio of sums over independent units: its error is the sandwich, in which
    the sums of squares over units change by one sample at a time, as if one more of each
    had been seen.
    """
    weights = np.where(among, samples.each_weight, 0.0)[order]
    units = np.arange(len(order)) if samples.groups is None else samples.groups[order]
    of_units = np.bincount(units, weights)
    each = pd.Series(weights).groupby(units).cumsum().to_numpy()  # of the unit, so far
    total, n = weights.sum(), samples.effective_size(among)
    share, squares, products = (
        np.append(0.0, np.cumsum(part))
        for part in (
            weights / total,
            weights * (2.0 * each - weights),
            weights * of_units[units],
        )
    )
    variance = squares - 2.0 * share * products + share**2 * (of_units @ of_units)
    smooth = (share * n + 1.0) / (n + 2.0)
    unseen = 1.0 / (n + 2.0) * (1.0 - smooth)  # none among few samples is no certainty
    return share, np.sqrt(np.maximum(variance, 0.0) / total**2 + unseen * smooth)


def _costs(
    samples: Samples, proba: Floats, border: int, costs: Floats, order: Integers
) -> Floats:
    """Return the mean costs (n + 1,) if the first samples are called high and the others low.

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
