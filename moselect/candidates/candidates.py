"""Candidates of one table: their learners, and lazily cross-validated fits."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from joblib import cpu_count
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline, make_pipeline

from moselect._parallel import no_report
from moselect._types import Estimator, Transformer
from moselect.budgets import CROSS_VALIDATION, PARALLEL
from moselect.candidates.cross_validation import (
    CV,
    Fitted,
    cross_validate,
    fit_to_all,
    join_folds,
)
from moselect.candidates.names import BASES, TRIVIAL
from moselect.candidates.shared_fits import (
    BaseModelLearner,
    EnsembleLearner,
    SharedFits,
    SharedLearner,
)
from moselect.costs.decision_loss import DecisionLoss
from moselect.models import WrappedClassifier
from moselect.models.learner import EstimatorLearner, Learner, Predictions
from moselect.models.linear.linear_rule import fit_linear_rule
from moselect.models.scorecard.estimator import Scorecard
from moselect.models.scorecard.path import CardLearner
from moselect.models.training_columns import ColumnChoice, columns_transformer
from moselect.predictor import Model
from moselect.preprocessing.preparation import Preparation, preparation_for
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.tables.features import Schema, steps_of


@dataclass(frozen=True, eq=False)
class CandidateFactory:
    """Factory of the candidates of one table, fitted to class codes 0 .. r - 1.

    Attributes
    ----------
    schema : mapping of str to ColumnContent, or None
        Content of each column of the table; None if all are finite numbers.
    columns : {"features", "splines", "models"} or transformer
        Inputs of linear models.
    prepare : bool or Preparation
        Whether and how to encode categories and dates and to impute missing values.
    random_state : int or None
        Seed of all random steps.
    n_jobs : int or None
        Number of concurrent fits, two by default.
    monotone : mapping of str to {1, -1}, optional
        Directions that the candidates keep, as in the samples.
    """

    schema: Schema | None = None
    columns: ColumnChoice | Transformer = "features"
    prepare: bool | Preparation = True
    random_state: int | None = None
    n_jobs: int | None = None
    monotone: Mapping[str, int] | None = None

    @cached_property
    def preparation(self) -> Preparation | None:
        """Unfitted preprocessing of the table; None if it is numeric and complete."""
        return preparation_for(self.schema, self.prepare, self.random_state)

    @cached_property
    def transformer(self) -> Pipeline | None:
        """Unfitted transformer for the inputs of linear models."""
        settings = self.schema, self.columns, self.prepare, self.random_state
        return columns_transformer(*settings, self.monotone)

    def card(self, conditions: int = 8) -> CardLearner:
        """Build the learner of scorecards with a number of conditions."""
        return CardLearner(Scorecard(conditions, prepare=self.preparation))

    def learners(self, samples: Samples, folds: Folds) -> dict[str, Learner]:
        """Build the learners of candidates and baselines, with shared base-model fits."""
        seed = self.random_state or 0
        shared = SharedFits(samples, folds, self.preparation, seed, self.n_jobs)
        bases = {name: BaseModelLearner(shared, base) for name, base in BASES.items()}
        return {
            "scorecard": self.card(),
            "linear": _LinearRule(self.transformer),
            **bases,
            "ensemble": EnsembleLearner(shared),
            TRIVIAL: _ClassShares(),
        }


@dataclass(frozen=True, eq=False)
class _LinearRule(Learner):
    """Learner of the linear rule, fitted to the decision loss."""

    transformer: Pipeline | None

    def fit(self, samples: Samples, criteria: object = None) -> Model:
        assert isinstance(criteria, DecisionLoss)
        coded = replace(samples, classes=np.arange(samples.n_classes))
        return fit_linear_rule(coded, self.transformer, criteria)

    def predict(self, model: Model, samples: Samples) -> Predictions:
        X = samples.X
        return Predictions(
            model.predict(X), model.decision_function(X), model.predict_proba(X)
        )


class _ClassShares(Learner):
    """Baseline learner that predicts the training class shares."""

    def fit(self, samples: Samples, criteria: object = None) -> DummyClassifier:
        return DummyClassifier().fit(samples.X, samples.codes, samples.weights)

    def to_predictor(self, model: object) -> None:
        return None


class ClassifierLearner(EstimatorLearner):
    """Learner of a user-supplied classifier."""

    # Classes and scores follow from the probabilities, which are computed once.
    predict = Learner.predict


class CandidateFits:
    """Fit and cross-validate the candidates of one table on demand.

    Fits are cached, except for the linear rule, which is refitted for each decision loss.

    Parameters
    ----------
    samples : Samples
        The training samples, unprepared.
    maker : CandidateFactory
        Factory of the candidates.
    folds : Folds
        Partition of the samples, or forward-chaining folds.
    holdout : Samples, optional
        Holdout set, unused in training.

    Attributes
    ----------
    seed : int
        Seed of all random steps.
    learners : dict of str to Learner
        Candidates, baselines and user-supplied classifiers, by name.
    known : dict of str to Fitted
        Cached fits that are valid for any decision loss.
    report : callable
        Callback for progress: candidate, number of folds done, number of folds.
    find_fold_models : callable
        Callback for the stored fold models of a candidate; empty if there are none.
    """

    def __init__(
        self,
        samples: Samples,
        maker: CandidateFactory,
        folds: Folds,
        holdout: Samples | None = None,
    ) -> None:
        if maker.n_jobs is None and len(samples) > PARALLEL.rows:
            maker = replace(maker, n_jobs=min(PARALLEL.processes, cpu_count()))
        self.samples = samples
        self._maker = maker
        self.folds = folds
        self._holdout = holdout
        self.seed = maker.random_state or 0
        self.learners = maker.learners(samples, folds)
        self.known: dict[str, Fitted] = {}
        # The linear rule of the last decision loss, by this loss.
        self._linear: dict[bytes, Fitted] = {}
        self.report: Callable[[str, int, int], None] = no_report
        self.find_fold_models: Callable[[str], tuple[Model, ...]] = _no_fold_models

    def __call__(self, candidate: str, criteria: DecisionLoss) -> Fitted:
        """Fit a candidate or baseline to all samples, and cross-validate it.

        Raises FitError if one of these fits fails.
        """
        if candidate in self.known:
            return self.known[candidate]
        if candidate == "linear" and criteria.key in self._linear:
            return self._linear[criteria.key]
        learner = self.learners[candidate]
        n_folds = len(self.folds)
        report = partial(self.report, candidate)
        report(0, n_folds)
        # Shares of classes are counted, not fitted: no time worth a report.
        seconds = 0.0 if candidate == TRIVIAL else None
        if isinstance(learner, SharedLearner):
            seconds = learner.fit_folds(report)
        keep_models = (
            learner.keeps_fold_models
            and len(self.samples) <= CROSS_VALIDATION.kept_model_rows
        )
        started = time.perf_counter()
        fitted = fit_to_all(learner, self.samples, criteria, self._holdout)
        parts = cross_validate(
            learner,
            self.samples,
            self.folds,
            criteria,
            keep_models=keep_models,
            # What is looked up is quick, and no other process has the cache.
            n_jobs=self._maker.n_jobs if seconds is None else 1,
            report=report if seconds is None else no_report,
        )
        fitted = replace(
            fitted,
            predictions={**fitted.predictions, CV: join_folds(parts)},
            seconds=time.perf_counter() - started if seconds is None else seconds,
            fold_models=tuple(part.model for part in parts if keep_models),
        )
        if candidate == "linear":
            self._linear = {criteria.key: fitted}
            return fitted
        self.known[candidate] = fitted
        report(n_folds, n_folds)  # callbacks may save the finished fit
        return fitted

    def refit(self, candidate: str, criteria: DecisionLoss) -> Fitted:
        """Fit a candidate, so far cross-validated only, to all samples."""
        known = self.known[candidate]
        learner = self.learners[candidate]
        fitted = fit_to_all(learner, self.samples, criteria, self._holdout)
        predictions = {CV: known.cv, **fitted.predictions}
        self.known[candidate] = replace(
            known, model=fitted.model, predictions=predictions, terms=fitted.terms
        )
        return self.known[candidate]

    def fold_models(self, candidate: str, criteria: DecisionLoss) -> tuple[Model, ...]:
        """Return the deployable model of each fold: kept, stored, or fitted again."""
        models = self(candidate, criteria).fold_models or self.find_fold_models(candidate)
        if models:
            return models
        parts = cross_validate(
            self.learners[candidate],
            self.samples,
            self.folds,
            criteria,
            keep_models=True,
            n_jobs=self._maker.n_jobs,
        )
        return tuple(part.model for part in parts)

    @property
    def failed_members(self) -> Mapping[str, str]:
        """Reasons why base models are no members of the ensemble."""
        return self.learners["ensemble"].shared.cache.failures  # type: ignore[attr-defined]

    def take_conditions(self, conditions: int) -> None:
        """Set the number of conditions of scorecards, and discard earlier fits."""
        self.learners["scorecard"] = self._maker.card(conditions)
        self.known.pop("scorecard", None)

    def classifier(self, model: Estimator) -> ClassifierLearner:
        """Return the learner of a classifier, with the preprocessing of the table."""
        labels = list(range(self.samples.n_classes))
        wrapped = WrappedClassifier(model, labels, monotone=self._maker.monotone)
        prepared = make_pipeline(*steps_of(self._maker.preparation), wrapped)
        return ClassifierLearner(prepared, self.seed)

    def add_models(self, models: Mapping[str, Estimator]) -> None:
        """Add classifiers as further candidates, fitted on demand."""
        for name, model in models.items():
            learner = self.classifier(model)
            known = self.learners.setdefault(name, learner)
            if known is not learner and repr(known) != repr(learner):
                self.learners[name] = learner
                self.known.pop(name, None)


def _no_fold_models(_: str) -> tuple[Model, ...]:
    """Return no stored fold models; a function, because evidence is pickled with its fits."""
    return ()
