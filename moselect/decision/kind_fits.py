"""The kinds of one table, each fitted, whole and in folds, when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from joblib import cpu_count

from moselect._processes import say_nothing
from moselect.decision.goal import Goal
from moselect.decision.learners import Classifier, KindMaker, after
from moselect.folds import Folds
from moselect.learning import Fitted, out_of_fold
from moselect.models import WrappedClassifier
from moselect.samples import Samples

N_JOBS = 2  # by default, where there are two cores


class KindFits:
    """Fit the kinds of one table, each when it is first asked for.

    All but the linear rule, which is fitted for each goal anew, are fitted once.

    Parameters
    ----------
    samples : Samples
        The training samples, as they came.
    maker : KindMaker
        How the kinds are fitted.
    folds : Folds
        A partition of the samples, or folds that go forward.
    held_out : Samples, optional
        Samples to which nothing is fitted.

    Attributes
    ----------
    learners : dict of str to Learner
        The kinds, their rivals, and classifiers of the user's, by name.
    known : dict of str to Fitted
        The kinds that are fitted once for all goals, as far as they were.
    report : callable
        Told of a kind, how many of its fits without folds are done, and of how many.
    """

    def __init__(
        self,
        samples: Samples,
        maker: KindMaker,
        folds: Folds,
        held_out: Samples | None = None,
    ) -> None:
        if maker.n_jobs is None:
            maker = replace(maker, n_jobs=min(N_JOBS, cpu_count()))
        self._samples, self._maker, self._folds = samples, maker, folds
        self._held_out = held_out
        self.learners = maker.learners(samples, folds)
        self.known: dict[str, Fitted] = {}
        self.report: Callable[[str, int, int], None] = say_nothing

    def __call__(self, kind: str, goal: Goal) -> Fitted:
        """Return a kind or rival, fitted to all samples and without each fold.

        Raises FitError if one of these fits fails.
        """
        if kind in self.known:
            return self.known[kind]
        self.report(kind, 0, len(self._folds))
        fitted = out_of_fold(
            self.learners[kind],
            self._samples,
            self._folds,
            goal,
            held_out_samples=self._held_out,
            n_jobs=self._maker.n_jobs,
            report=partial(self.report, kind),
        )
        if kind == "linear":
            return fitted
        self.known[kind] = fitted
        self.report(kind, len(self._folds), len(self._folds))  # it may be kept now
        return self.known[kind]

    def whole(self, kind: str, goal: Goal) -> Any:
        """Return a kind, fitted to all samples and to no folds."""
        learner = self.learners[kind]
        return learner.finished(learner.fit(self._samples, goal))

    def without_folds(self, kind: str, goal: Goal) -> list[Any]:
        """Return a kind, fitted whole without each fold."""
        return self.learners[kind].without_folds(
            self._samples, self._folds, goal, self._maker.n_jobs
        )

    def take_conditions(self, conditions: int) -> None:
        """Fit scorecards of another number of conditions from now on."""
        self.learners["points"] = self._maker.card(conditions)
        self.known.pop("points", None)

    def add_models(self, models: Mapping[str, Any]) -> None:
        """Take classifiers as further kinds, fitted when they are first asked for."""
        labels, maker = list(range(self._samples.n_classes)), self._maker
        for name, model in models.items():
            whole = WrappedClassifier(model, labels=labels)
            prepared = after(maker.preparation, whole)
            learner = Classifier(prepared, maker.random_state or 0)
            if repr(self.learners.setdefault(name, learner)) != repr(learner):
                self.learners[name] = learner
                self.known.pop(name, None)
