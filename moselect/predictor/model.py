"""The frozen model: preprocessing, scorer and decision rule."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from html import escape
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers, Labels, Table, Transformer
from moselect.costs.decisions import Referral, answers
from moselect.costs.row_costs import RowCosts
from moselect.labels.labels import as_label_array
from moselect.listing import in_one_line, listing, rounded
from moselect.predictor.decisions import LeastCost, Thresholds
from moselect.predictor.score_calibration import posterior_of
from moselect.predictor.scorers import Outputs, ProbabilityScorer, WeightedSum
from moselect.preprocessing.spline_columns import SplineColumns
from moselect.preprocessing.steps import Steps
from moselect.preprocessing.terms import Term
from moselect.tables.features import direction_words, feature_matrix, names_or_numbers

if TYPE_CHECKING:
    from sklearn.utils import Tags

    from moselect.predictor.card import ModelCard
    from moselect.predictor.score_calibration import ScoreCalibration


class Model:
    """A frozen model, which only predicts.

    `ParetoSearch.select`, a front, `Scorecard.rule_` and `read_model` return one. Models
    differ in their scorer and decision rule alone; a new model family is a new scorer.

    For scikit-learn it is a fitted classifier. Cross-validation would measure it on its
    own training rows, so it is neither fitted nor cloned; wrap it in
    `sklearn.frozen.FrozenEstimator` to use it within another estimator.

    Parameters
    ----------
    scorer : WeightedSum or ProbabilityScorer
        Scorer from columns (n, p) to scores (n,) and class probabilities (n, r).
    classes : array-like of shape (r,)
        Class labels, lowest first.
    decision : Thresholds or LeastCost
        Decision rule from scores and probabilities to classes.
    columns : transformer, optional
        Fitted transformer from a table to the p columns, as in `moselect.preprocessing`.

    Attributes
    ----------
    classes_ : ndarray of shape (r,)
        Class labels.
    coef_, thresholds_ : ndarray of shape (p,) and (r - 1,)
        Weights and ascending cut points, if the score is a weighted sum.
    evidence : Evidence or None
        Cross-validated evidence of a selected model; None of a model from a file or a front.
    reference : Reference or None
        Reference figures reported at selection, as a file keeps them.
    about : mapping
        Further information, such as costs and data, as plain values.
    card : ModelCard or None
        Model card.
    monotone : mapping of str to {1, -1}
        Columns with which predictions only rise or only fall.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> fitted = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    >>> costs = np.array([[0.0, 1.0], [9.0, 0.0]])
    >>> model = Model(ProbabilityScorer.of(fitted), ["low", "high"], LeastCost(costs))
    >>> model.predict([[0.3]])
    array(['high'], dtype='<U4')
    >>> cross_val_score(model, [[0.0], [1.0]] * 2, ["low", "high"] * 2, cv=2)
    Traceback (most recent call last):
    ...
    TypeError: Model is frozen and cannot be fitted: cross-validate the estimator behind it, \
such as ParetoSearch, CostSensitiveOrdinalClassifier or OrdinalStacking
    """

    def __init__(
        self,
        scorer: WeightedSum | ProbabilityScorer,
        classes: ArrayLike,
        decision: Thresholds | LeastCost,
        columns: Transformer | None = None,
    ) -> None:
        self.scorer = scorer
        self.columns = Steps.of(columns)
        self.classes_ = as_label_array(classes)
        self.decision = decision
        self.evidence: Any = None
        self.reference: Any = None
        self.about: Mapping[str, object] = {}
        self.card: ModelCard | None = None
        self.monotone: Mapping[str, int] = {}
        decision.check(len(self.classes_))

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
        """Preprocess rows of a table, (n, p), without the columns of decisions alone."""
        if self.row_costs is not None and isinstance(X, pd.DataFrame):
            features = {*(self.columns.first.names_in or self.names)}
            others = [name for name in self.row_costs.columns if name not in features]
            X = X.drop(columns=others, errors="ignore")
        prepared = self.columns.transform(X)
        return feature_matrix(prepared, self.feature_names, self.n_features_in_)

    def decision_function(self, X: Table) -> Floats:
        """Score samples (n, m), in their own units; higher means a higher class.

        Raises
        ------
        ValueError
            If features are missing or infinite.
        """
        return self.outputs(X)[0]

    @property
    def has_probabilities(self) -> bool:
        """Whether it has class probabilities: a classifier, or a calibrated score."""
        return self.calibration is not None or not isinstance(self.scorer, WeightedSum)

    @property
    def predict_proba(self) -> Callable[[Table], Floats]:
        """Compute the class probabilities (n, r) of rows X, under the priors if given.

        AttributeError without any.
        """
        if not self.has_probabilities:
            raise AttributeError("the model has no class probabilities")

        def predict_proba(X: Table) -> Floats:  # scikit-learn checks the name
            return self.in_use(self.probabilities(*self.outputs(X)))

        return predict_proba

    def outputs(self, X: Table) -> Outputs:
        """Return scores (n,) and, of a classifier, class probabilities (n, r) of rows."""
        return self.scorer.outputs(self.columns_of(X))

    def probabilities(self, scores: Floats, proba: Floats | None) -> Floats:
        """Return the class probabilities (n, r) of outputs, under the shares of the table."""
        if proba is not None:
            return proba
        if self.calibration is None:
            raise ValueError("the model has no class probabilities")
        return self.calibration.probabilities(scores)

    def in_use(self, proba: Floats) -> Floats:
        """Convert class probabilities (n, r) to the priors, if the model was selected for any."""
        if self.reference is None or self.reference.ratios is None:
            return proba
        return posterior_of(proba, self.reference.ratios)

    def parts(self, values: Floats) -> pd.DataFrame:
        """Return the contribution of each term of a weighted sum to the scores, (n, terms).

        All columns of one spline are one term. ``values`` (n, p) are preprocessed rows, NaN
        for rows without values. A row sums to its score.
        """
        if not isinstance(self.scorer, WeightedSum):
            raise ValueError("the model has no parts that add up")
        weighted = values * self.coef_
        names = self.names
        last = self.columns.last
        if isinstance(last, SplineColumns):
            names = list(last.get_term_names())
            weighted = last.sum_terms(weighted)
        return pd.DataFrame(weighted, columns=names)

    def replace(self, **changes: object) -> Self:
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

    def __sklearn_tags__(self) -> Tags:
        from sklearn.utils import ClassifierTags, Tags, TargetTags  # slow

        target = TargetTags(required=True)
        return Tags(
            estimator_type="classifier",
            target_tags=target,
            classifier_tags=ClassifierTags(),
        )

    @property
    def thresholds_(self) -> Floats:
        """Thresholds of the score, shape (r - 1,); AttributeError for other decision rules."""
        return self.decision.thresholds  # type: ignore[union-attr]

    @property
    def referral(self) -> Referral | None:
        """The reject option, if the model has one."""
        return self.decision.referral

    @property
    def answers(self) -> Labels:
        """Class labels, lowest first, followed by the label of the reject option, if any."""
        return answers(self.classes_, self.decision.referral)

    @property
    def row_costs(self) -> RowCosts | None:
        """Costs of each row, if decisions depend on such."""
        return self.decision.rows if isinstance(self.decision, LeastCost) else None

    def predict(self, X: Table) -> Labels:
        """Predict the class label (or referral) of each row of X, shape (n,)."""
        return self.answers[self.codes(*self.outputs(X), X)]

    def score(
        self, X: Table, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the accuracy on labelled rows."""
        from sklearn.metrics import accuracy_score  # slow

        return accuracy_score(y, self.predict(X), sample_weight=sample_weight)

    def codes(
        self, scores: Floats, proba: Floats | None, table: Table | None
    ) -> Integers:
        """Return codes (n,) of the decisions for rows of a table."""
        if isinstance(self.decision, Thresholds):
            return self.decision.codes(scores)
        return self.decision.codes(self.probabilities(scores, proba), table)

    def contributions(self, X: Table) -> pd.DataFrame:
        """Compute the contribution of each column of a table to the score of a row.

        Shapley values of ``decision_function`` relative to 100 background rows, whose
        columns are drawn independently from their training distributions; exact for sums
        of terms of one or two columns. For ensembles interactions are estimated from fewer
        orders of the columns, with errors of about a tenth of a usual value.

        Parameters
        ----------
        X : array-like of shape (n, m)
            Rows.

        Returns
        -------
        DataFrame of shape (n, m + 1)
            A column for each column of the training table, and last ``baseline``, the mean
            score of the background rows, or ``baseline of the score`` beside a column of
            that name. A row sums to its score.

        Raises
        ------
        ValueError
            If the model has no training distributions, as it was not selected.
        """
        from moselect.predictor.contributions import contributions  # slow

        if self.reference is None:
            raise ValueError(
                "contributions need a selected model, which knows the distribution of its columns"
            )
        return contributions(self, self.reference.background(), X)

    def predict_set(
        self, X: Table, coverage: float = 0.9, by: Literal["class"] | None = None
    ) -> pd.DataFrame:
        """Predict a range of classes that holds the true class with a given probability.

        Cross-conformal prediction sets of consecutive classes, of least mean size,
        calibrated by the out-of-fold probabilities at selection. They ignore costs and
        the reject option. A set holds at least one class, so the coverage is higher if
        single classes are right more often.

        Parameters
        ----------
        X : array-like of shape (n, m)
            Rows.
        coverage : float, default=0.9
            Probability that a set holds the true class, from 0.5 to 0.99.
        by : {"class"}, optional
            ``"class"``: the coverage is met in each class, whatever its share; by default
            over all rows.

        Returns
        -------
        DataFrame of shape (n, 2)
            The ``lowest`` and ``highest`` class of each set.

        Raises
        ------
        ValueError
            If the model has no calibrated sets, as it was not selected, or the coverage
            is out of range.

        Examples
        --------
        >>> import moselect
        >>> X, y = moselect.datasets.load_boston()
        >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
        >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
        >>> model.predict_set(X.head(2), coverage=0.9)
           lowest  highest
        0       3        3
        1       2        2
        """
        proba = self.probabilities(*self.outputs(X))
        ranges = self.set_ranges(proba, coverage, by)
        index = X.index if isinstance(X, pd.DataFrame) else None
        return pd.DataFrame(self.classes_[ranges], index, ["lowest", "highest"])

    def set_ranges(
        self, proba: Floats, coverage: float, by: Literal["class"] | None = None
    ) -> Integers:
        """Compute the codes (n, 2) of prediction sets from `probabilities` (n, r)."""
        known = None if self.reference is None else self.reference.sets
        if known is None:
            raise ValueError(
                "the model has no calibrated prediction sets: select it for costs or "
                "preferences, which cross-validates it"
            )
        return known.ranges(proba, coverage, by)

    @property
    def score_ranges(self) -> list[str]:
        """Score range of each decision, as text; AttributeError without thresholds."""
        return self.decision.score_ranges(len(self.answers))  # type: ignore[union-attr]

    @property
    def least_cost_words(self) -> str:
        """Description of the rule of least expected cost, with costs raised by limits."""
        words = "class with the lowest expected cost"
        if self.row_costs is not None:
            return f"{words}, by the costs of each row: {in_one_line(self.row_costs)}"
        used = self.decision.costs  # type: ignore[union-attr]
        stated = None if self.reference is None else self.reference.costs
        if used is None or stated is None:
            return words
        names = [in_one_line(str(label)) for label in self.answers]
        raised = listing(
            f"{names[y]} predicted {names[c]} {rounded(used[y, c])} instead of "
            f"{rounded(stated[y][c])}"
            for y, c in np.argwhere(~np.isclose(used, stated, rtol=1e-9, atol=0.0))
        )
        why = "limits and directions change" if self.monotone else "limits raise"
        return f"{words}, by costs that {why}: {raised}" if raised else words

    @property
    def summary(self) -> str:
        """Description of the decision rule, and of directions that it keeps."""
        words = direction_words(self.monotone)
        kept = []
        if words:
            kept.append(f"{words}.")
        if isinstance(self.decision, LeastCost):
            return " ".join([f"Prediction: {self.least_cost_words}.", *kept])
        summed = "scores by other models" if self.holds_models else "features"
        labels = [in_one_line(str(label)) for label in self.answers]
        scores = "; ".join(map(": ".join, zip(labels, self.score_ranges, strict=True)))
        return ". ".join([f"Class by score, a weighted sum of {summed}: {scores}", *kept])

    def __repr__(self) -> str:
        classes = in_one_line(" < ".join(map(str, self.classes_)))
        described = f"{self.n_features_in_} weights"
        if not isinstance(self.scorer, WeightedSum):
            described = self.scorer.classifier or self.scorer.name
        return f"{type(self).__name__}({described}; {classes})"

    def _repr_html_(self) -> str:
        evidence = "" if self.evidence is None else self.evidence._repr_html_()
        name = type(self).__name__
        return f"<p><strong>{name}</strong>: {escape(self.summary)}</p>{evidence}"
