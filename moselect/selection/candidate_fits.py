"""Lazily cross-validated candidates of one table."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from joblib import cpu_count
from sklearn.pipeline import make_pipeline

from moselect._parallel import no_report
from moselect._protocols import Estimator
from moselect.learning import (
    CV,
    EstimatorLearner,
    Fitted,
    cross_validate,
    fit_and_cross_validate,
    fit_to_all,
)
from moselect.models import WrappedClassifier
from moselect.predictor import Model
from moselect.samples.features import steps_of
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.selection.candidates import CandidateFactory, ClassifierLearner
from moselect.selection.choice import TRIVIAL
from moselect.selection.decision_loss import DecisionLoss
from moselect.selection.shared_fits import SharedLearner

# Fold models of larger tables need much memory: they are fitted again if asked for.
MAX_ROWS_FOLD_MODELS = 5_000


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
        if maker.n_jobs is None:
            # by default, where there are two cores
            n_jobs = 2
            maker = replace(maker, n_jobs=min(n_jobs, cpu_count()))
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
        fitted = fit_and_cross_validate(
            learner,
            self.samples,
            self.folds,
            criteria,
            holdout=self._holdout,
            # Models of users may be large, too.
            keep_models=len(self.samples) <= MAX_ROWS_FOLD_MODELS
            and not isinstance(learner, EstimatorLearner),
            # What is looked up is quick, and no other process has the cache.
            n_jobs=self._maker.n_jobs if seconds is None else 1,
            report=report if seconds is None else no_report,
        )
        if candidate == "linear":
            self._linear = {criteria.key: fitted}
            return fitted
        if seconds is not None:
            fitted = replace(fitted, seconds=seconds)
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
