"""Cost of known directions on cross-validation, and directions that the data suggest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from moselect._types import Floats
from moselect.preprocessing.cells import as_frame
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.selection.differences import PairedDifference
from moselect.selection.explanation import (
    accumulated_effects,
    cumulative_probabilities,
    drawn_weights,
    grid_of,
)


class ConstraintCost(NamedTuple):
    """Cross-validated excess cost, or lost utility, of a candidate that keeps directions.

    ``difference`` is paired by sample with the same ``candidate`` without directions, and
    relative to it for costs.

    Examples
    --------
    >>> excess = PairedDifference(0.01, 0.02, -0.03, 0.05)
    >>> ConstraintCost("linear", excess).difference.estimate
    0.01
    """

    candidate: str
    difference: PairedDifference


def suggested_directions(
    model: Any, fold_models: Sequence[Any], samples: Samples, folds: Folds
) -> dict[str, int]:
    """Return columns without a known direction whose effect goes one way, and which.

    Accumulated local effects of an additive model on the expected rank: the net change
    from the lowest to the highest value is at least 90 % of all ups and downs, in the
    model of all samples and in each fold model, and three standard errors (the jackknife
    over the folds) from 0.
    """
    table = as_frame(samples.X)
    models = [partial(cumulative_probabilities, each, samples.X) for each in fold_models]
    weights = [drawn_weights(samples, train) for train, _ in folds]
    ranks = cumulative_probabilities(model, samples.X, table).sum(axis=1)
    suggested = {}
    # columns whose effects are examined
    most_columns = 30
    for name in [str(name) for name in table if name not in samples.directions][
        :most_columns
    ]:
        grid = grid_of(table[name], samples.content_of(name), ranks)
        if grid is None or grid.labels is not None:
            continue
        curves = [
            accumulated_effects(tails, table, name, grid, drawn).sum(axis=1)
            for tails, drawn in zip(models, weights, strict=True)
        ]
        direction = _direction(np.array(curves))
        if direction:
            suggested[name] = direction
    return suggested


def _direction(curves: Floats) -> int:
    """Return 1 or -1 if effects (folds, g) all clearly go that way, else 0."""
    net = curves[:, -1] - curves[:, 0]
    variation = np.abs(np.diff(curves)).sum(axis=1)
    # least net change of an effect, as a share of its total variation
    one_way = 0.9
    if (np.abs(net) < one_way * variation).any() or not variation.all():
        return 0
    k = len(net)
    error = np.sqrt((k - 1) / k * ((net - net.mean()) ** 2).sum())
    # least net change, in standard errors
    clear = 3.0
    return int(np.sign(net.mean())) if abs(net.mean()) >= clear * error else 0
