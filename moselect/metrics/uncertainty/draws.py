"""Independent draws: samples, or groups of samples, each with its weight."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers
from moselect.samples.validation import as_counts, check_weights, ranks_of


def check_draws(
    sample_weight: ArrayLike | None, groups: ArrayLike | None, n: int
) -> tuple[Floats | None, Integers | None]:
    """Return weights (n,) and the index of each sample's draw (n,).

    Weights are None if equal. Draws are None if all samples are independent: weights, if
    any, are then counts.
    """
    weights = check_weights(sample_weight, n)
    draws = ranks_of("groups", groups, n)
    if weights is not None and as_counts(weights) is None:
        # Counts are repetitions of independent samples; other weights make draws of
        # unlike size.
        if np.ptp(weights) > 0.0:
            return weights, np.arange(n) if draws is None else draws
        weights = None
    # Groups of one sample each are no groups.
    alone = draws is not None and weights is None and draws.max() == n - 1
    return weights, None if alone else draws


def draw_squares(codes: Integers, weights: Floats, draws: Integers, r: int) -> Floats:
    """Return the sum (r,) of the squared weights that draws have in each class."""
    n_draws = draws.max() + 1
    # A cell for each class of each draw: a draw may have samples of several.
    cells, cell = np.unique(codes * n_draws + draws, return_inverse=True)
    squares = np.bincount(cell, weights) ** 2
    return np.bincount(cells // n_draws, squares, minlength=r).astype(np.float64)
