"""Scorers, from rows to scores and class probabilities: a weighted sum, or a classifier."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
import pandas as pd

from moselect._kernels import code_bits
from moselect._types import Document, Floats
from moselect.metrics.decisions import Referral
from moselect.operators.feature_graph import FeatureGraph
from moselect.operators.graph import Result
from moselect.predictor.decisions import LeastCost, Thresholds
from moselect.predictor.score_calibration import (
    ScoreCalibration,
    cheapest_referral,
    cheapest_thresholds,
)

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
        known = self.calibration
        assert known is not None, "decisions by costs need class probabilities"
        thresholds = cheapest_thresholds(scores, known, costs[:, : self.n_classes])
        if referral is not None:
            referral = cheapest_referral(scores, known, costs, referral.label)
        return Thresholds(thresholds, referral)

    def to_document(self) -> Document:
        """Serialise as plain values."""
        names = self.feature_names
        return {
            "feature_names": None if names is None else list(names),
            "coef": self.coef.tolist(),
            "calibration": self.calibration,
        }


class ProbabilityScorer:
    """Base class of scorers without a formula; the score is the expected rank 1 .. r."""

    calibration: None = None  # probabilities are no function of a single score

    def predict_proba(self, values: Floats) -> Floats:
        """Compute class probabilities (n, r) of columns (n, p)."""
        raise NotImplementedError

    def outputs(self, values: Floats) -> Outputs:
        """Return scores (n,) and class probabilities (n, r) of columns (n, p)."""
        proba = self.predict_proba(values)
        return proba @ np.arange(1.0, proba.shape[1] + 1.0), proba

    def decision(
        self, costs: Floats, referral: Referral | None, scores: Floats
    ) -> LeastCost:
        """Return the decision of least expected cost."""
        return LeastCost(costs, referral)


@dataclass(frozen=True, eq=False)
class GraphScorer(ProbabilityScorer):
    """Scorer of a graph of operators, from columns (n, p) to class probabilities (n, r)."""

    graph: FeatureGraph
    feature_names: Sequence[str] | None = None
    name: str = "an ensemble"  # for messages

    @classmethod
    def of(cls, estimator: Any) -> Self:
        """Convert a fitted estimator of ours, which has ``operators``."""
        graph = FeatureGraph.of(estimator.operators, int(estimator.n_features_in_))
        names = getattr(estimator, "feature_names_in_", None)
        listed = None if names is None else list(map(str, names))
        return cls(graph, listed, type(estimator).__name__)

    @property
    def n_features(self) -> int:
        """Number p of columns."""
        return self.graph.n_features

    def predict_proba(self, values: Floats) -> Floats:
        """Compute class probabilities (n, r) of columns (n, p)."""
        return self.graph(values)

    def operators(self, X: Result) -> Result:
        """Add the graph to the graph of some columns (n, p)."""
        return self.graph.embed(X)

    def to_document(self) -> Document:
        """Serialise as plain values, except the arrays of the graph."""
        return {
            "feature_names": self.feature_names,
            "graph": self.graph.to_document(),
        }


@dataclass(frozen=True, eq=False)
class ClassifierScorer(ProbabilityScorer):
    """Scorer of a fitted classifier, with probabilities in the class order of the model."""

    estimator: Any
    names: list[str] | None = None  # of the columns, where the classifier knows none

    @property
    def n_features(self) -> int:
        """Number p of columns."""
        return int(self.estimator.n_features_in_)

    @property
    def feature_names(self) -> list[str] | None:
        """Names of the columns, if the classifier was trained on a table."""
        names = getattr(self.estimator, "feature_names_in_", self.names)
        return None if names is None else list(names)

    @property
    def name(self) -> str:
        """Name of the class of the classifier."""
        return type(getattr(self.estimator, "estimator", self.estimator)).__name__

    def predict_proba(self, values: Floats) -> Floats:
        """Compute class probabilities (n, r) of columns (n, p)."""
        names = getattr(self.estimator, "feature_names_in_", None)
        named = values if names is None else pd.DataFrame(values, columns=names)
        return np.asarray(self.estimator.predict_proba(named))

    def operators(self, X: Result) -> Result:
        """Raise ValueError: classifiers of other packages have no graph."""
        raise ValueError(
            f"{self.name} has no ONNX form: select an additive model, or an ensemble of others"
        )

    def to_document(self) -> Document:
        """Return nothing: a classifier of another package is no text."""
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
