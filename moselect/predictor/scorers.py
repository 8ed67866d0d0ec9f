"""Scorers, from rows to scores and class probabilities: a weighted sum, or a classifier."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd

from moselect._kernels import code_bits
from moselect._types import Document, Floats, record
from moselect.costs.decisions import Referral
from moselect.operators.feature_graph import FeatureGraph
from moselect.operators.graph import Result
from moselect.predictor.decisions import LeastCost, Thresholds
from moselect.predictor.score_calibration import (
    ScoreCalibration,
    cheapest_referral,
    cheapest_thresholds,
)
from moselect.tables.features import fitted_names

Outputs = tuple[Floats, Floats | None]


@record
class WeightedSum:
    """Weights (p,) of columns, and a calibration from their sum to probabilities of r classes."""

    coef: Floats
    n_classes: int
    feature_names: Sequence[str] | None = None
    calibration: ScoreCalibration | None = None
    in_order: ClassVar[bool] = True  # thresholds on one score keep its directions

    @property
    def n_features(self) -> int:
        """Number p of columns."""
        return len(self.coef)

    def outputs(self, values: Floats) -> Outputs:
        """Return scores (n,) of columns (n, p)."""
        return score_rows(values, self.coef, self.n_classes), None

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


@record
class ProbabilityScorer:
    """Class probabilities (n, r) of columns (n, p), by a graph or by a fitted classifier.

    The score is the expected rank 1 .. r. A ``classifier`` of another package has its
    classes in the order of the model.
    """

    n_features: int
    feature_names: Sequence[str] | None
    name: str  # for messages
    graph: FeatureGraph | None = None
    classifier: Any = None
    # Whether its probabilities keep directions, and decisions are to keep them.
    in_order: bool = False
    calibration: ClassVar[None] = None  # probabilities are no function of a single score

    @classmethod
    def of(
        cls,
        classifier: Any,
        names: Sequence[str] | None = None,
        *,
        as_graph: bool = False,
    ) -> Self:
        """Convert a fitted classifier, or the graph of its ``operators``.

        ``names`` are the names of the columns, where the classifier knows none.
        """
        n_features = int(classifier.n_features_in_)
        known = fitted_names(classifier) or names
        in_order = bool(getattr(classifier, "_in_order", False))
        if as_graph:
            graph = FeatureGraph.of(classifier.operators, n_features)
            name = type(classifier).__name__
            return cls(n_features, known, name, graph, in_order=in_order)
        return cls(n_features, known, name_of(classifier), None, classifier, in_order)

    def outputs(self, values: Floats) -> Outputs:
        """Return scores (n,) and class probabilities (n, r) of columns (n, p)."""
        if self.graph is not None:
            proba = self.graph(values)
        else:
            names = fitted_names(self.classifier)
            named = values if names is None else pd.DataFrame(values, columns=names)
            proba = np.asarray(self.classifier.predict_proba(named))
        return proba @ np.arange(1.0, proba.shape[1] + 1.0), proba

    def decision(
        self, costs: Floats, referral: Referral | None, scores: Floats
    ) -> LeastCost:
        """Return the decision of least expected cost."""
        return LeastCost(costs, referral)

    def operators(self, X: Result) -> Result:
        """Add the graph to the graph of some columns (n, p)."""
        if self.graph is None:
            raise ValueError(
                f"{self.name} has no ONNX form: select an additive model, or an ensemble of others"
            )
        return self.graph.embed(X)

    def to_document(self) -> Document:
        """Serialise as plain values, except the arrays of the graph, or a classifier."""
        graph = None if self.graph is None else self.graph.to_document()
        return {"feature_names": self.feature_names, "graph": graph}


def name_of(classifier: object) -> str:
    """Return the class of a classifier, or of the one that it wraps."""
    return type(getattr(classifier, "estimator", classifier)).__name__


def score_rows(values: Floats, weights: Floats, n_classes: int) -> Floats:
    """Compute ``values . weights`` (n,), bit-identical to the search in any row order.

    Sums are in a fixed order, and their last ``ceil(log2 r)`` bits are dropped.
    """
    low_bits = (1 << code_bits(n_classes)) - 1
    scores = np.zeros(len(values))
    for feature, weight in zip(np.ascontiguousarray(values.T), weights, strict=True):
        scores += weight * feature  # in the order of the kernel `linear_scores`
    scores.view(np.int64)[:] &= ~low_bits
    return scores + 0.0  # -0.0 becomes 0.0
