"""A linear model as plain values, and what it says, which no library of models is needed for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._kernels import code_bits
from moselect._types import Floats, Integers
from moselect.labels import as_label_array
from moselect.models.card import ScoreCalibration
from moselect.models.referral import Referral, answers, called

if TYPE_CHECKING:  # slow to import, and linear models do without
    import pandas as pd

    from moselect.models.linear import OrdinalLinearClassifier


class LinearModel:
    """Weights, thresholds and classes, as `OrdinalLinearClassifier` describes them."""

    def __init__(
        self,
        coef: ArrayLike,
        thresholds: ArrayLike,
        classes: ArrayLike,
        feature_names: Sequence[str] | None = None,
        columns: Any = None,
        calibration: ScoreCalibration | None = None,
        evidence: Any = None,
        promise: Any = None,
        referral: Referral | None = None,
    ) -> None:
        self.coef = coef
        self.thresholds = thresholds
        self.classes = classes
        self.feature_names = feature_names
        self.columns = columns
        self.calibration = calibration
        self.evidence = evidence
        self.promise = promise
        self.referral = referral
        for name in ("coef", "thresholds", "classes"):
            if np.ndim(getattr(self, name)) != 1:
                raise ValueError(f"{name} has shape {np.shape(getattr(self, name))}: give a list")
        if not (np.isfinite(self.coef_).all() and np.isfinite(self.thresholds_).all()):
            raise ValueError("coef and thresholds must be finite numbers")
        if len(self.thresholds_) != len(self.classes_) - 1:
            raise ValueError(
                f"{len(self.classes_)} classes need {len(self.classes_) - 1} thresholds, "
                f"but there are {len(self.thresholds_)}"
            )
        names = self.feature_names
        if names is not None and len(names) != self.n_features_in_:
            raise ValueError(
                f"{self.n_features_in_} weights need as many feature_names, but there are "
                f"{len(names)}"
            )
        if not (np.diff(self.thresholds_) >= 0.0).all():
            raise ValueError(f"thresholds must ascend: {self.thresholds_.tolist()}")

    @property
    def coef_(self) -> Floats:
        """Weights, shape (p,)."""
        return np.asarray(self.coef, dtype=np.float64)

    @property
    def thresholds_(self) -> Floats:
        """Cut points, shape (r - 1,)."""
        return np.asarray(self.thresholds, dtype=np.float64)

    @property
    def classes_(self) -> NDArray[Any]:
        """Class labels, lowest first, shape (r,)."""
        return as_label_array(self.classes)

    @property
    def n_features_in_(self) -> int:
        """Number of features p."""
        return len(self.coef_)

    def as_estimator(self) -> OrdinalLinearClassifier:
        """Return the model with the methods of an estimator."""
        from moselect.models.linear import OrdinalLinearClassifier

        return OrdinalLinearClassifier(**vars(self))

    def scores_and_codes(self, values: Floats) -> tuple[Floats, Integers]:
        """Return scores (n,) and codes (n,) of answers to what the columns make of samples (n, p).

        Scores that are too large for a floating-point number are not finite.
        """
        scores = score_rows(values, self.coef_, len(self.classes_), "ignore")
        return scores, self.codes_of(scores)

    def codes_of(self, scores: Floats) -> Integers:
        """Return the codes (n,) of the `answers` to scores (n,)."""
        codes = np.searchsorted(self.thresholds_, scores, side="left")
        return called(codes, scores, self.referral)

    @property
    def answers(self) -> NDArray[Any]:
        """Class labels, lowest first, and what it calls a row that it leaves to a person."""
        return answers(self.classes_, self.referral)

    def probabilities(self, values: Floats) -> Floats:
        """Return the class probabilities (n, r) of what the columns make of samples (n, p)."""
        if self.calibration is None:
            raise ValueError(
                "the model holds no calibration of its score, so it has no class probabilities"
            )
        return self.calibration.probabilities(self.scores_and_codes(values)[0])

    def parts(self, values: Floats) -> pd.DataFrame:
        """Return what each term adds to the scores, (n, terms)."""
        from moselect.models.additive.shapes import term_contributions

        return term_contributions(self, values)


def score_rows(
    values: Floats, weights: Floats, n_classes: int, overflow: Literal["raise", "ignore"] = "raise"
) -> Floats:
    """Compute ``values . weights`` (n,), to the last bit as the search, wherever rows stand."""
    low_bits = (1 << code_bits(n_classes)) - 1
    scores = np.zeros(len(values))
    with np.errstate(over=overflow, invalid=overflow):
        for feature, weight in zip(np.ascontiguousarray(values.T), weights, strict=True):
            scores += weight * feature  # in the order of the kernel `linear_scores`
    scores.view(np.int64)[:] &= ~low_bits
    return scores + 0.0  # -0.0 becomes 0.0
