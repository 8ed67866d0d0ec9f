"""Base class of frozen models: from a table to scores, and scikit-learn's protocol."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np
import pandas as pd

from moselect._types import Floats, Table, Transformer
from moselect.predictor.scorers import Outputs, ProbabilityScorer, WeightedSum
from moselect.preprocessing.columns import PreparedRows, read_features
from moselect.preprocessing.steps import Steps
from moselect.preprocessing.terms import Term
from moselect.tables.features import feature_matrix, names_or_numbers

if TYPE_CHECKING:
    from moselect.predictor.score_calibration import ScoreCalibration


class TableScorer:
    """Preprocessing and scorer: from a table to scores and probabilities.

    Parameters
    ----------
    scorer : WeightedSum or ProbabilityScorer
        From columns (n, p) to scores (n,) and class probabilities (n, r).
    columns : transformer, optional
        Fitted transformer from a table to the p columns.
    """

    def __init__(
        self,
        scorer: WeightedSum | ProbabilityScorer,
        columns: Transformer | None = None,
    ) -> None:
        self.scorer = scorer
        self.columns = Steps.of(columns)

    @property
    def coef_(self) -> Floats:
        """Weights, shape (p,); AttributeError for a classifier."""
        return self.scorer.coef  # type: ignore[union-attr]

    @property
    def calibration(self) -> ScoreCalibration | None:
        """Calibration of the score to class probabilities; None for a classifier."""
        return self.scorer.calibration

    @property
    def n_features_in_(self) -> int:
        """Number p of columns that the scorer takes."""
        return self.scorer.n_features

    @property
    def feature_names(self) -> Sequence[str] | None:
        """Names of the columns; None without names."""
        return self.scorer.feature_names

    @property
    def names(self) -> list[str]:
        """Names of the columns; x0, x1 and so on without names."""
        return names_or_numbers(self.feature_names, self.n_features_in_)

    @property
    def terms(self) -> tuple[Term, ...]:
        """Inputs of the scorer, as formulas of the columns of a table.

        Operations and their order are the same on doubles, so that a term equals its
        column to the last bit. ValueError if a step has no formula: models
        as columns.
        """
        return self.columns.terms_of(self.names)

    @property
    def holds_models(self) -> bool:
        """Whether its score is no sum of terms, but takes other models."""
        return not isinstance(self.scorer, WeightedSum) or self.columns.cross_fitted

    @property
    def n_terms(self) -> float:
        """Number of terms with a coefficient; NaN if the score is no sum of terms."""
        if self.holds_models:
            return math.nan
        # Columns of the sign of their coefficient give each term in use a positive part.
        return float(np.count_nonzero(self.parts(np.sign(self.coef_)[None])))

    def columns_of(self, X: Table) -> Floats:
        """Preprocess rows of a table, (n, p)."""
        prepared = self.columns.transform(X)
        return feature_matrix(prepared, self.feature_names, self.n_features_in_)

    def read(self, table: pd.DataFrame) -> PreparedRows:
        """Preprocess the rows of a table that can be read, with remarks on each row."""
        if self.columns.steps:
            return self.columns.read(table)
        return read_features(table, self.feature_names, self.n_features_in_)

    def decision_function(self, X: Table) -> Floats:
        """Score samples (n, m), in their own units; higher means a higher class.

        Raises
        ------
        ValueError
            If features are missing, infinite, or so large that a score is.
        """
        return self._outputs(X)[0]

    @property
    def predict_proba(self) -> Callable[[Table], Floats]:
        """Compute the class probabilities (n, r) of rows X; AttributeError without any."""
        if self.calibration is None and isinstance(self.scorer, WeightedSum):
            raise AttributeError("the model has no class probabilities")

        def predict_proba(X: Table) -> Floats:  # scikit-learn checks the name
            return self.probabilities(*self.scorer.outputs(self.columns_of(X)))

        return predict_proba

    def _outputs(self, X: Table) -> Outputs:
        """Return scores and probabilities of rows; ValueError if a score is not finite."""
        scores, proba = self.scorer.outputs(self.columns_of(X))
        if not np.isfinite(scores).all():
            raise ValueError("a score is too large for a floating-point number")
        return scores, proba

    def probabilities(self, scores: Floats, proba: Floats | None) -> Floats:
        """Return the class probabilities (n, r) of the outputs of the scorer."""
        if proba is not None:
            return proba
        if self.calibration is None:
            raise ValueError("the model has no class probabilities")
        return self.calibration.probabilities(scores)

    def parts(self, values: Floats) -> pd.DataFrame:
        """Return the contribution of each term of a weighted sum to the scores, (n, terms).

        All columns of one spline are one term. ``values`` (n, p) are preprocessed rows, NaN
        for rows without values. A row sums to its score.
        """
        if not isinstance(self.scorer, WeightedSum):
            raise ValueError("the model has no parts that add up")
        weighted = values * self.coef_
        names = self.names
        if self.columns.is_curved:
            names = list(self.columns.last.get_term_names())
            weighted = self.columns.last.sum_terms(weighted)
        return pd.DataFrame(weighted, columns=names)

    def replace(self, **changes: Any) -> Self:
        """Return a copy of the model with other attributes."""
        other = copy(self)
        vars(other).update(changes)
        return other

    def to_predictor(self) -> Self:
        """Return the classifier, which is frozen already."""
        return self

    def fit(self, *data: object, **options: object) -> NoReturn:
        """Raise TypeError; `check_is_fitted` requires the method to exist."""
        raise TypeError(
            f"{type(self).__name__} is frozen and cannot be fitted: cross-validate the estimator "
            "behind it, such as ParetoSearch, CostSensitiveOrdinalClassifier or OrdinalStacking"
        )

    __sklearn_clone__ = (
        fit  # fail on cloning: a failed fit in cross-validation would only warn
    )

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, Tags, TargetTags  # slow

        target = TargetTags(required=True)
        return Tags(
            estimator_type="classifier",
            target_tags=target,
            classifier_tags=ClassifierTags(),
        )
