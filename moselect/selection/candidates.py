"""Learners of the candidates: scorecard, linear rule, additive model, ensemble."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline, make_pipeline

from moselect._processes import Report
from moselect._types import Floats
from moselect.learning import (
    EstimatorLearner,
    FitError,
    Learner,
    Predictions,
    count_terms,
)
from moselect.models import OrdinalStacking
from moselect.models.ensemble.fit_cache import NO_FOLD, Without
from moselect.models.ensemble.stacked_model import stacking_out_of_fold
from moselect.models.ensemble.trial import try_members
from moselect.models.training_columns import (
    ColumnChoice,
    columns_transformer,
    preparation_for,
)
from moselect.predictor import Model
from moselect.predictor.finished import model_of
from moselect.preprocessing.preparation import Preparation
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.scorecard import Scorecard
from moselect.scorecard.learner import CardLearner
from moselect.selection.choice import BASES, TRIVIAL
from moselect.selection.linear.rule import fit_linear_rule
from moselect.selection.shared_fits import SharedFits


@dataclass(frozen=True, eq=False)
class CandidateFactory:
    """Factory of the candidates of one table, fitted to class codes 0 .. r - 1.

    Attributes
    ----------
    table : DataFrame or ndarray
        All rows; they determine the column types for every subset.
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

    table: Any
    columns: ColumnChoice | Any = "features"
    prepare: bool | Preparation = True
    random_state: int | None = None
    n_jobs: int | None = None
    monotone: Mapping[str, int] | None = None

    @cached_property
    def preparation(self) -> Preparation | None:
        """Unfitted preprocessing of the table; None if it is numeric and complete."""
        return preparation_for(self.table, self.prepare, self.random_state)

    @cached_property
    def transformer(self) -> Pipeline | None:
        """Unfitted transformer for the inputs of linear models."""
        settings = self.table, self.columns, self.prepare, self.random_state
        return columns_transformer(*settings, self.monotone)

    def card(self, conditions: int = 8) -> CardLearner:
        """Build the learner of scorecards with a number of conditions."""
        return CardLearner(Scorecard(conditions, prepare=self.preparation), self.table)

    def learners(self, samples: Samples, folds: Folds) -> dict[str, Learner]:
        """Build the learners of candidates and baselines, with shared base-model fits."""
        seed, n_jobs = self.random_state or 0, self.n_jobs
        shared = SharedFits(samples, folds, self.preparation, seed, n_jobs)
        return {
            "scorecard": self.card(),
            "linear": _Linear(self),
            **{candidate: _Base(shared, model) for candidate, model in BASES.items()},
            "ensemble": _Pool(shared),
            TRIVIAL: _Trivial(DummyClassifier(strategy="prior")),
        }


@dataclass(frozen=True, eq=False)
class _Linear(Learner):
    """Learner of the linear rule, fitted to the decision loss."""

    maker: CandidateFactory

    def fit(self, samples: Samples, goal: Any = None) -> Model:
        coded = replace(samples, classes=np.arange(samples.n_classes))
        return fit_linear_rule(coded, self.maker.transformer, goal)[0]

    def predict(self, model: Any, samples: Samples) -> Predictions:
        X = samples.X
        return Predictions(
            model.predict(X), model.decision_function(X), model.predict_proba(X)
        )


class _Trivial(EstimatorLearner):
    """Baseline learner that predicts the training class shares."""

    apart, seconds = False, 0.0

    def predict(self, model: Any, samples: Samples) -> Predictions:
        return Predictions.of(super().predict(model, samples).proba)  # type: ignore[arg-type]

    def finished(self, model: Any) -> None:
        return None


class Classifier(EstimatorLearner):
    """Learner of a user-supplied classifier."""

    def predict(self, model: Any, samples: Samples) -> Predictions:
        """Predict samples; the probabilities are computed once."""
        return Predictions.of(model.predict_proba(samples.X))

    def finished(self, model: Any) -> Model:
        """Convert a fitted classifier to a deployable model."""
        return model_of(model)


@dataclass(eq=False)
class _OfTable(Learner):
    """Learner on shared base-model fits, bound to their samples."""

    shared: SharedFits

    @property
    def names(self) -> list[str]:
        """Names of its base models."""
        raise NotImplementedError

    def inner(self, left: Without) -> list[Without]:
        """Return the further sets of left-out parts for the stacking weights."""
        return []

    def made(self, left: Without, inner: Without | None = None) -> Model:
        """Build the deployable model of fits with some parts left out.

        Stacking weights are fitted to fits without the parts ``inner``, by default these.
        """
        raise NotImplementedError

    def without(self, left: Without) -> Floats:
        """Predict out-of-fold probabilities (m, r) of the left-out parts."""
        raise NotImplementedError

    def ready(self) -> None:
        """Decide which base models belong to the learner."""

    def begin(self, report: Callable[[int, int], None]) -> bool:
        self.ready()
        whole = [NO_FOLD, *self.shared.left]
        inner = chain.from_iterable(map(self.inner, whole))
        sets = dict.fromkeys([*whole, *inner])  # some of them twice
        if self.shared.keeps:
            self.shared.table.fit(self.names, self.shared.left, keep=True)
        self._fit(sets, report)
        self.seconds = sum(
            fit.seconds
            for (name, without), fit in self.shared.table.fits.items()
            if name in self.names and without in sets
        )
        return True

    def fit(self, samples: Samples, goal: Any = None) -> Model:
        self.ready()
        self._fit([NO_FOLD, *self.inner(NO_FOLD)])
        return self.made(NO_FOLD)

    def in_fold(self, number: int) -> Learner:
        return _InFold(self.shared.said(number, self.without))

    def without_folds(
        self, samples: Samples, folds: Folds, goal: Any, n_jobs: int | None
    ) -> list[Any]:
        """Build the fold models.

        Stacking weights are fitted to samples outside the fold, by predictions that each
        leave out one other fold only: no base model is fitted for them.
        """
        self.ready()
        self.shared.table.fit(self.names, self.shared.left, keep=True)
        self._fit(self.inner(NO_FOLD))
        return [self.made(left, NO_FOLD) for left in self.shared.left]

    def _fit(self, sets: Iterable[Without], *report: Report) -> None:
        """Fit the base models; FitError if all of them fail."""
        self.shared.table.fit(self.names, sets, *report)
        reasons = self.shared.table.excluded
        if reasons.keys() >= {*self.names}:
            raise FitError(reasons[self.names[0]])


@dataclass(frozen=True, eq=False)
class _InFold(Learner):
    """Learner of one fold with stored out-of-fold probabilities."""

    proba: Floats

    def fit(self, samples: Samples, goal: Any = None) -> None:
        return None

    def predict(self, model: Any, samples: Samples) -> Predictions:
        return Predictions.of(self.proba)


@dataclass(eq=False)
class _Base(_OfTable):
    """Learner of a single base model of the ensemble."""

    model: str

    @property
    def names(self) -> list[str]:
        return [self.model]

    def made(self, left: Without, inner: Without | None = None) -> Model:
        shared = self.shared
        fitted = shared.table.fits[self.model, left].estimator
        return model_of(after(shared.preparation(left), fitted), shared.names(left))

    def terms(self, model: Any) -> float:
        return count_terms(self.shared.table.fits[self.model, NO_FOLD].estimator)

    def without(self, left: Without) -> Floats:
        return self.shared.table.fits[self.model, left].response


@dataclass(eq=False)
class _Pool(_OfTable):
    """Learner of the ordinal stacking ensemble, with weights from out-of-fold predictions."""

    @property
    def names(self) -> list[str]:
        return list(self.shared.table.models)

    @property
    def excluded(self) -> Mapping[str, str]:  # type: ignore[override]
        return self.shared.table.excluded

    def ready(self) -> None:
        try_members(self.shared.table)

    def inner(self, left: Without) -> list[Without]:
        """Return the sets of left-out parts for inner cross-validation."""
        table = self.shared.table
        return [left | table.and_later(part) for part in table.fold_numbers(left)]

    def made(self, left: Without, inner: Without | None = None) -> Model:
        shared, samples = self.shared, self.shared.samples
        preparation = shared.preparation(left, extra=True)
        X = samples.X if preparation is None else preparation.transform(samples.X)
        labels = list(range(samples.n_classes))
        monotone = samples.directions or None
        pool = OrdinalStacking(labels=labels, monotone=monotone, random_state=shared.seed)
        fitted = pool.from_table(X, shared.table, left, inner)
        return model_of(after(preparation, fitted))

    def without(self, left: Without) -> Floats:
        return stacking_out_of_fold(self.shared.table, left)


def after(preparation: Any, model: Any) -> Any:
    """Chain preprocessing, if any, and a model into a pipeline."""
    return make_pipeline(*(() if preparation is None else (preparation,)), model)
