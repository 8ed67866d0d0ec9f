"""Cost-sensitive linear ordinal classification, and detection of cost-sensitive estimators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from moselect._types import Estimator, Floats, LabelOrder, Labels, Table, Transformer
from moselect.costs.costs import COST_PARAMETERS, CostParameters, Costs, cost_parameters
from moselect.costs.criteria import estimator_costs
from moselect.models.linear.linear_rule import fit_linear_rule
from moselect.models.training_columns import (
    ColumnChoice,
    columns_transformer,
    plain_table,
    unprepared_samples,
)
from moselect.predictor import Model
from moselect.preprocessing.preparation import Preparation, schema_of
from moselect.samples.training import (
    classes_with_samples,
    features_to_predict,
    validated_samples,
)
from moselect.samples.weights import WeightType
from moselect.tables.cells import as_frame
from moselect.tables.features import check_directions, steps_of
from moselect.validation import check_aligned


@dataclass(eq=False, repr=False, kw_only=True)
class CostSensitiveOrdinalClassifier(
    CostParameters,
    ClassifierMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Linear ordinal classifier that minimises the expected misclassification cost.

    The direction minimises the proportional-odds loss together with the smoothed costs;
    the thresholds minimise the expected cost under class probabilities that are
    calibrated along the score.

    Parameters
    ----------
    class_costs : array-like of shape (r,) or mapping by class, optional
        Misclassification cost per true class, lowest class first; 1 by default.
    loss : {"absolute", "squared", "zero_one"}, default="absolute"
        How the cost grows with the distance between the classes.
    cost_matrix : array-like of shape (r, r) or (n, r, r), or callable, optional
        All costs, rows true classes, columns predicted ones; instead of ``class_costs``.
        Cells may be expressions of columns of X, such as ``"0.3 * amount + 50"``; a
        function of X gives (n, r, r). One direction and thresholds are fitted to the
        costs of each row.
    priors : array-like of shape (r,), optional
        Shares of the classes in use, of sum 1, if they differ from those in the data.
    costs : optional
        Costs in any form, in place of the others: by class label, a vector or a matrix, or
        `moselect.Costs`.
    metric : str, optional
        Metric of the confusion matrix to optimise in place of costs, as in
        `moselect.metrics.metric_named`: ``"quadratic_kappa"``, ``"f1:severe"``.
    columns : {"features", "splines", "models"} or transformer, default="features"
        Inputs of the linear rule: the features; spline bases and their products
        (`moselect.preprocessing.SplineColumns`); the out-of-fold scores of several models
        (`moselect.models.ModelColumns`); or the output of a transformer.
    prepare : bool or Preparation, default=True
        Whether categories, dates and missing values of a DataFrame are turned into
        numbers first, and how (`moselect.preprocessing.Preparation`). A table of finite numbers
        stays as it is.
    monotone : mapping of str to {1, -1}, optional
        Columns with which the class may only rise (1) or fall (-1): bounds of the
        coefficients. Columns of an array are called x0, x1 and so on.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered
        Categorical.
    random_state : int, optional
        Seed of random ``columns``; the rule itself is deterministic.

    Attributes
    ----------
    model_ : OrdinalLinearClassifier
        The fitted rule in its deployable form.
    coef_ : ndarray of shape (p,)
        Coefficients, in the units of the columns; 0 for constant columns.
    thresholds_ : ndarray of shape (r - 1,)
        Ascending; class = 1 + number of thresholds strictly below the score.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    cost_matrix_ : ndarray of shape (r, r)
        The cost matrix; of costs of each row the mean given the true class.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    With the features as columns, the result does not depend on the order of the samples,
    and a count of 2 (``weight_type="counts"``) is equivalent to a duplicated sample. Other
    columns are refitted in each fold of the internal cross-validation, so that no test fold
    leaks into the columns.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> model = CostSensitiveOrdinalClassifier(class_costs=[1, 1, 1, 5, 5]).fit(X, y)
    >>> model.coef_.shape, model.thresholds_.shape
    ((13,), (4,))
    """

    columns: ColumnChoice | Transformer = "features"
    prepare: bool | Preparation = True
    monotone: Mapping[str, int] | None = None
    labels: LabelOrder = None
    random_state: int | None = None

    def fit(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        weight_type: WeightType | None = None,
    ) -> Self:
        """Fit the linear rule.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Finite numbers in any units, or a DataFrame of any columns.
        y : array-like of shape (n,)
            Ordinal labels.
        sample_weight : array-like of shape (n,), optional
            Weights of the samples, 0 upwards.
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
            If features, labels, costs or priors are wrong, or a class has no samples.
        """
        directions = check_directions(self.monotone, as_frame(X).columns)
        schema = schema_of(X, self.prepare, directions)
        has_steps = schema is not None or self.columns != "features"
        samples = validated_samples(self, X, y, as_table=has_steps)
        scale = samples.classes
        self.classes_, codes = classes_with_samples(scale, samples.codes)
        roles: dict[str, Any] = {
            "sample_weight": sample_weight,
            "groups": groups,
            "weight_type": weight_type,
        }
        check_aligned(X=X, y=y, **roles)
        if has_steps:
            table = plain_table(X)
            samples = unprepared_samples(table, codes, self.classes_, schema, **roles)
        else:
            samples = replace(samples, codes=codes, classes=self.classes_)
            samples = samples.with_sample_info(**roles)
        samples = samples.with_directions(directions)
        transformer = columns_transformer(
            samples, self.columns, self.prepare, self.random_state
        )
        costs = estimator_costs(self, X, y, scale, samples)
        self.cost_matrix_ = costs.matrix
        self.model_ = fit_linear_rule(samples, transformer, costs)
        self.coef_ = self.model_.coef_
        self.thresholds_ = self.model_.thresholds_
        return self

    def to_predictor(self) -> Model:
        """Return the fitted linear model."""
        return self.model_

    def decision_function(self, X: Table) -> Floats:
        """Score samples, shape (n,); higher means a higher class."""
        checked = self._checked(X)  # raises NotFittedError
        return self.model_.decision_function(checked)

    def predict(self, X: Table) -> Labels:
        """Predict the class label of each row of X, shape (n,)."""
        checked = self._checked(X)
        return self.model_.predict(checked)

    def predict_proba(self, X: Table) -> Floats:
        """Compute class probabilities (n, r) along the score."""
        checked = self._checked(X)
        return self.model_.predict_proba(checked)

    def _checked(self, X: Table) -> Table:
        """Validate X: a numeric array, or the table for the rule's columns."""
        check_is_fitted(self)
        return X if self.model_.columns.steps else features_to_predict(self, X)


def with_costs(model: Estimator, costs: Costs | None) -> Estimator:
    """Clone a model and set its cost parameters, unless it has costs of its own.

    A model takes costs if it, or the last step of a pipeline, has the parameters
    ``class_costs``, ``loss``, ``cost_matrix`` and ``priors``.
    """
    fresh = clone(model)
    last = steps_of(fresh)[-1]
    if costs is None or costs.by_row:
        return fresh  # with costs of each row, class probabilities decide
    if _takes_costs(last) and not _has_costs(last):
        is_metric = costs.metric is not None
        last.set_params(
            **{"metric": costs.metric} if is_metric else cost_parameters(costs)
        )
    return fresh


def has_thresholds(model: Estimator) -> bool:
    """Return whether a model decides for costs: its own ones, or the costs of a linear rule."""
    last = steps_of(model)[-1]
    is_linear = isinstance(last, CostSensitiveOrdinalClassifier)
    return is_linear or (_takes_costs(last) and _has_costs(last))


def _takes_costs(model: Estimator) -> bool:
    return all(hasattr(model, name) for name in COST_PARAMETERS)


def _has_costs(model: Estimator) -> bool:
    names = ("costs", "class_costs", "cost_matrix", "metric", "preferences")
    return any(getattr(model, name, None) is not None for name in names)
