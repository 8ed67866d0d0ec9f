"""Lazily cross-validated candidates of one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from joblib import cpu_count

from moselect._processes import no_report
from moselect.learning import Fitted, out_of_fold
from moselect.models import WrappedClassifier
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.selection.candidates import CandidateFactory, Classifier, after
from moselect.selection.decision_loss import DecisionLoss

N_JOBS = 2  # by default, where there are two cores


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
    held_out : Samples, optional
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
    """

    def __init__(
        self,
        samples: Samples,
        maker: CandidateFactory,
        folds: Folds,
        held_out: Samples | None = None,
    ) -> None:
        if maker.n_jobs is None:
            maker = replace(maker, n_jobs=min(N_JOBS, cpu_count()))
        self.samples, self._maker, self.folds = samples, maker, folds
        self._held_out = held_out
        self.seed = maker.random_state or 0
        self.learners = maker.learners(samples, folds)
        self.known: dict[str, Fitted] = {}
        # The linear rule of the last decision loss, and this loss.
        self._linear: Fitted
        self._linear_loss = b""
        self.report: Callable[[str, int, int], None] = no_report

    def __call__(self, candidate: str, goal: DecisionLoss) -> Fitted:
        """Fit a candidate or baseline to all samples, and cross-validate it.

        Raises FitError if one of these fits fails.
        """
        if candidate in self.known:
            return self.known[candidate]
        loss = goal.key
        if candidate == "linear" and self._linear_loss == loss:
            return self._linear
        self.report(candidate, 0, len(self.folds))
        fitted = out_of_fold(
            self.learners[candidate],
            self.samples,
            self.folds,
            goal,
            held_out_samples=self._held_out,
            n_jobs=self._maker.n_jobs,
            report=partial(self.report, candidate),
        )
        if candidate == "linear":
            self._linear_loss = loss
            self._linear = fitted
            return fitted
        self.known[candidate] = fitted
        self.report(
            candidate, len(self.folds), len(self.folds)
        )  # callbacks may save the finished fit
        return self.known[candidate]

    def whole(self, candidate: str, goal: DecisionLoss) -> Any:
        """Fit a candidate to all samples, without cross-validation."""
        learner = self.learners[candidate]
        return learner.finished(learner.fit(self.samples, goal))

    def refit(self, candidate: str, goal: DecisionLoss) -> Fitted:
        """Fit a candidate, so far cross-validated only, to all samples."""
        learner = self.learners[candidate]
        model = learner.fit(self.samples, goal)
        held_out = self._held_out
        self.known[candidate] = replace(
            self.known[candidate],
            model=learner.finished(model),
            training=learner.predict(model, self.samples),
            held_out=None if held_out is None else learner.predict(model, held_out),
            terms=learner.terms(model),
        )
        return self.known[candidate]

    def without_folds(self, candidate: str, goal: DecisionLoss) -> list[Any]:
        """Fit the deployable models of a candidate for all folds."""
        return self.learners[candidate].without_folds(
            self.samples, self.folds, goal, self._maker.n_jobs
        )

    def keep_fold_models(self) -> None:
        """Keep the models of folds from now on, so that `without_folds` fits none again."""
        for learner in self.learners.values():
            if hasattr(learner, "shared"):
                learner.shared.keeps = True

    def take_conditions(self, conditions: int) -> None:
        """Set the number of conditions of scorecards, and discard earlier fits."""
        self.learners["scorecard"] = self._maker.card(conditions)
        self.known.pop("scorecard", None)

    def add_models(self, models: Mapping[str, Any]) -> None:
        """Add classifiers as further candidates, fitted on demand."""
        labels, maker = list(range(self.samples.n_classes)), self._maker
        for name, model in models.items():
            whole = WrappedClassifier(model, labels, monotone=maker.monotone)
            prepared = after(maker.preparation, whole)
            learner = Classifier(prepared, self.seed)
            if repr(self.learners.setdefault(name, learner)) != repr(learner):
                self.learners[name] = learner
                self.known.pop(name, None)
