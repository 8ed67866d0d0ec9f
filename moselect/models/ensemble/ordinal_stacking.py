"""`OrdinalStacking`: ensemble of base models; `ModelColumns`: their ranks as features."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import reduce
from operator import add
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import MetaEstimatorMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from moselect._parallel import one_blas_thread
from moselect._types import (
    Booleans,
    CrossValidation,
    Directions,
    Document,
    Estimator,
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
)
from moselect.models.ensemble.fit_cache import NO_FOLD, Features, FitCache, FoldSet
from moselect.models.ordinal_classifier import OrdinalClassifier
from moselect.operators.feature_graph import Arrays, FeatureGraph
from moselect.operators.graph import Result, at_all_classes, concatenated
from moselect.predictor.score_calibration import class_shares, descending
from moselect.preprocessing.columns import Columns
from moselect.preprocessing.graph_columns import MODEL_COLUMNS, GraphColumns
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.training import (
    features_to_predict,
    observed_classes,
    validated_samples,
)
from moselect.tables.features import signs_of


@dataclass(eq=False, repr=False)
class OrdinalStacking(MetaEstimatorMixin, OrdinalClassifier):  # type: ignore[misc]
    """Stack the class probabilities of several models by their out-of-fold log-odds.

    ``logit P(y > k) = a_k + sum_b w_b logit P_b(y > k)`` with weights w >= 0 that are
    fitted to out-of-fold predictions of the base models. P(y > k) is made to descend with
    k.

    Parameters
    ----------
    models : sequence, optional
        Names, or pairs (name, estimator). Names: ``"proportional_odds"``
        (`ProportionalOdds`), ``"splines"`` (`AdditiveOdds`), ``"gaussian_process"``
        (`GaussianProcessRanks`), ``"boosted_ranks"`` (`BoostedRanks`),
        ``"boosted_classes"`` (`BoostedClasses`); by default all five. Classifiers, which must
        have ``predict_proba``, are fitted on class codes 0 .. r - 1; regressors on ranks
        1 .. r, and their predictions are calibrated.
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
    >>> stacking = OrdinalStacking(["proportional_odds", "splines"], random_state=1).fit(X, y)
    >>> stacking.predict_proba(X).shape
    (506, 5)
    """

    models: Iterable[str | tuple[str, Estimator | str]] | None = None
    _: KW_ONLY
    monotone: Directions = None
    cv: CrossValidation = 5
    n_jobs: int | None = None
    random_state: RandomState = None
    labels: LabelOrder = None

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
        samples = validated_samples(self, X, y, sample_weight, groups)
        counted = samples.sample_weight_or_ones > 0.0
        self._observed, _ = observed_classes(self.classes_, samples.codes[counted])
        n_observed = len(self._observed.indices)
        # Classes that only samples of weight 0 have take the next code: they do not count.
        codes = np.searchsorted(self._observed.indices, samples.codes)
        codes = codes.clip(max=n_observed - 1)
        signs = self._signs
        samples = replace(
            samples,
            codes=codes,
            classes=np.arange(n_observed),
            directions={f"x{j}": int(signs[j]) for j in np.flatnonzero(signs)},
        )
        drawn = check_random_state(self.random_state).randint(2**31 - 1)
        rng = np.random.default_rng(drawn)
        # Seeds are drawn in a fixed order: models first, then folds.
        models = base_models(self.models, int(rng.integers(2**31 - 1)))
        seed = int(rng.integers(2**31 - 1))
        if folds is None:
            folds = _folds(self.cv, samples, counted, seed)

        def features(excluded: FoldSet) -> Features:
            # Columns fitted to labels come for each fold, fitted without it.
            values = samples.X
            if fold_features is not None and excluded:
                values = fold_features[min(excluded)]
            return Features(values, signs=samples.signs_of(None, values.shape[1]))

        cache = FitCache(models, features, samples, folds, self.n_jobs)
        # One fit of each model to all samples, and one that leaves each fold out.
        cache.fit(
            cache.names, [NO_FOLD, *(frozenset([fold]) for fold in cache.fold_numbers())]
        )
        return self._stack(cache)

    def fit_from_cache(self, X: ArrayLike, cache: FitCache, excluded: FoldSet) -> Self:
        """Fit the stacking weights alone, to cached fits of base models.

        The fits do not use the folds ``excluded``; the cache must hold the fitted models. The
        number of features and their names come from X (m, p), whatever its rows.
        """
        codes = cache.samples.codes
        validated_samples(self, X, codes[: len(X)])  # type: ignore[arg-type]
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
            stacked.append((share / (1.0 - share)).apply("Log") * weight)
        score = reduce(add, stacked) + self.intercepts_[None, :]
        return at_all_classes(score.apply("Sigmoid"), *self._observed)

    def _log_odds(self, X: ArrayLike) -> Floats:
        """Compute the combined log-odds (n, r - 1) of "above class k"."""
        values = features_to_predict(self, X)
        probas = (
            model.probabilities(model.predictions(values)) for model in self.models_
        )
        log_odds = np.stack([log_odds_above(proba) for proba in probas], axis=2)
        return log_odds @ self.weights_ + self.intercepts_


def _folds(
    cv: CrossValidation, samples: Samples, counted: Booleans, seed: int
) -> Integers:
    """Return the fold of each sample, 0 for samples of weight 0, which are not used."""
    codes = samples.codes
    groups = samples.cv_groups
    if not isinstance(cv, int | np.integer):
        return Folds.of(cv, samples.X, groups, codes, seed).index
    folds = np.zeros(len(codes), int)
    # Folds are stratified among the samples that count, others stay in fold 0.
    folds[counted] = Folds.deal(groups[counted], codes[counted], int(cv), seed=seed).index
    return folds


class ModelColumns(TransformerMixin, OrdinalStacking, Columns):  # type: ignore[misc]
    """Transform features into the expected ranks predicted by the members of an ensemble.

    ``fit_transform`` returns out-of-fold predictions; ``transform`` predicts new samples by
    models fitted to all training samples. As with `sklearn.preprocessing.TargetEncoder`,
    ``fit(X, y).transform(X)`` therefore differs from ``fit_transform(X, y)`` and must not
    be used for training: models trained on it cost up to 40 % more out of sample.

    Parameters and attributes as in `OrdinalStacking`, except that directions of features
    that X lacks are ignored.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> X = X[["RM", "LSTAT"]]
    >>> columns = ModelColumns(["proportional_odds", "splines"], random_state=1)
    >>> ranks = columns.fit_transform(X, y)
    >>> ranks.shape, columns.get_feature_names_out().tolist()
    ((506, 2), ['proportional_odds', 'splines'])
    """

    document_name = MODEL_COLUMNS
    cross_fitted = True

    @property
    def _signs(self) -> Integers:
        # The preprocessing of a fold may exclude columns that have a direction.
        return signs_of(self.monotone, self.names_in, self.n_features_in_)

    def fit_transform(  # type: ignore[override]
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Floats:
        """Fit the models; return out-of-fold expected ranks 1 .. r, shape (n, B)."""
        return self.fit(X, y, sample_weight, groups).oof_ranks_

    def transform(self, X: ArrayLike) -> Floats:
        """Compute the expected ranks 1 .. r of new samples, shape (n, B)."""
        values = features_to_predict(self, X)
        return np.column_stack(
            [model.expected_ranks(model.predictions(values)) for model in self.models_]
        )

    def get_feature_names_out(
        self, input_features: Sequence[str] | None = None
    ) -> NDArray[np.object_]:
        """Return the names of the models, shape (B,)."""
        check_is_fitted(self)
        return np.array(self.model_names_, object)

    def frozen(self) -> GraphColumns:
        """Return the fitted columns as a graph; ValueError for models of one's own."""

        def ranks(X: Result) -> Result:
            return concatenated([model.rank_operators(X) for model in self.models_])

        graph = FeatureGraph.of(ranks, self.n_features_in_)
        return GraphColumns(self.model_names_, graph, self.names_in)

    @property
    def column_signs_(self) -> Integers:
        """Sign of each score's weight that keeps the directions, 0 for any, shape (B,)."""
        sign = int(self.monotone is not None)
        return np.full(len(self.model_names_), sign, int)

    def to_document(self) -> Document:
        """Serialise as plain values, except the arrays of the graph."""
        return self.frozen().to_document()

    @property
    def arrays(self) -> Arrays:
        """Arrays of the graph."""
        return self.frozen().arrays
