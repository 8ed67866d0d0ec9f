"""`OrdinalStacking`: ordinal stacking ensemble of base models."""

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit
from sklearn.base import MetaEstimatorMixin
from sklearn.utils import check_random_state

from moselect._parallel import one_blas_thread
from moselect._types import (
    Booleans,
    Directions,
    Floats,
    Integers,
    LabelOrder,
    RandomState,
)
from moselect.models.ensemble.base_models import (
    CLIP_PROBA,
    base_models,
    fit_stacking,
    log_odds_above,
    try_member,
)
from moselect.models.ensemble.fit_cache import NO_FOLD, Features, FitCache, FoldSet
from moselect.models.ordinal_classifier import OrdinalClassifier
from moselect.operators.graph import Result, at_all_classes
from moselect.predictor.score_calibration import class_shares, descending
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.training import (
    features_and_codes,
    features_to_predict,
    observed_classes,
)
from moselect.validation import check_weights, weights_or_ones


class OrdinalStacking(MetaEstimatorMixin, OrdinalClassifier):  # type: ignore[misc]
    """Stack the class probabilities of several models by their out-of-fold log-odds.

    ``logit P(y > k) = a_k + sum_b w_b logit P_b(y > k)`` with weights w >= 0 that are
    fitted to out-of-fold predictions of the base models. P(y > k) is made to descend with
    k.

    Parameters
    ----------
    models : sequence or mapping, optional
        Names, estimators, pairs (name, estimator), or a mapping of names to estimators.
        Names: ``"proportional_odds"`` (`ProportionalOdds`), ``"splines"``
        (`AdditiveOdds`), ``"boosting"`` (`BoostedRanks`), ``"gaussian_process"``
        (`GaussianProcessRanks`), ``"extra_trees"`` (`OrdinalExtraTrees`); by default all
        five. Above 5,000 rows the default is the first two, ``"histograms"``
        (`BoostedClasses`) and ``"histograms_of_ranks"`` (`HistogramRanks`), which join
        the five where a selection has categories. ``"cumulative_boosting"``
        (`CumulativeBoosting`) joins the default where a trial on one fold gives it
        weight. Classifiers, which must have ``predict_proba``, are fitted on class codes
        0 .. r - 1; regressors on ranks 1 .. r, and their predictions are calibrated.
    monotone : mapping of str to {1, -1}, or sequence of {1, -1, 0}, optional
        Features, by name, with which the class may only rise (1) or fall (-1), or a
        direction for each feature. Models that cannot keep them are excluded
        (``excluded_``), and decisions are changed as little as the directions require.
    cv : int, splitter or iterable, default=5
        Number of folds, stratified by class; or splits whose test folds partition the samples.
    n_jobs : int, optional
        Number of parallel fits; the result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed of the folds and of the models.
    labels : sequence, optional
        Class labels, lowest first. Required for strings unless they are an ordered
        Categorical. Classes without training samples get probability 0.

    Attributes
    ----------
    models_ : list of StackedModel
        The B models, fitted to all samples (``estimator``), and the calibration of ranks.
    model_names_ : list of str
        Names of the models.
    weights_ : ndarray of shape (B,)
        Non-negative stacking weights of the models' log-odds; they need not sum to 1.
    intercepts_ : ndarray of shape (r - 1,)
        a_k, for classes that have samples.
    excluded_ : dict of str to str
        Excluded models with the reason.
    folds_ : ndarray of shape (n,)
        Fold of each sample.
    oof_ranks_ : ndarray of shape (n, B)
        Out-of-fold expected rank 1 .. r of each sample by each model.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Notes
    -----
    For deterministic models a weight of 2 is equivalent to a repeated row. Randomised trees
    draw other rows if rows are reordered or repeated: individual probabilities then differ
    as between two seeds.

    References
    ----------
    Breiman (1996), Stacked regressions, Machine Learning 24:49-64. Ranjan & Gneiting (2010),
    Combining probability forecasts, Journal of the Royal Statistical Society B 72:71-91.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> stacking = OrdinalStacking(["proportional_odds", "extra_trees"], random_state=1).fit(X, y)
    >>> stacking.predict_proba(X).shape
    (506, 5)
    """

    def __init__(
        self,
        models: object = None,
        *,
        monotone: Directions = None,
        cv: object = 5,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        labels: LabelOrder = None,
    ) -> None:
        self.models = models
        self.monotone = monotone
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.labels = labels

    @one_blas_thread()
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        *,
        folds: Integers | None = None,
        fold_features: Sequence[Floats] | None = None,
    ) -> Self:
        """Fit the base models, to all samples and out of fold, and the stacking weights.

        Parameters
        ----------
        X, y, sample_weight : array-like of shape (n, p), (n,) and (n,)
            Finite features, ordinal labels, and weights if all models take them.
        groups : array-like of shape (n,), optional
            Groups that folds keep together; by default duplicates.
        folds : ndarray of int, shape (n,), optional
            Fold of each sample, in place of ``cv``.
        fold_features : sequence of ndarray of shape (n, p_j), optional
            For each fold, features of all samples from a transformer fitted to its
            training part, if X comes from a transformer fitted to all samples.

        Raises
        ------
        ValueError
            If features, labels or weights are invalid, a model takes no weights, or all
            models are excluded.
        TypeError
            If a model is neither a regressor nor a classifier with probabilities.

        Warns
        -----
        FitFailedWarning
            For each excluded model, which raised or predicted infinite or constant values.
        """
        values, codes = features_and_codes(self, X, y)
        weights = check_weights(sample_weight, len(codes))
        counted = weights_or_ones(weights, len(codes)) > 0.0
        self._observed, _ = observed_classes(self.classes_, codes[counted])
        n_observed = len(self._observed.indices)
        # Classes that only samples of weight 0 have take the next code: they do not count.
        codes = np.searchsorted(self._observed.indices, codes).clip(max=n_observed - 1)
        drawn = check_random_state(self.random_state).randint(2**31 - 1)
        rng = np.random.default_rng(drawn)
        # Seeds are drawn in a fixed order: models first, then folds.
        models = base_models(self.models, int(rng.integers(2**31 - 1)), len(codes))
        groups = None if groups is None else np.asarray(groups)
        samples = Samples(values, codes, np.arange(n_observed), None, weights, groups)
        seed = int(rng.integers(2**31 - 1))
        if folds is None:
            folds = _folds(self.cv, samples, counted, seed)
        signs = self._signs if self._signs.any() else None

        def features(excluded: FoldSet) -> Features:
            # Columns fitted to labels come for each fold, fitted without it.
            if fold_features is None or not excluded:
                return Features(values, signs=signs)
            return Features(fold_features[min(excluded)], signs=signs)

        keeps = signs is not None
        cache = FitCache(
            models, features, samples, folds, self.n_jobs, keeps_directions=keeps
        )
        # Members on trial are for tables of unknown shape; directions leave too few
        # models that keep them.
        if self.models is None and not keeps:
            cache.on_trial = True
            try_member(cache, seed)
        # One fit of each model to all samples, and one that leaves each fold out.
        cache.fit(
            cache.names, [NO_FOLD, *(frozenset([fold]) for fold in cache.fold_numbers())]
        )
        return self._stack(cache)

    def fit_from_cache(self, X: ArrayLike, cache: FitCache, excluded: FoldSet) -> Self:
        """Fit the stacking weights alone, to cached fits of base models.

        The folds ``excluded`` have no part in any of them; the cache must hold the fitted
        models. Any rows of features X (m, p) say how many there are, and their names.
        """
        codes = cache.samples.codes
        features_and_codes(self, X, codes[: len(X)])  # type: ignore[arg-type]
        self._observed, _ = observed_classes(self.classes_, codes)
        return self._stack(cache, excluded)

    def _stack(self, cache: FitCache, excluded: FoldSet = NO_FOLD) -> Self:
        stacked, (self.intercepts_, self.weights_) = fit_stacking(cache, excluded)
        self.model_names_ = list(stacked)
        self.models_ = list(stacked.values())
        self.excluded_ = cache.failures
        self.folds_ = cache.folds
        # Expected ranks of the base models, for columns that a linear model takes.
        self.oof_ranks_ = np.column_stack(
            [
                model.expected_ranks(cache.out_of_fold(name, excluded))
                for name, model in stacked.items()
            ]
        )
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Compute the score of each row of X, shape (n,); higher means a higher class.

        The mean over k of the combined log-odds of "above class k".
        """
        return self._log_odds(X).mean(axis=1)

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities, shape (n, r)."""
        # Log-odds combined at each boundary may cross: P(y > k) is made to descend.
        proba = class_shares(descending(expit(self._log_odds(X))))
        return self._observed.at_all_classes(proba)

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to class probabilities (n, r).

        ValueError if a base model is none of ours.
        """
        stacked = []
        for model, weight in zip(self.models_, self.weights_.tolist(), strict=True):
            # A lower triangle sums the probabilities of the classes above each boundary.
            above = np.tri(model.n_classes, model.n_classes - 1, -1)
            share = (model.operators(X) @ above).clip(CLIP_PROBA, 1.0 - CLIP_PROBA)
            odds = (share / (1.0 - share)).apply("Log")
            stacked.append(odds * weight)
        score = reduce(add, stacked) + self.intercepts_[None, :]
        indices, n_classes = self._observed
        return at_all_classes(score.apply("Sigmoid"), indices, n_classes)

    def _log_odds(self, X: ArrayLike) -> Floats:
        """Compute the combined log-odds (n, r - 1) of "above class k"."""
        values = features_to_predict(self, X)
        probas = (
            model.probabilities(model.predictions(values)) for model in self.models_
        )
        log_odds = np.stack([log_odds_above(proba) for proba in probas], axis=2)
        return log_odds @ self.weights_ + self.intercepts_


def _folds(cv: object, samples: Samples, counted: Booleans, seed: int) -> Integers:
    """Return the fold of each sample, 0 for samples of weight 0, which are not used."""
    codes = samples.codes
    groups = samples.cv_groups
    if not isinstance(cv, int | np.integer):
        return Folds.of(cv, samples.X, groups, codes, seed).index
    folds = np.zeros(len(codes), dtype=np.int64)
    # Folds are stratified among the samples that count, others stay in fold 0.
    folds[counted] = Folds.deal(groups[counted], codes[counted], int(cv), seed=seed).index
    return folds
