"""Candidates of one table: their learners, and lazily cross-validated fits."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from joblib import cpu_count
from sklearn.pipeline import Pipeline, make_pipeline

from moselect._parallel import Report, no_report
from moselect._types import Array, Estimator, Transformer, record
from moselect.budgets import PARALLEL
from moselect.candidates.cross_validation import (
    CV,
    Fitted,
    cross_validate,
    fit_to_all,
)
from moselect.candidates.registry import Candidate, registered
from moselect.candidates.shared_fits import EnsembleLearner, SharedFits, SharedLearner
from moselect.costs.priced import Priced
from moselect.models import WrappedClassifier
from moselect.models.learner import EstimatorLearner, Learner
from moselect.models.linear.linear_rule import Compute, compute_now
from moselect.models.training_columns import (
    ColumnChoice,
    columns_transformer,
    refit_without_folds,
)
from moselect.predictor import Model
from moselect.preprocessing.preparation import Preparation, preparation_for
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.tables.features import steps_of


@record
class FitSettings:
    """Settings of the fits of candidates: preprocessing, seed and concurrency.

    Attributes
    ----------
    columns : {"features", "splines", "models"} or transformer
        Inputs of linear models.
    prepare : bool or Preparation
        Whether and how to encode categories and dates and to impute missing values.
    random_state : int or None
        Seed of all random steps.
    n_jobs : int or None
        Number of concurrent fits, two by default.
    """

    columns: ColumnChoice | Transformer = "features"
    prepare: bool | Preparation = True
    random_state: int | None = None
    n_jobs: int | None = None


class ClassifierLearner(EstimatorLearner):
    """Learner of a user-supplied classifier."""

    # Classes and scores follow from the probabilities, which are computed once.
    predict = Learner.predict


class FitStore:
    """Base class of stores of fitted candidates, such as a folder; this one keeps none.

    Examples
    --------
    >>> FitStore().get("additive") is None
    True
    """

    def get(self, candidate: str) -> Fitted | None:
        """Return the stored fit of a candidate, fold models excluded; None if there is none."""
        return None

    def put(self, candidate: str, fitted: Fitted) -> None:
        """Store the fit of a candidate, fold models excluded."""

    def refit(
        self, samples: Samples, transformer: Pipeline | None, folds: Folds
    ) -> list[Samples]:
        """Return all samples in columns refitted in each fold, as `refit_without_folds`."""
        return refit_without_folds(samples, transformer, folds)

    def computed(self, name: str, compute: Compute) -> Mapping[str, Array]:
        """Return arrays that depend on no decision loss, as `compute_now`."""
        return compute_now(name, compute)


class CandidateFits:
    """Fit and cross-validate the candidates of one table on demand.

    Fits are cached; of candidates that are fitted to the decision loss only the last.

    Parameters
    ----------
    samples : Samples
        The training samples, unprepared.
    settings : FitSettings
        Preprocessing, seed and concurrency.
    folds : Folds, optional
        Partition of the samples, or forward-chaining folds; five folds by default.
    holdout : Samples, optional
        Holdout set, unused in training.
    store : FitStore
        Store of fits that are valid for any decision loss, looked up before a fit.
    report : callable
        Callback for progress: candidate, number of fits done, number of fits.

    Attributes
    ----------
    seed : int
        Seed of all random steps.
    preparation : Preparation or None
        Unfitted preprocessing of the table; None if it is numeric and complete.
    candidates : dict of str to Candidate
        Candidates and baselines of moselect, of other packages and of the user.
    learners : dict of str to Learner
        Their learners.
    known : dict of str to Fitted
        Cached fits; of candidates that are fitted to the decision loss, to the last one.
    """

    def __init__(
        self,
        samples: Samples,
        settings: FitSettings,
        folds: Folds | None = None,
        holdout: Samples | None = None,
        *,
        store: FitStore | None = None,
        report: Callable[[str, int, int], None] = no_report,
    ) -> None:
        if samples.rows is None:
            samples = replace(samples, rows=np.arange(len(samples)))
        self.samples = samples
        self.settings = settings
        self.n_jobs = settings.n_jobs
        if self.n_jobs is None and len(samples) > PARALLEL.rows:
            self.n_jobs = min(PARALLEL.processes, cpu_count())
        self.folds = folds or Folds.of_samples(samples)
        self.holdout = holdout
        # Samples that a model of all samples predicts.
        self._splits = {"train": samples}
        if holdout is not None:
            self._splits["holdout"] = holdout
        self.store = store or FitStore()
        self.report = report
        self.seed = settings.random_state or 0
        self.preparation: Preparation | None = preparation_for(
            samples.schema, settings.prepare, settings.random_state
        )
        # Fits of base models, which several candidates share.
        self.shared: SharedFits = SharedFits(
            samples, self.folds, self.preparation, self.seed, self.n_jobs
        )
        self.candidates: dict[str, Candidate] = {}
        self.learners: dict[str, Learner] = {}
        self.known: dict[str, Fitted] = {}
        # Keys of the decision losses of fits that are for one alone.
        self._losses: dict[str, bytes | None] = {}
        # Names whose model has changed: their stored fits are of another one.
        self._changed: set[str] = set()
        for candidate in registered():
            self.add(candidate)

    def add(self, candidate: Candidate) -> None:
        """Add a candidate; another model of the same name is replaced."""
        name = candidate.name
        if candidate.make is not None:
            learner = candidate.make(self)
        elif candidate.estimator is not None:
            learner = self.classifier(candidate.estimator)
        else:
            raise TypeError(f"the candidate {name!r} has no estimator, and no learner")
        if name in self.learners:
            if repr(self.learners[name]) == repr(learner):
                return
            self.known.pop(name, None)
            self._changed.add(name)
        self.candidates[name] = candidate
        self.learners[name] = learner

    def ranked(self, names: Iterable[str]) -> list[str]:
        """Sort candidates by simplicity, simplest first, without baselines."""
        known = [self.candidates[name] for name in names]
        eligible = [candidate for candidate in known if not candidate.is_baseline]
        return [each.name for each in sorted(eligible, key=lambda each: each.rank)]

    @property
    def transformer(self) -> Pipeline | None:
        """Unfitted transformer for the inputs of linear models."""
        return columns_transformer(
            self.samples,
            self.settings.columns,
            self.settings.prepare,
            self.settings.random_state,
        )

    def classifier(self, model: Estimator) -> ClassifierLearner:
        """Return the learner of a classifier, with the preprocessing of the table."""
        wrapped = WrappedClassifier(model, list(range(self.samples.n_classes)))
        prepared = make_pipeline(*steps_of(self.preparation), wrapped)
        return ClassifierLearner(prepared, self.seed)

    def __call__(self, name: str, criteria: Priced) -> Fitted:
        """Fit a candidate or baseline to all samples, and cross-validate it.

        Raises FitError if one of these fits fails.
        """
        candidate = self.candidates[name]
        loss = criteria.key if candidate.has_thresholds else None
        if name in self.known and self._losses.get(name) == loss:
            return self.known[name]
        is_stored = loss is None and name not in self._changed
        fitted = self.store.get(name) if is_stored else None
        if fitted is None:
            fitted = self._cross_validated(candidate, criteria)
            if is_stored:
                self.store.put(name, fitted)
        self.known[name] = fitted
        self._losses[name] = loss
        return fitted

    def _cross_validated(self, candidate: Candidate, criteria: Priced) -> Fitted:
        learner = self.learners[candidate.name]
        report: Report = partial(self.report, candidate.name)
        if candidate.is_constant:
            report = no_report  # shares of classes are counted, not fitted
        report(0, len(self.folds) + 1)
        seconds = 0.0
        if isinstance(learner, SharedLearner):
            seconds = learner.fit_folds(report)
            report = no_report  # the rest is quick
        fitted = cross_validate(
            learner,
            self.samples,
            self.folds,
            criteria,
            splits=self._splits,
            n_jobs=self._jobs_of(candidate),
            report=report,
        )
        return replace(
            fitted,
            seconds=0.0 if candidate.is_constant else seconds + fitted.seconds,
            has_thresholds=candidate.has_thresholds,
            is_constant=candidate.is_constant,
        )

    def _jobs_of(self, candidate: Candidate) -> int | None:
        """Return the number of concurrent fits of the folds of a candidate."""
        is_shared = isinstance(self.learners[candidate.name], SharedLearner)
        # Counts and look-ups are quick, and no other process has the cache.
        if candidate.is_constant or is_shared:
            return 1
        # Without fits of base models there are no processes yet, which take longer to start
        # than a linear rule takes.
        few = len(self.samples) <= PARALLEL.rows_of_rule
        is_cold = self.settings.n_jobs is None and self.shared.is_empty
        return 1 if candidate.has_thresholds and few and is_cold else self.n_jobs

    def refit(self, name: str, criteria: Priced) -> Fitted:
        """Fit a candidate, so far cross-validated only, to all samples."""
        known = self.known[name]
        learner = self.learners[name]
        fitted = fit_to_all(learner, self.samples, self._splits, criteria)
        self.known[name] = replace(
            known,
            model=fitted.model,
            predictions={CV: known.cv, **fitted.predictions},
            terms=fitted.terms,
        )
        return self.known[name]

    def fold_models(self, name: str, criteria: Priced) -> tuple[Model, ...]:
        """Fit the deployable model of each fold again."""
        fitted = cross_validate(
            self.learners[name],
            self.samples,
            self.folds,
            criteria,
            keep_models=True,
            n_jobs=self._jobs_of(self.candidates[name]),
        )
        return fitted.fold_models

    def failed_members(self, name: str) -> Mapping[str, str]:
        """Reasons why base models are no members of an ensemble."""
        learner = self.learners[name]
        if not isinstance(learner, EnsembleLearner):
            return {}
        return learner.shared.cache.failures
