"""The encoding of the paper: weights and thresholds moved together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.scores import linear_scores
from moselect._types import Floats, Integers
from moselect.metrics.objectives import Objective
from moselect.models.linear_batch import LinearBatch
from moselect.models.objective_values import DEFAULT, chance_levels, objective_values
from moselect.search.whitening import Whitening, check_positions


class WeightProblem:
    """Search weights and thresholds together (Waegeman et al. 2008, section 4.2).

    A position is p weights followed by r - 1 thresholds, in units of standardised
    features; thresholds may stand in any order. ``batch`` holds the samples, ``chance``
    (m,) what the objectives reach without features.
    """

    n_mixtures = 1

    def __init__(
        self, batch: LinearBatch, objectives: Sequence[Objective] = DEFAULT
    ) -> None:
        self.batch = batch
        self.objectives = tuple(objectives)
        self.chance: Floats = chance_levels(objectives, batch)
        whitening = Whitening(batch.features)
        self._mean, self._inverse_scale = whitening.mean, whitening.inverse_scale

    @property
    def n_dimensions(self) -> int:
        """Length p + r - 1 of a position."""
        return self.batch.n_features + self.batch.n_classes - 1

    def evaluate(self, positions: ArrayLike) -> Floats:
        """Measure positions (P, d); returns their objectives, shape (P, m)."""
        return objective_values(self.objectives, self.batch, *self.models(positions))

    def models(
        self, positions: ArrayLike, mixtures: ArrayLike = 0
    ) -> tuple[Floats, Floats]:
        """Return weights (P, p) and thresholds (P, r - 1) in the units of the features."""
        checked = check_positions(positions, self.n_dimensions)
        p = self.batch.n_features
        weights = checked[:, :p] * self._inverse_scale
        offset = linear_scores(self._mean[:, None], weights, 0)
        return weights, np.sort(checked[:, p:], axis=1) + offset

    def models_and_confusions(
        self, positions: Floats, mixtures: Integers
    ) -> tuple[Floats, Floats, Integers]:
        """Return the models at some positions, as `models`, and their confusions (P, r, r)."""
        weights, thresholds = self.models(positions)
        return weights, thresholds, self.batch.confusions(weights, thresholds)
