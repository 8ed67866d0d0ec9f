"""Thresholds for given costs on the score of any estimator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone, is_regressor
from sklearn.model_selection import StratifiedShuffleSplit, check_cv
from sklearn.utils import Bunch, _safe_indexing, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from moselect._types import Floats, Integers
from moselect._validation import (
    check_choice,
    check_unmasked,
    check_weights,
    jobs_for,
    reason_of,
    sum_class_weights,
)
from moselect.decision.costs import Costs, Loss
from moselect.decision.folded_samples import moments
from moselect.decision.thresholds import exact_thresholds, smooth_thresholds
from moselect.metrics.scorers import ordinal_scores, predicted_probabilities
from moselect.models.training import ordinal_target

RESPONSES = ("auto", "decision_function", "predict_proba", "predict")


class HeldOut(NamedTuple):
    """What one fold's estimator says."""

    estimator: Any
    rows: Integers  # held out
    scores: Floats  # of those rows
    centre: float  # mean and standard deviation of the scores it was fitted on
    spread: float


def _has_probabilities(self: CostThresholdClassifier) -> bool:
    return hasattr(getattr(self, "estimator_", self.estimator), "predict_proba")


class CostThresholdClassifier(
    MetaEstimatorMixin,  # type: ignore[misc]
    ClassifierMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Put thresholds for given costs on the score of a classifier or regressor.

    What `sklearn.model_selection.TunedThresholdClassifierCV` does for two classes, for r ordered
    ones: samples are scored by estimators that were not fitted on them, and r - 1 thresholds of
    least cost are found exactly among all cut points between these scores.

    Parameters
    ----------
    estimator : estimator
        A classifier, fitted on the labels, or a regressor, fitted on the ranks 1 .. r.
    class_costs : array-like of shape (r,), optional
        What a mistake costs on a sample of each class, lowest class first; by default 1.
    loss : {"absolute", "squared", "zero_one"}, default="absolute"
        How the cost grows with the distance between the classes.
    cost_matrix : array-like of shape (r, r), optional
        All costs, rows true classes, columns predicted ones; instead of ``class_costs``.
    priors : array-like of shape (r,), optional
        Shares of the classes in use, of sum 1, if they differ from those in the data.
    method : {"smooth", "exact"}, default="smooth"
        ``"smooth"``: least expected cost under calibrated class probabilities, which costs least
        on new data. ``"exact"``: least cost of the samples themselves.
    response_method : {"auto", "decision_function", "predict_proba", "predict"}, default="auto"
        Where the score comes from: a one-dimensional decision function, the expected rank under
        the probabilities, or what is predicted; ``"auto"`` takes the first that there is.
    cv : int, float, splitter, iterable or "prefit", default=5
        Folds, stratified by class; a share to hold out once; or ``"prefit"`` for an estimator that
        has been fitted, on other samples than these.
    refit : bool, default=True
        Whether the estimator is fitted on all samples in the end. Without it there must be one
        split only. Not used with ``cv="prefit"``.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered Categorical.
    n_jobs : int, optional
        Processes for the folds.
    random_state : int, optional
        Seed of the split if ``cv`` is a share.

    Attributes
    ----------
    estimator_ : estimator
        The estimator that scores.
    thresholds_ : ndarray of shape (r - 1,)
        Ascending; class = 1 + number of thresholds strictly below the score.
    thresholds_per_fold_ : ndarray of shape (n_folds, r - 1)
        Thresholds that each fold's held-out samples alone would give. Their spread tells how well
        the data determine each threshold.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    cost_matrix_ : ndarray of shape (r, r)
        The costs.
    n_features_in_, feature_names_in_
        As in ``estimator_``, if it has them.

    Notes
    -----
    The scores of different folds may have different scales, those of linear decision functions
    above all. They are shifted and scaled so that the samples on which each fold's estimator was
    fitted get the mean and standard deviation that ``estimator_`` gives to its own.

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

    def __init__(
        self,
        estimator: Any,
        *,
        class_costs: ArrayLike | None = None,
        loss: Loss = "absolute",
        cost_matrix: ArrayLike | None = None,
        priors: ArrayLike | None = None,
        method: Literal["smooth", "exact"] = "smooth",
        response_method: str = "auto",
        cv: Any = 5,
        refit: bool = True,
        labels: Sequence[Any] | None = None,
        n_jobs: int | None = None,
        random_state: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.class_costs = class_costs
        self.loss = loss
        self.cost_matrix = cost_matrix
        self.priors = priors
        self.method = method
        self.response_method = response_method
        self.cv = cv
        self.refit = refit
        self.labels = labels
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any
    ) -> Self:
        """Fit the estimator and find the thresholds.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Whatever the estimator takes.
        y : array-like of shape (n,)
            Ordinal labels.
        sample_weight : array-like of shape (n,), optional
            Weights of the samples in the costs, and in the estimator if it takes them.
        **fit_params
            Passed to the estimator's ``fit``; arrays of length n are cut to the folds.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If costs, priors, labels or settings are wrong, a fold is fitted without samples of
            some class, or the estimator fails, with its own error as the cause.
        """
        check_choice("method", self.method, ("smooth", "exact"))
        check_choice("response_method", self.response_method, RESPONSES)
        check_unmasked("X", X)
        X, y = indexable(X, y)
        self.classes_, codes = ordinal_target(y, self.labels)
        given = check_weights(sample_weight, len(codes))
        weights = np.ones(len(codes)) if given is None else given
        class_weights = sum_class_weights(codes, weights, len(self.classes_))
        given_costs = Costs(self.class_costs, self.loss, self.cost_matrix, self.priors)
        resolved = given_costs.resolve(self.classes_, class_weights)
        self.cost_matrix_, costs = resolved.matrix, resolved.in_use
        held_out = self._held_out(X, codes, weights, self._fit_params(given, fit_params))
        scores = self._aligned(held_out, X, weights)

        def thresholds(folds: list[int]) -> Floats:
            rows = np.concatenate([held_out[j].rows for j in folds])
            counted = weights[rows] > 0.0
            rows, z = rows[counted], np.concatenate([scores[j] for j in folds])[counted]
            if self.method == "smooth":
                return smooth_thresholds(z, codes[rows], costs, weights[rows])
            return exact_thresholds(z, codes[rows], costs, weights[rows])[0]

        everything = list(range(len(held_out)))
        self.thresholds_ = thresholds(everything)
        self.thresholds_per_fold_ = np.array([thresholds([j]) for j in everything])
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def decision_function(self, X: Any) -> Floats:
        """Score samples, shape (n,): the score to which the thresholds belong."""
        check_is_fitted(self, "thresholds_")
        return self._scores(self.estimator_, X)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class label of each row of X, shape (n,)."""
        scores = self.decision_function(X)
        below = np.searchsorted(self.thresholds_, scores, side="left")
        return np.asarray(self.classes_[below])

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Return the class probabilities (n, r) of the estimator, which do not depend on costs."""
        check_is_fitted(self, "thresholds_")
        return predicted_probabilities(self.estimator_, X, self.classes_)

    def get_metadata_routing(self) -> MetadataRouter:
        """Route the metadata that ``fit`` is given to the estimator's ``fit``."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=self).add_self_request(self)
        return router.add(estimator=self.estimator, method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    def _fit_params(
        self, sample_weight: Floats | None, fit_params: dict[str, Any]
    ) -> dict[str, Any]:
        """Return what the estimator's ``fit`` is to be passed."""
        if get_config()["enable_metadata_routing"]:
            if sample_weight is not None:
                fit_params = fit_params | {"sample_weight": sample_weight}
            routed: Bunch = process_routing(self, "fit", **fit_params)
            return dict(routed.estimator.fit)
        if sample_weight is not None and has_fit_parameter(self.estimator, "sample_weight"):
            return fit_params | {"sample_weight": sample_weight}
        return fit_params

    def _held_out(
        self, X: Any, codes: Integers, weights: Floats, params: dict[str, Any]
    ) -> list[HeldOut]:
        """Score samples by estimators that were not fitted on them, and set ``estimator_``."""
        everything = np.arange(len(codes))
        if isinstance(self.cv, str):
            check_choice("cv", self.cv, ("prefit",))
            check_is_fitted(self.estimator)
            self.estimator_ = self.estimator
            with self._naming("on all samples"):
                scores = self._scores(self.estimator, X)
            return [HeldOut(self.estimator, everything, scores, 0.0, 1.0)]
        splits = list(self._splits(X, codes))
        if not splits:
            raise ValueError("cv gives no folds: give a number of folds, or (train, test) indices")
        if not self.refit and len(splits) > 1:
            raise ValueError(f"refit=False needs a single split, but cv gives {len(splits)}")
        for j, (train, _) in enumerate(splits):
            missing = np.setdiff1d(codes, codes[train])
            if len(missing) and not is_regressor(self.estimator):
                raise ValueError(
                    f"fold {j} would be fitted without class {self.classes_[missing[0]]}: use "
                    "fewer or stratified folds, or merge the class with a neighbour"
                )
        held_out: list[HeldOut] = Parallel(n_jobs=jobs_for(self.n_jobs, len(splits)))(
            delayed(self._fit_fold)(X, codes, weights, params, train, test, f"in fold {j}")
            for j, (train, test) in enumerate(splits)
        )
        if self.refit:
            with self._naming("on all samples"):
                self.estimator_ = self._fit_on(X, codes, params, everything)
        else:
            self.estimator_ = held_out[0].estimator
        return held_out

    def _splits(self, X: Any, codes: Integers) -> Iterable[tuple[Integers, Integers]]:
        if isinstance(self.cv, float):
            if not 0.0 < self.cv < 1.0:
                raise ValueError(f"cv is {self.cv}: a share must lie between 0 and 1")
            once = StratifiedShuffleSplit(1, test_size=self.cv, random_state=self.random_state)
            return once.split(codes, codes)
        return check_cv(self.cv, y=codes, classifier=True).split(X, codes)

    def _fit_fold(
        self,
        X: Any,
        codes: Integers,
        weights: Floats,
        params: dict[str, Any],
        train: Integers,
        test: Integers,
        where: str,
    ) -> HeldOut:
        with self._naming(where):
            fitted = self._fit_on(X, codes, params, train)
            seen = self._scores(fitted, _safe_indexing(X, train))
            scores = self._scores(fitted, _safe_indexing(X, test))
        return HeldOut(fitted, test, scores, *moments(seen, weights[train]))

    @contextmanager
    def _naming(self, where: str) -> Iterator[None]:
        """Name the estimator that fails, and where, whatever it raises."""
        try:
            yield
        except (Exception, SystemExit) as error:
            name = type(self.estimator).__name__
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"{name} failed {where}: {reason_of(error)}") from error

    def _fit_on(self, X: Any, codes: Integers, params: dict[str, Any], rows: Integers) -> Any:
        target = codes + 1.0 if is_regressor(self.estimator) else self.classes_[codes]
        own = {
            name: _safe_indexing(value, rows) if np.shape(value)[:1] == codes.shape else value
            for name, value in params.items()
        }
        return clone(self.estimator).fit(_safe_indexing(X, rows), target[rows], **own)

    def _aligned(self, held_out: list[HeldOut], X: Any, weights: Floats) -> list[Floats]:
        """Return the held-out scores of each fold on the scale of ``estimator_``."""
        if held_out[0].estimator is self.estimator_:
            return [held_out[0].scores]
        centre, spread = moments(self._scores(self.estimator_, X), weights)
        return [
            centre + (fold.scores - fold.centre) * (spread / fold.spread if fold.spread else 0.0)
            for fold in held_out
        ]

    def _scores(self, estimator: Any, X: Any) -> Floats:
        response = None if self.response_method == "auto" else self.response_method
        scores = ordinal_scores(estimator, X, self.classes_, response)
        if not np.isfinite(scores).all():
            raise ValueError(f"{type(estimator).__name__} gives scores that are not finite")
        return np.asarray(scores, dtype=np.float64)
