"""Ordinal scorecard with integer points for a few conditions."""

from __future__ import annotations

from copy import copy
from dataclasses import KW_ONLY, dataclass, replace
from numbers import Integral
from typing import Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.utils import check_scalar
from sklearn.utils.validation import check_is_fitted, validate_data

from moselect._parallel import one_blas_thread
from moselect._types import Directions, Floats, Integers, LabelOrder, Table, record
from moselect.budgets import SCORECARD
from moselect.models.learner import Learner
from moselect.models.maximum_likelihood import log_likelihoods
from moselect.models.ordinal_classifier import OrdinalClassifier
from moselect.models.scorecard.path import LONGEST, fit_path
from moselect.models.scorecard.sheet import (
    conditions_by_column,
    outputs_of,
    without_unused,
)
from moselect.predictor import OrdinalLinearClassifier
from moselect.preprocessing import Preparation
from moselect.preprocessing.columns import TakesTables
from moselect.preprocessing.condition_columns import ConditionColumns
from moselect.preprocessing.date_columns import DateColumns
from moselect.samples.duplicates import duplicate_groups
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.training import (
    merge_equal,
    observed_classes,
    validated_samples,
)
from moselect.tables.cells import as_frame
from moselect.tables.features import NO_DIRECTION

# excess log loss accepted for a shorter scorecard
LOSS_TOLERANCE = 0.002


@dataclass(eq=False, repr=False)
class Scorecard(TakesTables, OrdinalClassifier):
    """Classify by the sum of integer points for a few binary conditions.

    ``P(y <= k | x) = F(b_k - a s(x))`` with the logistic F and the sum of points s. The
    conditions are thresholded features with round split points, levels of categories,
    missing values and parts of dates. They are selected one by one, with swaps, by the
    likelihood of proportional odds. The fitted target is the mean of each observed class
    and of its probabilities under an additive model (`moselect.models.AdditiveOdds`),
    which have less noise.

    Parameters
    ----------
    n_conditions : int or "cv", default=8
        Number of conditions, fewer if further ones do not raise the likelihood.
        ``"cv"``: the number from 1 to 20 with the least cross-validated log loss, or a
        smaller one within 0.002 of it.
    points : int, default=5
        Largest number of points of a condition, in absolute value.
    monotone : mapping of str to {1, -1}, or sequence of {1, -1, 0}, optional
        Features, by name, whose higher values may only raise (1) or lower (-1) the sum, or
        a direction for each feature.
    prepare : Preparation, optional
        How the table is read, such as ``Preparation(drop=["postcode"])`` to leave
        features out. In columns of many levels only the most frequent ones are distinct.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered
        Categorical.

    Attributes
    ----------
    card_ : DataFrame
        The ``condition`` and the ``points`` of each, by feature.
    thresholds_ : ndarray of shape (r - 1,)
        Highest sum of each class but the highest: class = 1 + number of thresholds below
        the sum.
    probabilities_ : DataFrame of shape (n_sums, r)
        Class probabilities of every possible sum.
    n_conditions_ : int
        Conditions on the card.
    log_losses_ : Series
        Cross-validated log loss by the number of conditions; only with ``"cv"``.
    rule_ : OrdinalLinearClassifier
        The card as a linear model, with proportional odds along the sum, to be stored and
        exported.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    References
    ----------
    Liu, Zhong, Li, Seltzer & Rudin (2022), FasterRisk: fast and accurate interpretable
    risk scores, NeurIPS 35.
    Ustun & Rudin (2019), Learning optimized risk scores, Journal of Machine Learning
    Research 20(150):1-75. Both are for two classes.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> model = Scorecard(n_conditions=3, monotone={"RM": 1}).fit(X, y)
    >>> model.card_.columns.tolist(), len(model.card_)
    (['condition', 'points'], 3)
    >>> model.with_conditions(8).predict_proba(X).shape
    (506, 5)
    """

    _in_order = False  # decisions along one score rise anyway
    _longest = LONGEST  # conditions of the path, unless n_conditions is larger

    n_conditions: int | Literal["cv"] = 8
    points: int = 5
    _: KW_ONLY
    monotone: Directions = None
    prepare: Preparation | None = None
    labels: LabelOrder = None

    @one_blas_thread()
    def fit(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Fit to a table (n, p) of any columns, ordinal labels (n,) and weights (n,).

        Cross-validation keeps ``groups`` (n,) in one fold, by default duplicates in the
        columns in use.

        Raises
        ------
        ValueError
            If settings, features or labels are wrong, or no condition tells samples
            apart.
        """
        check_scalar(self.points, "points", Integral, min_val=1)
        most = self._longest
        if self.n_conditions != "cv":
            check_scalar(self.n_conditions, "n_conditions", Integral, min_val=1)
            most = max(most, self.n_conditions)
        samples = validated_samples(self, X, y, sample_weight, groups, as_table=True)
        # conditions are placed on samples that count
        samples = samples.take(samples.sample_weight_or_ones > 0.0)
        prepare = self.prepare or Preparation()
        prepare = prepare.with_schema(prepare.schema_of(samples.X))
        self._preparation = clone(prepare).fit(samples.X)
        prepared = self._preparation.transform(samples.X)
        self._conditions = ConditionColumns().fit(prepared, sample_weight=samples.weights)
        signs = self._condition_signs(samples.X)
        # Equal rows of one class are merged: only distinct rows are fitted.
        values, merged, merged_weights = merge_equal(
            prepared.to_numpy(), samples.codes, samples.weights
        )
        observed, merged = observed_classes(self.classes_, merged)
        met = self._conditions.transform(pd.DataFrame(values, columns=prepared.columns))
        path = fit_path(values, met, merged, merged_weights, most, self.points, signs)
        if not path:
            raise ValueError(
                "no condition tells classes apart: there are too few samples"
            )
        self._path = [card.of_all_classes(observed) for card in path]
        n_conditions = self.n_conditions
        if n_conditions == "cv":
            # Duplicates are equal in the columns in use, whatever their identifiers.
            used = samples.X[self._preparation.used]
            copy_groups = duplicate_groups(used, samples.codes)
            samples = replace(samples, copy_groups=copy_groups)
            self.log_losses_ = self._log_losses(samples, prepare)
            as_good = self.log_losses_ <= self.log_losses_.min() + LOSS_TOLERANCE
            # The shortest card whose loss is within the tolerance of the least.
            n_conditions = int(as_good.idxmax())
        self._take(n_conditions)
        return self

    def with_conditions(self, n_conditions: int) -> Self:
        """Select the scorecard with another number of conditions, 1 to 20, from the same fit.

        Raises
        ------
        ValueError
            If the number is out of range.
        NotFittedError
            If there is no fit yet.
        """
        check_is_fitted(self)
        if not 1 <= n_conditions <= LONGEST:
            raise ValueError(
                f"n_conditions is {n_conditions}: give a number from 1 to {LONGEST}"
            )
        other = copy(self)
        other.n_conditions = n_conditions
        other._take(n_conditions)
        return other

    def to_predictor(self) -> OrdinalLinearClassifier:
        """Return the scorecard as a frozen linear model."""
        return self.rule_

    def decision_function(self, X: Table) -> Floats:
        """Compute the sums of points, shape (n,); higher means a higher class."""
        check_is_fitted(self)
        frame = as_frame(X)
        validate_data(self, X, skip_check_array=True, reset=False)
        return self.rule_.decision_function(frame)

    def predict_proba(self, X: Table) -> Floats:
        """Compute the class probabilities (n, r) of the sums."""
        scores = self.decision_function(X)  # raises NotFittedError
        return self.rule_.probabilities(scores, None)

    def path_probabilities(self, X: Table) -> Floats:
        """Compute the class probabilities (20, n, r) by cards of 1 to 20 conditions."""
        met = self._conditions.transform(self._preparation.transform(as_frame(X)))
        proba = [
            card.line.probabilities(met[:, card.conditions] @ card.points)
            for card in self._path[:LONGEST]
        ]
        # A short path repeats its last card.
        return np.array(proba + proba[-1:] * (LONGEST - len(proba)))

    def _take(self, n_conditions: int) -> None:
        """Set the fitted attributes from a scorecard of the path."""
        card = self._path[min(n_conditions, len(self._path)) - 1]
        self.n_conditions_ = len(card.conditions)
        chosen = [self._conditions.conditions_[k] for k in card.conditions]
        preparation, conditions = without_unused(self._preparation, chosen)
        # All sums that points can give, from the negative ones to the positive.
        low = card.points.clip(max=0).sum()
        high = card.points.clip(min=0).sum()
        sums = pd.Index(np.arange(low, high + 1), name="sum")
        proba = card.line.probabilities(sums.to_numpy(float))
        self.probabilities_ = pd.DataFrame(proba, sums, self.classes_)
        codes = proba.argmax(axis=1)
        # Classes by the most probable one at each sum: a threshold lies between two sums.
        below = np.searchsorted(codes, np.arange(len(self.classes_) - 1), side="right")
        self.thresholds_ = sums[0] + below - 1.0
        self.rule_ = OrdinalLinearClassifier(
            card.points.astype(float),
            self.thresholds_,
            self.classes_,
            conditions.get_feature_names_out().tolist(),
            make_pipeline(preparation, conditions),
            card.line,
        )
        lines = [
            (
                f"{each.column.name} {each.column.above(each.place, each.above)}",
                each.points,
            )
            for conditions_of_column in conditions_by_column(self.rule_)
            for each in conditions_of_column
        ]
        self.card_ = pd.DataFrame(lines, columns=["condition", "points"])

    def _condition_signs(self, frame: pd.DataFrame) -> Integers:
        """Return the sign of the points of each condition, 0 for any, shape (m,)."""
        signs = dict(zip(frame.columns, self._signs, strict=True))
        for column in self._preparation.columns_:
            ordered = column.is_value(0) and not isinstance(column, DateColumns)
            if signs.get(column.name) and not ordered:
                raise ValueError(f"column {column.name!r} has no order: {NO_DIRECTION}")
        outputs = outputs_of(self._preparation)
        sources = [outputs[each.feature] for each in self._conditions.conditions_]
        # Categories and missing values have no direction, only numbers do.
        return np.array(
            [signs.get(each.name, 0) * each.is_value(place) for each, place in sources]
        )

    def _log_losses(self, samples: Samples, prepare: Preparation) -> pd.Series:
        """Compute the cross-validated log loss by the number of conditions."""
        codes = samples.codes
        folds = Folds.deal(samples.cv_groups, codes, SCORECARD.folds, samples.weights)
        longest = clone(self).set_params(n_conditions=LONGEST, prepare=prepare)
        _, proba = CardLearner(longest).cross_validate_path(samples, folds)
        likelihoods = log_likelihoods(proba, codes)
        losses = -np.average(likelihoods, axis=1, weights=samples.weights)
        return pd.Series(losses, pd.RangeIndex(1, LONGEST + 1, name="conditions"))


@record
class CardLearner(Learner):
    """Learner of scorecards.

    Attributes
    ----------
    card : Scorecard
        Unfitted scorecard; ``labels`` come from the samples.
    longest : int
        Conditions of longer scorecards on the path of a fit.
    """

    card: Scorecard
    longest: int = 0

    def fit(self, samples: Samples, criteria: object = None) -> Scorecard:
        """Fit the scorecard."""
        fresh = clone(self.card).set_params(labels=list(range(samples.n_classes)))
        if samples.directions:
            fresh.set_params(monotone=samples.directions)
        fresh._longest = self.longest
        return fresh.fit(samples.X, samples.codes, samples.weights, samples.groups)

    def cross_validate_path(
        self, samples: Samples, folds: Folds
    ) -> tuple[list[Scorecard], Floats]:
        """Fit the scorecard of each fold, and predict by its path, (20, n, r).

        One fit a fold: the path of the longest card contains all shorter ones.
        """
        learner = replace(self, longest=LONGEST)
        cards = [learner.fit(samples.take(train)) for train, _ in folds]
        proba = [
            card.path_probabilities(samples.take(test).X)
            for card, (_, test) in zip(cards, folds, strict=True)
        ]
        return cards, np.concatenate(proba, axis=1)[:, folds.order]

    def cross_validate_lengths(self, samples: Samples, folds: Folds) -> dict[str, Floats]:
        """Cross-validate scorecards of 1 to 20 conditions.

        Returns their probabilities ``proba`` (20, n, r) and mean number of ``columns`` (20,).
        """
        cards, proba = self.cross_validate_path(samples, folds)
        columns = [
            [len(conditions_by_column(card.with_conditions(k).rule_)) for card in cards]
            for k in range(1, LONGEST + 1)
        ]
        return {"proba": proba, "columns": np.mean(columns, axis=1)}
