"""Learners: candidates and scikit-learn estimators; their predictions."""

import math
from dataclasses import replace
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import is_regressor
from sklearn.dummy import DummyClassifier

from moselect._types import Array, Estimator, Floats, Integers, record
from moselect.costs.decisions import least_expected_cost
from moselect.labels.labels import encode_labels
from moselect.metrics.scorers import ordinal_scores, predicted_probabilities
from moselect.models.wrapped_classifier import fit_to_target
from moselect.predictor.conversion import Deployable, to_predictor
from moselect.predictor.model import Model
from moselect.samples.samples import Samples
from moselect.samples.training import seeded
from moselect.tables.features import steps_of
from moselect.validation import at_rows, check_probabilities


class FitError(RuntimeError):
    """A model cannot be fitted, or its predictions are invalid.

    Examples
    --------
    >>> str(FitError("it forgets class 3 of 3, from the lowest (fold 2)"))
    'it forgets class 3 of 3, from the lowest (fold 2)'
    """


class Predictions(NamedTuple):
    """Predictions for samples: class codes (n,), scores (n,) and, if any, probabilities (n, r).

    Examples
    --------
    >>> costs = np.array([[0.0, 1.0], [5.0, 0.0]])
    >>> predictions = Predictions.of(np.array([[0.7, 0.3]]))
    >>> predictions.codes, predictions.scores, predictions.with_decision(costs).codes
    (array([0]), array([1.3]), array([1]))
    """

    codes: Integers
    scores: Floats
    proba: Floats | None

    @classmethod
    def of(cls, proba: Floats) -> Self:
        """Derive most probable classes, and expected ranks 1 .. r as scores, from probabilities."""
        ranks = proba @ np.arange(1.0, proba.shape[1] + 1.0)
        return cls(proba.argmax(axis=1), ranks, proba)

    def take(self, rows: Array) -> Self:
        """Return the predictions for some samples, by index or mask."""
        proba = at_rows(self.proba, rows)
        return self._replace(
            codes=self.codes[rows], scores=self.scores[rows], proba=proba
        )

    def with_decision(self, costs: Floats | None) -> Self:
        """Predict the classes of least expected cost instead, if costs are given."""
        if costs is None or self.proba is None:
            return self
        return self._replace(codes=least_expected_cost(self.proba, costs))


class Learner:
    """Base class of learners: a candidate that fits samples, preprocessing included.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> learner = EstimatorLearner(GaussianNB())
    >>> X, codes = np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1])
    >>> samples = Samples(X, codes, np.array(["low", "high"]))
    >>> learner.predict(learner.fit(samples), samples).codes
    array([0, 0, 0, 1, 1, 1])
    """

    def for_fold(self, number: int) -> Self:
        """Return the learner of a fold, with a seed of its own if it has any."""
        return self

    def fit(self, samples: Samples, criteria: object = None) -> Any:
        """Fit a model to samples; ``criteria`` are the decision loss, if it depends on one."""
        raise NotImplementedError

    def predict(self, model: Any, samples: Samples) -> Predictions:
        """Predict samples by a fitted model; classes without training samples get 0."""
        classes = np.arange(samples.n_classes)
        return Predictions.of(predicted_probabilities(model, samples.X, classes))

    def to_predictor(self, model: Estimator) -> Model | None:
        """Convert a fitted model to its frozen form; None if it has none."""
        return to_predictor(model)


class RuleLearner(Learner):
    """Base class of learners whose models are frozen, with decisions for the decision loss."""

    def predict(self, model: Model, samples: Samples) -> Predictions:
        """Predict samples by the decisions, scores and probabilities of the model."""
        scores, proba = model.outputs(samples.X)
        codes = model.codes(scores, proba, samples.X)
        return Predictions(codes, scores, model.probabilities(scores, proba))


@record
class EstimatorLearner(Learner):
    """Scikit-learn classifier or regressor, cloned and fitted to class codes.

    A regressor predicts the nearest class.

    Attributes
    ----------
    estimator : estimator
        Not fitted.
    seed : int
        Seed of each ``random_state`` that is None; the seeds of folds are derived from
        it.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> learner = EstimatorLearner(LinearRegression())
    >>> samples = Samples(np.arange(3.0)[:, None], np.arange(3), np.array([1, 2, 3]))
    >>> learner.predict(learner.fit(samples), samples).scores.round(6)
    array([0., 1., 2.])
    """

    estimator: Estimator
    seed: int = 0

    def for_fold(self, number: int) -> Self:
        """Return a copy of the learner with the seed of a fold."""
        seed = np.random.SeedSequence([self.seed, number]).generate_state(1)[0]
        return replace(self, seed=int(seed))

    def fit(self, samples: Samples, criteria: object = None) -> Any:
        """Fit a clone."""
        model = seeded(self.estimator, self.seed)
        target = samples.codes.astype(float if is_regressor(model) else np.int64)
        fitted = fit_to_target(model, samples, target)
        if getattr(fitted, "interrupted_", False):
            raise KeyboardInterrupt  # half a search is no result
        return fitted

    def predict(self, model: Any, samples: Samples) -> Predictions:
        """Predict samples; ValueError if no measure can use the predictions."""
        X = samples.X
        n = len(samples)
        classes = np.arange(samples.n_classes)
        scores = np.reshape(ordinal_scores(model, X, classes), n).astype(float)
        if not np.isfinite(scores).all():
            raise ValueError("the model gives scores that are not finite")
        if is_regressor(model):
            nearest = np.clip(np.rint(scores), 0, len(classes) - 1)
            return Predictions(nearest.astype(int), scores, None)
        proba: Floats | None = None
        if hasattr(model, "predict_proba"):
            proba = check_probabilities(predicted_probabilities(model, X, classes), n)
        codes = encode_labels(np.reshape(model.predict(X), n), classes)
        return Predictions(codes, scores, proba)


def count_terms(model: object) -> float:
    """Return the number of terms of a fitted model, NaN if it is no sum of terms.

    A term is a feature with a coefficient, a spline or product of features, or a condition
    with points; a model with a sum for each class or boundary counts all of them. Trees,
    kernels, networks and ensembles are no sums of terms.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> count_terms(LinearRegression().fit([[0.0, 1.0], [1.0, 1.0]], [0, 1]))
    1.0
    """
    last = steps_of(model)[-1]
    if isinstance(last, DummyClassifier):
        return 0.0
    if isinstance(last, Deployable):
        return last.to_predictor().n_terms
    if hasattr(last, "coef_"):
        return float(np.count_nonzero(last.coef_))
    return math.nan
