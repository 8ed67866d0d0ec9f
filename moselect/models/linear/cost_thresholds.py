"""Cost-minimising decision thresholds on the score of any estimator."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MetaEstimatorMixin,
    clone,
    is_regressor,
)
from sklearn.utils import Tags, _safe_indexing, get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from moselect._types import (
    Classifier,
    CrossValidation,
    Floats,
    Integers,
    LabelOrder,
    Labels,
    Table,
)
from moselect.costs.costs import CostParameters
from moselect.costs.criteria import estimator_costs
from moselect.costs.thresholds import metric_thresholds
from moselect.metrics.scorers import ordinal_scores, predicted_probabilities
from moselect.models.calibration import calibrate, thresholds_of_calibration
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.training import (
    classes_with_samples,
    fit_parameters,
    moments,
    ordinal_target,
    unrouted,
)
from moselect.samples.weights import WeightType
from moselect.tables.features import as_pandas, feature_names
from moselect.validation import check_unmasked


@dataclass(eq=False, repr=False)
class CostThresholdClassifier(
    CostParameters,
    MetaEstimatorMixin,  # type: ignore[misc]
    ClassifierMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Tune the ordinal decision thresholds of a classifier or regressor to given costs.

    Generalises `sklearn.model_selection.TunedThresholdClassifierCV` from two to r ordered
    classes: r - 1 thresholds that minimise the expected cost under class probabilities
    which are calibrated on out-of-fold scores.

    Parameters
    ----------
    estimator : estimator
        A classifier, fitted on the labels, or a regressor, fitted on the ranks 1 .. r.
    class_costs : array-like of shape (r,) or mapping by class, optional
        Misclassification cost per true class, lowest class first; 1 by default.
    loss : {"absolute", "squared", "zero_one"}, default="absolute"
        How the cost grows with the distance between the classes.
    cost_matrix : array-like of shape (r, r) or (n, r, r), or callable, optional
        All costs, rows true classes, columns predicted ones; instead of ``class_costs``.
        Cells may be expressions of columns of X, such as ``"0.3 * amount + 50"``; a
        function of X gives (n, r, r). The thresholds are the same for all rows, and
        minimise the sum of their costs.
    priors : array-like of shape (r,), optional
        Shares of the classes in use, of sum 1, if they differ from those in the data.
    costs : optional
        Costs in any form, in place of the others: by class label, a vector or a matrix, or
        `moselect.Costs`.
    metric : str, optional
        Metric of the confusion matrix to optimise in place of costs, as in
        `moselect.metrics.metric_named`: ``"quadratic_kappa"``, ``"linear_kappa"``,
        ``"kappa"``, ``"minimum_sensitivity"``, ``"maximum_mae"``, or of class severe and
        above ``"f1:severe"`` and ``"jaccard:severe"``.
    cv : int, splitter or iterable, default=5
        Folds, stratified by class, with duplicates in the same fold. To keep an estimator
        that was fitted on other samples, wrap it in a `sklearn.frozen.FrozenEstimator`.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered
        Categorical.

    Attributes
    ----------
    estimator_ : estimator
        The estimator fitted to all samples.
    thresholds_ : ndarray of shape (r - 1,)
        Ascending; class = 1 + number of thresholds strictly below the score.
    thresholds_per_fold_ : ndarray of shape (n_folds, r - 1)
        Thresholds from the out-of-fold scores of each test fold alone. Their spread shows
        how well each threshold is determined by the data.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    cost_matrix_ : ndarray of shape (r, r)
        The cost matrix; of costs of each row the mean given the true class, for a metric
        the one whose least cost optimises it.
    n_features_in_, feature_names_in_
        As in ``estimator_``, if it has them.

    Notes
    -----
    The score is the decision function if it is one-dimensional, else the expected rank
    under the class probabilities, else the prediction.

    The scores of different folds may have different scales, especially for linear
    decision functions. They are shifted and scaled so that the training scores of each
    fold's estimator have the mean and standard deviation of the training scores of
    ``estimator_``.

    Examples
    --------
    >>> from sklearn.ensemble import GradientBoostingClassifier
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> model = CostThresholdClassifier(
    ...     GradientBoostingClassifier(n_estimators=10, random_state=0), class_costs=[1, 1, 1, 5, 5]
    ... ).fit(X, y)
    >>> model.thresholds_.shape, model.thresholds_per_fold_.shape
    ((4,), (5, 4))
    """

    estimator: Classifier
    _: KW_ONLY
    cv: CrossValidation = 5
    labels: LabelOrder = None

    def fit(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        weight_type: WeightType | None = None,
    ) -> Self:
        """Fit the estimator and find the thresholds.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Input of the estimator.
        y : array-like of shape (n,)
            Ordinal labels.
        sample_weight : array-like of shape (n,), optional
            Weights of the samples in the costs, and in the estimator if it takes them.
        groups : array-like of shape (n,), optional
            Groups that are kept within one fold; by default, duplicate samples.
        weight_type : {"counts", "sampling"}, optional
            Whether integer weights count equal samples; by default only if the rows are the
            cells of a contingency table. A warning names the type that was found.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If costs, priors, labels or settings are wrong, a fold is fitted without
            samples of some class, or scores are not finite.
        """
        check_unmasked("X", X)
        X, y = indexable(X, y)
        scale, codes = ordinal_target(
            y, self.labels, X, sample_weight=sample_weight, groups=groups
        )
        self.classes_, codes = classes_with_samples(scale, codes)
        table: Table = np.empty((len(codes), 0))
        # Duplicates are found in tables only.
        is_matrix = isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "fiub"
        if is_matrix or feature_names(X) is not None:
            table = as_pandas(X)
        samples = Samples(table, codes, self.classes_)
        # Counts repeat a sample, which may then be in several folds.
        samples = samples.with_sample_info(sample_weight, groups, None, weight_type)
        resolved = estimator_costs(self, X, y, scale, samples)
        metric = resolved.loss.metric
        X = _safe_indexing(X, samples.rows)
        # `cross_validate` takes samples, and discards the training scores of the folds.
        scored = self._out_of_fold(X, samples)

        def solved(rows: Integers, scores: Floats) -> tuple[Floats, Floats]:
            """Return thresholds, and the costs that they minimise."""
            part = samples.take(rows)
            weights = part.sample_weight_or_ones
            if metric is None:
                costs = resolved.of(part).cells
                found = thresholds_of_calibration(scores, part.codes, costs, weights)
                return found, resolved.matrix
            proba = calibrate(scores, part.codes, part.n_classes, weights)(scores)
            found, solution = metric_thresholds(metric, scores, proba * weights[:, None])
            return found, solution.costs

        joined = map(np.concatenate, zip(*scored, strict=True))
        self.thresholds_, self.cost_matrix_ = solved(*joined)
        self.thresholds_per_fold_ = np.array([solved(*fold)[0] for fold in scored])
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def decision_function(self, X: Table) -> Floats:
        """Score samples, shape (n,); the thresholds apply to this score."""
        check_is_fitted(self, "thresholds_")
        return self._scores(self.estimator_, X)

    def predict(self, X: Table) -> Labels:
        """Predict the class label of each row of X, shape (n,)."""
        scores = self.decision_function(X)
        below = np.searchsorted(self.thresholds_, scores, side="left")
        return self.classes_[below]

    @available_if(  # type: ignore[untyped-decorator]
        lambda self: hasattr(getattr(self, "estimator_", self.estimator), "predict_proba")
    )
    def predict_proba(self, X: Table) -> Floats:
        """Predict class probabilities (n, r) by the estimator; they do not depend on the costs."""
        check_is_fitted(self, "thresholds_")
        return predicted_probabilities(self.estimator_, X, self.classes_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    def _out_of_fold(self, X: Table, samples: Samples) -> list[tuple[Integers, Floats]]:
        """Fit ``estimator_``; return test rows and rescaled out-of-fold scores per fold."""
        codes = samples.codes
        folds = Folds.of(self.cv, X, samples.cv_groups, codes)
        if not is_regressor(self.estimator):
            folds.check_classes(codes, self.classes_)
        self.estimator_, centre, spread = self._fit_on(X, samples)
        scored = []
        for train, test in folds:
            training = _safe_indexing(X, train)
            fitted, mean, deviation = self._fit_on(training, samples.take(train))
            scores = self._scores(fitted, _safe_indexing(X, test))
            ratio = spread / deviation if deviation else 0.0
            scored.append((test, centre + (scores - mean) * ratio))
        return scored

    @unrouted()
    def _fit_on(self, X: Table, samples: Samples) -> tuple[Classifier, Floats, Floats]:
        """Fit the estimator to samples; return mean and deviation of their scores, too."""
        codes = samples.codes
        target = codes + 1.0 if is_regressor(self.estimator) else self.classes_[codes]
        options = fit_parameters(self.estimator, samples)
        fitted = clone(self.estimator).fit(X, target, **options)
        return fitted, *moments(self._scores(fitted, X), samples.weights)

    def _scores(self, estimator: Classifier, X: Table) -> Floats:
        scores = ordinal_scores(estimator, X, self.classes_)
        if not np.isfinite(scores).all():
            raise ValueError(
                f"{type(estimator).__name__} gives scores that are not finite"
            )
        return np.asarray(scores, float)
