"""Scorers, from rows to scores and class probabilities: a weighted sum, or a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from moselect._kernels import code_bits
from moselect._types import Floats
from moselect.metrics.referral import Referral
from moselect.predictor.card import ScoreCalibration
from moselect.predictor.decisions import LeastCost, Thresholds

Outputs = tuple[Floats, Floats | None]


@dataclass(frozen=True, eq=False)
class WeightedSum:
    """Weights (p,) of columns, and a calibration from their sum to probabilities of r classes."""

    coef: Floats
    n_classes: int
    feature_names: Sequence[str] | None = None
    calibration: ScoreCalibration | None = None

    @property
    def n_features(self) -> int:
        """Number p of columns."""
        return len(self.coef)

    def outputs(self, values: Floats) -> Outputs:
        """Return scores (n,) of columns (n, p), infinite on overflow."""
        return score_rows(values, self.coef, self.n_classes, "ignore"), None

    def decision(
        self, costs: Floats, referral: Referral | None, scores: Floats
    ) -> Thresholds:
        """Return the thresholds of least expected cost, unused ones beyond the given scores."""
        # slow
        from moselect.predictor.thresholds import (
            cheapest_referral,
            cheapest_thresholds,
        )

        known = self.calibration
        if known is None:
            raise ValueError(
                "the model has no class probabilities to derive other decisions from"
            )
        thresholds = cheapest_thresholds(scores, known, costs[:, : self.n_classes])
        if referral is not None:
            referral = cheapest_referral(scores, known, costs, referral.label)
        return Thresholds(thresholds, referral)

    def to_document(self) -> dict[str, Any]:
        """Serialise as plain values."""
        names = self.feature_names
        return {
            "feature_names": None if names is None else list(names),
            "coef": self.coef.tolist(),
            "calibration": self.calibration,
        }


@dataclass(frozen=True, eq=False)
class Classifier:
    """Scorer of a fitted classifier, with probabilities in the class order of the model.

    The score is the expected rank 1 .. r.
    """

    estimator: Any
    calibration: None = None  # probabilities are no function of a single score

    @property
    def n_features(self) -> int:
        """Number p of columns."""
        return int(self.estimator.n_features_in_)

    @property
    def feature_names(self) -> list[str] | None:
        """Names of the columns, if the classifier was trained on a table."""
        names = getattr(self.estimator, "feature_names_in_", None)
        return None if names is None else list(names)

    def outputs(self, values: Floats) -> Outputs:
        """Return scores (n,) and class probabilities (n, r) of columns (n, p)."""
        names = self.feature_names
        named = values if names is None else pd.DataFrame(values, columns=names)
        proba = np.asarray(self.estimator.predict_proba(named))
        return proba @ np.arange(1.0, proba.shape[1] + 1.0), proba

    def decision(
        self, costs: Floats, referral: Referral | None, scores: Floats
    ) -> LeastCost:
        """Return the decision of least expected cost."""
        return LeastCost(costs, referral)

    def to_document(self) -> dict[str, Any]:
        """Return None: a classifier cannot be serialised as text."""
        return {}


def score_rows(
    values: Floats,
    weights: Floats,
    n_classes: int,
    overflow: Literal["raise", "ignore"] = "raise",
) -> Floats:
    """Compute ``values . weights`` (n,), bit-identical to the search in any row order.

    Sums are in a fixed order, and their last ``ceil(log2 r)`` bits are dropped.
    """
    low_bits = (1 << code_bits(n_classes)) - 1
    scores = np.zeros(len(values))
    with np.errstate(over=overflow, invalid=overflow):
        for feature, weight in zip(np.ascontiguousarray(values.T), weights, strict=True):
            scores += weight * feature  # in the order of the kernel `linear_scores`
    scores.view(np.int64)[:] &= ~low_bits
    return scores + 0.0  # -0.0 becomes 0.0
