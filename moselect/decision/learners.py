"""Kinds of model as learners: a card, a linear rule, what the pool's table has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import make_pipeline

from moselect._processes import Report, say_nothing
from moselect._types import Floats, Integers
from moselect.columns import ColumnKind
from moselect.columns.preparation import Preparation
from moselect.columns.sample_columns import (
    columns_transformer,
    fit_columns,
    preparation_for,
)
from moselect.decision.kinds import BASES, TRIVIAL
from moselect.decision.linear.rule import fit_linear_rule
from moselect.features import feature_matrix, feature_names
from moselect.folds import Folds
from moselect.learning import EstimatorLearner, FitError, Learner, Responses, count_terms
from moselect.models import Model, OrdinalPool
from moselect.models.finished import model_of
from moselect.models.pool.base_models import base_models
from moselect.models.pool.fit_table import NO_FOLD, Features, FitTable, Without
from moselect.models.pool.pooled_model import pool_held_out
from moselect.samples import Samples
from moselect.scorecard import Scorecard
from moselect.scorecard.learner import CardLearner

FEWEST = 2  # folds by which a pool can be weighed


@dataclass(frozen=True, eq=False)
class KindMaker:
    """How the kinds of one table are fitted, to class codes 0 .. r - 1.

    Attributes
    ----------
    table : DataFrame or ndarray
        All rows: parts of it are prepared as the whole is.
    columns : {"features", "splines", "models"} or transformer
        What linear models weigh.
    prepare : bool or Preparation
        Whether categories, dates and gaps are turned into numbers, and how.
    random_state : int or None
        Seed of what is random.
    n_jobs : int or None
        Fits at the same time, two by default.
    conditions : int
        Conditions of a scorecard.
    """

    table: Any
    columns: ColumnKind | Any = "features"
    prepare: bool | Preparation = True
    random_state: int | None = None
    n_jobs: int | None = None
    conditions: int = 8

    @cached_property
    def preparation(self) -> Preparation | None:
        """What turns the table into numbers, not fitted; None if nothing need."""
        return preparation_for(self.table, self.prepare, self.random_state)

    def card(self) -> CardLearner:
        """Return what fits scorecards."""
        return CardLearner(
            Scorecard(self.conditions, prepare=self.preparation), self.table
        )

    def learners(self, samples: Samples, folds: Folds) -> dict[str, Learner]:
        """Return kinds and rivals; some share fits to these samples in these folds."""
        table = _SharedFits(samples, folds, self)
        return {
            "points": self.card(),
            "linear": _Linear(self),
            **{kind: _Base(table, model) for kind, model in BASES.items()},
            "pool": _Pool(table),
            TRIVIAL: _Trivial(DummyClassifier(strategy="prior")),
        }


@dataclass(frozen=True, eq=False)
class _Linear(Learner):
    """The linear rule, which is fitted for its goal."""

    maker: KindMaker

    def fit(self, samples: Samples, goal: Any = None) -> Model:
        maker, coded = self.maker, replace(samples, classes=np.arange(samples.n_classes))
        settings = maker.table, maker.columns, maker.prepare, maker.random_state
        return fit_linear_rule(coded, columns_transformer(*settings), goal).model

    def ask(self, model: Any, samples: Samples) -> Responses:
        X = samples.X
        return Responses(
            model.predict(X), model.decision_function(X), model.predict_proba(X)
        )


class _Trivial(EstimatorLearner):
    """The class shares of what it is fitted to, for every sample."""

    apart, seconds = False, 0.0

    def ask(self, model: Any, samples: Samples) -> Responses:
        return Responses.of(super().ask(model, samples).proba)  # type: ignore[arg-type]

    def finished(self, model: Any) -> None:
        return None


class Classifier(EstimatorLearner):
    """A classifier of the user's."""

    def finished(self, model: Any) -> Model:
        """Return it as a finished model."""
        return model_of(model)


@dataclass(eq=False)
class _SharedFits:
    """The fits of curves, proportional odds and the pool to some samples."""

    samples: Samples
    folds: Folds
    maker: KindMaker
    prepared: dict[bool, Any] = field(default_factory=dict)

    def of(self, samples: Samples) -> _SharedFits:
        """Return those to other samples, in folds of their own."""
        if samples is self.samples:
            return self
        n_folds = max(2, min(5, int(samples.class_sizes.min())))
        return _SharedFits(samples, Folds.of_samples(samples, n_folds), self.maker)

    @cached_property
    def table(self) -> FitTable:
        samples, further = self.samples, self.preparation(further=True)
        names = self.names(further)
        matrix = feature_matrix(samples.X) if further is None else None
        coded = further is not None and further.n_shared < len(names or ())
        seed, parts = self.maker.random_state or 0, _inner_parts(samples, self.folds)
        return FitTable(
            base_models(None, seed, len(samples), has_categories=coded),
            partial(_features, matrix, samples, further, parts),
            replace(samples, X=np.empty((len(samples), 0))),
            parts,
            self.maker.n_jobs,
            self.folds.goes_forward,
        )

    @cached_property
    def left(self) -> list[Without]:
        """The parts that each fold leaves out."""
        parts = self.table.folds
        return [
            frozenset(np.setdiff1d(parts, parts[train]).tolist())
            for train, _ in self.folds
        ]

    def preparation(self, *, further: bool = False) -> Any:
        """Return what prepares the table, fitted to all; for the pool it has more."""
        if further not in self.prepared:
            fresh = self.maker.preparation
            if fresh is not None:
                fresh = clone(fresh).set_params(further=True) if further else clone(fresh)
                fresh = fresh.fit(self.samples.X, self.samples.codes)
            self.prepared[further] = fresh
        return self.prepared[further]

    def preparation_without(self, left: Without, *, further: bool = False) -> Any:
        """Return what prepares the table, fitted without some parts of the samples."""
        whole = self.preparation(further=further)
        if whole is None or not left:
            return whole
        fresh, kept = clone(whole), ~self.table.rows_of(left)
        fit_columns(self.samples.take(np.flatnonzero(kept)), fresh)
        return fresh

    def names(self, fitted: Any) -> tuple[str, ...] | None:
        """Return the names of prepared columns."""
        if fitted is None:
            return feature_names(self.samples.X)
        return tuple(map(str, fitted.get_feature_names_out()))

    def said(self, number: int, proba: Callable[[Without], Floats]) -> Floats:
        """Return what is said about a fold, of all that is left out with it."""
        without, (_, test) = self.left[number], self.folds.splits[number]
        rows = np.flatnonzero(self.table.rows_of(without))
        return proba(without)[np.searchsorted(rows, test)]


@dataclass(eq=False)
class _OfTable(Learner):
    """A learner whose fits are shared."""

    shared: _SharedFits

    @property
    def names(self) -> list[str]:
        """The base models that it takes."""
        raise NotImplementedError

    def inner(self, table: FitTable, left: Without) -> list[Without]:
        """Return what else is left out for what its models are weighed by."""
        return []

    def made(self, shared: _SharedFits, left: Without) -> Model:
        """Return the model of fits without some parts, whose base models are kept."""
        raise NotImplementedError

    def without(self, left: Without) -> Floats:
        """Return the probabilities (m, r) of what is left out, by fits without it."""
        raise NotImplementedError

    def begin(self, report: Callable[[int, int], None]) -> bool:
        shared, whole = self.shared, [NO_FOLD, *self.shared.left]
        inner = [self.inner(shared.table, without) for without in whole]
        sets = dict.fromkeys([*whole, *chain.from_iterable(inner)])  # some of them twice
        self._fit(shared, sets, report)
        self.seconds = sum(
            fit.seconds
            for (name, without), fit in shared.table.fits.items()
            if name in self.names and without in sets
        )
        return True

    def fit(self, samples: Samples, goal: Any = None) -> Model:
        shared = self.shared.of(samples)
        self._fit(shared, [NO_FOLD, *self.inner(shared.table, NO_FOLD)])
        return self.made(shared, NO_FOLD)

    def in_fold(self, number: int) -> Learner:
        return _InFold(self.shared.said(number, self.without))

    def without_folds(
        self, samples: Samples, folds: Folds, goal: Any, n_jobs: int | None
    ) -> list[Any]:
        """Return models without each fold; what weighs a pool is known already."""
        self.shared.table.fit(self.names, self.shared.left, keep=True)
        self.begin(say_nothing)
        return [self.made(self.shared, left) for left in self.shared.left]

    def _fit(self, shared: _SharedFits, sets: Iterable[Without], *report: Report) -> None:
        """Fit its base models; FitError if none of them can be."""
        shared.table.fit(self.names, sets, *report)
        reasons = shared.table.left_out
        if reasons.keys() >= {*self.names}:
            raise FitError(reasons[self.names[0]])


@dataclass(frozen=True, eq=False)
class _InFold(Learner):
    """What was fitted without a fold, and has been asked."""

    proba: Floats

    def fit(self, samples: Samples, goal: Any = None) -> None:
        return None

    def ask(self, model: Any, samples: Samples) -> Responses:
        return Responses.of(self.proba)


@dataclass(eq=False)
class _Base(_OfTable):
    """A base model of the pool alone."""

    model: str

    @property
    def names(self) -> list[str]:
        return [self.model]

    def made(self, shared: _SharedFits, left: Without) -> Model:
        preparation = shared.preparation_without(left)
        fitted = shared.table.fits[self.model, left].estimator
        return model_of(after(preparation, fitted), shared.names(preparation))

    def terms(self, model: Any) -> float:
        return count_terms(self.shared.table.fits[self.model, NO_FOLD].estimator)

    def without(self, left: Without) -> Floats:
        return self.shared.table.fits[self.model, left].response


@dataclass(eq=False)
class _Pool(_OfTable):
    """The pool, weighed by what its models say of folds that are left out."""

    @property
    def names(self) -> list[str]:
        return list(self.shared.table.models)

    def inner(self, table: FitTable, left: Without) -> list[Without]:
        """Return what is left out where models are asked about a part."""
        return [left | table.and_later(part) for part in table.fold_numbers(left)]

    def made(self, shared: _SharedFits, left: Without) -> Model:
        preparation = shared.preparation_without(left, further=True)
        X = shared.samples.X
        if preparation is not None:
            X = preparation.transform(X)
        labels, seed = list(range(shared.samples.n_classes)), shared.maker.random_state
        pool = OrdinalPool(labels=labels, random_state=seed or 0)
        pool.from_table(X, shared.table, left)
        return model_of(after(preparation, pool))

    def without(self, left: Without) -> Floats:
        return pool_held_out(self.shared.table, left)


def after(preparation: Any, model: Any) -> Any:
    """Return a model after what prepares its columns, if anything does."""
    return make_pipeline(*(() if preparation is None else (preparation,)), model)


def _inner_parts(samples: Samples, folds: Folds) -> Integers:
    """Return parts (n,) of the samples, of which two at least remain without a fold.

    Of folds that go forward only the samples before all of them are divided.
    """
    parts = folds.parts
    if folds.goes_forward:
        parts, divided = parts + 1, [np.flatnonzero(parts == 0)]
    elif len(folds) > FEWEST:
        return parts
    else:
        parts, divided = FEWEST * parts, [test for _, test in folds]
    for rows in divided:
        part = samples.take(rows)
        parts[rows] += (
            Folds.deal(part.undivided, part.codes, FEWEST).index - folds.goes_forward
        )
    return parts


def _features(
    matrix: Floats | None,
    samples: Samples,
    preparation: Any,
    parts: Integers,
    without: Without,
) -> Features:
    """Return the features (n, p), prepared without the rows of some folds."""
    if matrix is not None:
        return Features(matrix)
    fresh, inside = clone(preparation), np.flatnonzero(~np.isin(parts, list(without)))
    values = fit_columns(samples, fresh, inside)
    return Features(values, fresh.n_plain, fresh.n_shared)
