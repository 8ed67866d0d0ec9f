"""`CostSensitiveOrdinalClassifier`: from a table and costs to the linear rule that costs least."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from moselect._validation import check_weights, sum_class_weights
from moselect.decision.costs import Costs, Loss
from moselect.decision.goal import Goal
from moselect.decision.linear_rule import LinearRuleFitter
from moselect.models import OrdinalLinearClassifier, ordinal_target

Floats = NDArray[np.float64]


class CostSensitiveOrdinalClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fit the linear direction and thresholds that cost least on new data.

    Proportional odds, tuned to the costs, gives the direction; thresholds are those of least
    expected cost under the class probabilities along it.

    Parameters
    ----------
    class_costs : array-like of shape (r,), optional
        What a mistake costs on a sample of each class, lowest class first; by default 1.
    loss : {"absolute", "squared", "zero_one"}, default="absolute"
        How the cost grows with the distance between the classes.
    cost_matrix : array-like of shape (r, r), optional
        All costs, rows true classes, columns predicted ones; instead of ``class_costs``.
    priors : array-like of shape (r,), optional
        Shares of the classes in use, of sum 1, if they differ from those in the data.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered Categorical.

    Attributes
    ----------
    model_ : OrdinalLinearClassifier
        The rule, to be handed over.
    coef_ : ndarray of shape (p,)
        Weights, in the units of the features; 0 for constant ones.
    thresholds_ : ndarray of shape (r - 1,)
        Ascending; class = 1 + number of thresholds strictly below the score.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    cost_matrix_ : ndarray of shape (r, r)
        The costs.
    penalty_ : float
        Ridge penalty on the standardised weights, chosen by cross-validated likelihood.
    n_features_in_ : int
        p.

    Notes
    -----
    The result depends on nothing but the samples and their weights: not on their order, and a
    weight of 2 is a sample that is there twice.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> model = CostSensitiveOrdinalClassifier(class_costs=[1, 1, 1, 5, 5]).fit(X, y)
    >>> model.coef_.shape, model.thresholds_.shape
    ((13,), (4,))
    """

    def __init__(
        self,
        *,
        class_costs: ArrayLike | None = None,
        loss: Loss = "absolute",
        cost_matrix: ArrayLike | None = None,
        priors: ArrayLike | None = None,
        labels: Sequence[Any] | None = None,
    ) -> None:
        self.class_costs = class_costs
        self.loss = loss
        self.cost_matrix = cost_matrix
        self.priors = priors
        self.labels = labels

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Finite features, in any units.
        y : array-like of shape (n,)
            Ordinal labels.
        sample_weight : array-like of shape (n,), optional
            Weights of the samples.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If features, labels, costs or priors are wrong, or a class has no samples.
        """
        self.classes_, codes = ordinal_target(y, self.labels)
        values = validate_data(self, X, dtype=np.float64)
        if len(values) != len(codes):
            raise ValueError(f"X has {len(values)} rows but y has {len(codes)} labels")
        weights = check_weights(sample_weight, len(codes))
        class_weights = sum_class_weights(codes, weights, len(self.classes_))
        given_costs = Costs(self.class_costs, self.loss, self.cost_matrix, self.priors)
        costs = given_costs.resolve(self.classes_, class_weights)
        self.cost_matrix_ = costs.matrix
        fitter = LinearRuleFitter(values, codes, len(self.classes_), weights)
        rule = fitter.fit(Goal(costs.in_use))
        names = tuple(map(str, getattr(self, "feature_names_in_", ()))) or None
        self.penalty_ = fitter.penalty
        self.model_ = OrdinalLinearClassifier(
            rule.weights,
            rule.thresholds,
            self.classes_,
            names,
        )
        return self

    @property
    def coef_(self) -> Floats:
        """Weights, shape (p,)."""
        return self.model_.coef_

    @property
    def thresholds_(self) -> Floats:
        """Cut points, shape (r - 1,)."""
        return self.model_.thresholds_

    def decision_function(self, X: ArrayLike) -> Floats:
        """Score samples, shape (n,); higher means a higher class."""
        check_is_fitted(self)
        return self.model_.decision_function(validate_data(self, X, dtype=np.float64, reset=False))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Predict the class label of each row of X, shape (n,)."""
        check_is_fitted(self)
        return self.model_.predict(validate_data(self, X, dtype=np.float64, reset=False))
