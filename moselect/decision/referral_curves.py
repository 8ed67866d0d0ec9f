"""What is gained by leaving rows to a person: cost against the share that is referred."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from moselect._types import Floats
from moselect.samples import Samples


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
    ends = np.append(0, np.flatnonzero(np.append(np.diff(saved[order]) != 0.0, True)) + 1)
    left, decided = (
        weights * costs[samples.codes, r],
        weights * costs[samples.codes, classes],
    )

    def so_far(values: Floats) -> Floats:
        return np.append(0.0, np.cumsum(values[order]))[ends]

    share, of_decided = so_far(weights), decided.sum() - so_far(decided)
    cost = of_decided + so_far(left)
    # Sums of squares, of what is paid for each row as it is answered at this point.
    squares = so_far(left**2) + (decided**2).sum() - so_far(decided**2)
    spread = (
        squares
        - 2.0
        * cost
        * (so_far(weights * left) + (weights * decided).sum() - so_far(weights * decided))
        + cost**2 * (weights**2).sum()
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        risk = np.where(share < 1.0 - 1e-12, of_decided / (1.0 - share), np.nan)
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
