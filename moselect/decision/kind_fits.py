"""Every kind of model fitted to all samples and without each fold, from one table of fits."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from moselect._processes import say_nothing, share
from moselect._types import Floats, Integers
from moselect.columns.sample_columns import fit_columns, preparation_for
from moselect.decision.goal import Goal
from moselect.decision.held_out import FitError, count_terms, fit_whole, held_out
from moselect.decision.kinds import BASES, TRIVIAL, KindMaker
from moselect.features import feature_matrix, feature_names
from moselect.folds import Fold, Folds
from moselect.models import Model, OrdinalPool, WrappedClassifier
from moselect.models.finished import model_of
from moselect.models.pool.base_models import base_models
from moselect.models.pool.fit_table import NO_FOLD, Features, FitTable, Without
from moselect.models.pool.pooled_model import pool_held_out
from moselect.samples import Samples
from moselect.scorecard import Scorecard
from moselect.scorecard.estimator import path_in_folds

N_JOBS = 2  # by default
FEWEST = 2  # folds by which a pool can be weighed


class Responses(NamedTuple):
    """What models say about samples: class codes (n,), scores (n,), probabilities (n, r)."""

    codes: Integers
    scores: Floats
    proba: Floats | None

    @classmethod
    def of(cls, proba: Floats) -> Responses:
        """Return the most probable classes, and expected ranks 1 .. r as scores."""
        return cls(proba.argmax(axis=1), proba @ np.arange(1.0, proba.shape[1] + 1.0), proba)

    def decided(self, costs: Floats | None) -> Responses:
        """Return the same with the classes of least expected cost, if costs are given."""
        if costs is None or self.proba is None:
            return self
        return self._replace(codes=(self.proba @ costs).argmin(axis=1))


@dataclass(frozen=True, eq=False)
class KindFit:
    """A model fitted to all samples, and what models fitted without their fold say about them.

    Attributes
    ----------
    model : Model or None
        Fitted to all samples, on class codes. None: no model.
    training, new_data : Responses
        By that one of all samples, and by those without each fold of the samples held out.
    outside : Responses or None
        About the samples that the search held out.
    terms, seconds : float
        How many terms it adds up, NaN if it is no sum; and the time of all fits.
    path : ndarray of shape (20, n, r) or None
        Class probabilities of new data by scorecards of 1 to 20 conditions.
    """

    model: Any
    training: Responses
    new_data: Responses
    outside: Responses | None
    terms: float
    seconds: float
    path: Floats | None = None


class KindFits:
    """Fit the kinds of one table, each when it is first asked for.

    Curves, proportional odds and the pool take their fits from one `FitTable`; the linear rule is
    fitted for each goal anew.

    Parameters
    ----------
    samples : Samples
        The training samples, as they came.
    maker : KindMaker
        How the kinds are fitted.
    folds : Folds
        A partition of the samples.
    outside : Samples, optional
        Samples held out, to which nothing is fitted.

    Attributes
    ----------
    known : dict of str to KindFit
        The kinds that are fitted once for all goals, as far as they were.
    models : dict of str to estimator
        Classifiers of the user's by name: kinds beside ours.
    report : callable
        Told of a kind, how many of its fits without folds are done, and of how many.
    """

    def __init__(
        self, samples: Samples, maker: KindMaker, folds: Folds, outside: Samples | None = None
    ) -> None:
        self._samples, self._maker, self._folds = samples, maker, folds
        self._outside = outside
        self._preparation = preparation_for(maker.table, maker.prepare, maker.random_state)
        self.known: dict[str, KindFit] = {}
        self.models: dict[str, Any] = {}
        self._seed = maker.random_state or 0
        self._pool = OrdinalPool(labels=list(range(samples.n_classes)), random_state=self._seed)
        self._n_jobs = N_JOBS if maker.n_jobs is None else maker.n_jobs
        self.report: Callable[[str, int, int], None] = say_nothing
        self._parts = parts = _inner_parts(samples, folds)
        self._left = [frozenset(np.setdiff1d(parts, parts[train]).tolist()) for train, _ in folds]

    @cached_property
    def _further(self) -> tuple[Any, tuple[str, ...] | None]:
        """What prepares the table for the pool, fitted to all samples, and its columns."""
        preparation = self._preparation
        if preparation is not None:
            preparation = clone(preparation).set_params(further=True)
        return self._prepared(preparation)

    @cached_property
    def _table(self) -> FitTable:
        """The fits of curves, proportional odds and the pool."""
        samples, (further, names) = self._samples, self._further
        matrix = feature_matrix(samples.X) if further is None else None
        coded = further is not None and further.n_shared < len(names or ())
        return FitTable(
            base_models(None, self._seed, len(samples), has_categories=coded),
            partial(_features, matrix, samples, further, self._parts),
            samples.codes,
            samples.n_classes,
            samples.weights,
            self._parts,
            self._n_jobs,
            samples.groups,
            self._folds.goes_forward,
        )

    def __call__(self, kind: str, goal: Goal) -> KindFit:
        """Return a kind or rival, fitted to all samples and without each fold.

        Raises FitError if one of these fits fails.
        """
        if kind in self.known:
            return self.known[kind]
        self.report(kind, 0, len(self._folds))
        try:
            if kind == TRIVIAL:
                fit = self._trivial()
            elif kind == "points":
                fit = self._points()
            elif kind in BASES:
                fit = self._base(kind)
            elif kind == "pool":
                fit = self._pooled()
            elif kind in self.models:
                fit = self._of_model(self.models[kind])
            else:
                return self._linear(goal)
        except ValueError as error:
            raise FitError(str(error)) from error
        self.known[kind] = fit
        return fit

    def whole(self, kind: str, goal: Goal) -> Any:
        """Return a kind, fitted to all samples and to no folds, with class probabilities.

        Raises FitError if it cannot be fitted.
        """
        if kind in BASES:
            return self._whole_base(kind)
        if kind == "pool":
            return self._whole_pool()
        if kind == "points":
            return self._card().rule_
        if kind in self.models:
            return fit_whole(self.models[kind], self._samples, self._seed)
        return self._maker.fit_linear(self._coded(), goal)

    def like(self, samples: Samples) -> KindFits:
        """Return the same for a part of the samples, and none of its fits."""
        folds = Folds.of_samples(samples, max(2, min(5, int(samples.class_sizes.min()))))
        other = KindFits(samples, self._maker, folds)
        other.models = self.models
        return other

    def _coded(self) -> Samples:
        return replace(self._samples, classes=np.arange(self._samples.n_classes))

    def _linear(self, goal: Goal) -> KindFit:
        samples = self._coded()
        started = time.perf_counter()
        model = self._maker.fit_linear(samples, goal)
        tasks = [partial(_linear_of_fold, self._maker, samples, goal, fold) for fold in self._folds]
        found = share(tasks, self._n_jobs, partial(self.report, "linear"))
        told = self._outside_folds(found)  # code, score, probabilities
        new = Responses(told[:, 0].astype(np.int64), told[:, 1], told[:, 2:])
        return KindFit(
            model,
            _ask(model, samples),
            new,
            None if self._outside is None else _ask(model, self._outside),
            count_terms(model),
            time.perf_counter() - started,
        )

    def take_conditions(self, conditions: int) -> None:
        """Fit scorecards of another number of conditions from now on."""
        self._maker = replace(self._maker, conditions=conditions)
        self.known.pop("points", None)

    def _points(self) -> KindFit:
        samples, started = self._samples, time.perf_counter()
        card = self._card()
        report = partial(self.report, "points")
        path = path_in_folds(card, samples, self._folds, n_jobs=self._n_jobs, report=report)
        path = path[:, self._folds.held_out]
        n, seconds = card.n_conditions_, time.perf_counter() - started
        told = self._told(card.rule_, path[n - 1], n, seconds)
        return replace(told, path=path)

    def _card(self) -> Scorecard:
        samples, labels = self._samples, list(range(self._samples.n_classes))
        card = Scorecard(self._maker.conditions, prepare=self._preparation, labels=labels)
        return card.fit(samples.X, samples.codes, samples.weights, samples.groups)

    def _base(self, kind: str) -> KindFit:
        table, name = self._table, BASES[kind]
        sets = [NO_FOLD, *self._left]
        table.fit([name], sets, partial(self.report, kind))
        if name in table.left_out:
            raise FitError(table.left_out[name])
        new_data = self._of_folds(lambda without: table.fits[name, without].response)
        seconds = sum(table.fits[name, without].seconds for without in sets)
        terms = count_terms(table.fits[name, NO_FOLD].estimator)
        return self._told(self._whole_base(kind), new_data, terms, seconds)

    def _whole_base(self, kind: str) -> Model:
        table, name = self._table, BASES[kind]
        table.fit([name], [NO_FOLD])
        if name in table.left_out:
            raise FitError(table.left_out[name])
        preparation, names = self._prepared(self._preparation)
        fitted = table.fits[name, NO_FOLD].estimator
        return model_of(
            fitted if preparation is None else make_pipeline(preparation, fitted), names
        )

    def _pooled(self) -> KindFit:
        table = self._table
        singles = [table.and_later(fold) for fold in table.fold_numbers()]
        within = [left | each for left in self._left for each in singles]  # some of them twice
        sets = dict.fromkeys([NO_FOLD, *singles, *self._left, *within])
        table.fit(table.models, sets, partial(self.report, "pool"))
        pool = self._whole_pool()
        proba = self._of_folds(partial(pool_held_out, table))
        seconds = sum(fit.seconds for fit in table.fits.values())
        return self._told(pool, proba, math.nan, seconds)

    def _whole_pool(self) -> Model:
        table, samples = self._table, self._samples
        singles = [table.and_later(fold) for fold in table.fold_numbers()]
        table.fit(table.models, [NO_FOLD, *singles])
        preparation, names = self._further
        X = samples.X
        if preparation is not None:
            X = preparation.transform(X)
        elif names is None:
            X = feature_matrix(X)
        steps = [] if preparation is None else [preparation]
        return model_of(make_pipeline(*steps, self._pool.from_table(X, table)))

    def add_models(self, models: Mapping[str, Any]) -> None:
        """Take classifiers as further kinds, which are fitted when they are first asked for."""
        for name, model in models.items():
            whole = WrappedClassifier(model, labels=list(range(self._samples.n_classes)))
            steps = [] if self._preparation is None else [self._preparation]
            prepared = make_pipeline(*steps, whole)
            if repr(self.models.setdefault(name, prepared)) != repr(prepared):
                self.models[name] = prepared
                del self.known[name]

    def _of_model(self, model: Any) -> KindFit:
        started = time.perf_counter()
        parts = held_out(model, self._samples, self._folds, seed=self._seed, n_jobs=self._n_jobs)
        fitted = fit_whole(model, self._samples, self._seed)
        proba = self._outside_folds([part.proba for part in parts if part.proba is not None])
        seconds = time.perf_counter() - started
        return self._told(model_of(fitted), proba, count_terms(fitted), seconds)

    def _trivial(self) -> KindFit:
        samples, outside = self._samples, self._outside

        def always(weights: Any, n: int) -> Floats:
            return np.tile(weights / weights.sum(), (n, 1))

        of_folds = [
            always(samples.take(train).class_weights, len(test)) for train, test in self._folds
        ]
        shares = samples.class_weights
        told = None if outside is None else Responses.of(always(shares, len(outside)))
        whole = Responses.of(always(shares, len(samples)))
        new = Responses.of(self._outside_folds(of_folds))
        return KindFit(None, whole, new, told, 0.0, 0.0)

    def _of_folds(self, said: Callable[[Without], Floats]) -> Floats:
        """Return what is said about held-out samples, of what is about all left out with a fold."""
        found = []
        for (_, test), without in zip(self._folds, self._left, strict=True):
            rows = np.flatnonzero(self._table.rows_of(without))
            found.append(said(without)[np.searchsorted(rows, test)])
        return self._outside_folds(found)

    def _outside_folds(self, of_folds: Sequence[Floats]) -> Floats:
        """Return what is said about all held-out samples, ascending, of what is about each fold."""
        tests = np.concatenate([test for _, test in self._folds])
        return np.concatenate(of_folds)[np.argsort(tests)]

    def _told(self, model: Any, new_data: Floats, terms: float, seconds: float) -> KindFit:
        """Return a fitted model with what it says about the samples."""
        training, outside = (
            None if samples is None else Responses.of(model.predict_proba(samples.X))
            for samples in (self._samples, self._outside)
        )
        assert training is not None
        return KindFit(model, training, Responses.of(new_data), outside, terms, seconds)

    def _prepared(self, preparation: Any) -> tuple[Any, tuple[str, ...] | None]:
        """Return a preparation fitted to all samples, and the names of its columns."""
        if preparation is None:
            return None, feature_names(self._samples.X)
        fitted = preparation.fit(self._samples.X, self._samples.codes)
        return fitted, tuple(map(str, fitted.get_feature_names_out()))


def _linear_of_fold(maker: KindMaker, samples: Samples, goal: Goal, fold: Fold) -> Floats:
    """Return class code, score and probabilities, (m, 2 + r), of the samples of a fold."""
    train, test = fold
    told = _ask(maker.fit_linear(samples.take(train), goal), samples.take(test))
    return np.column_stack(told)  # type: ignore[arg-type]


def _ask(model: Model, samples: Samples) -> Responses:
    X = samples.X
    return Responses(model.predict(X), model.decision_function(X), model.predict_proba(X))


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
        parts[rows] += Folds.deal(part.undivided, part.codes, FEWEST).index - folds.goes_forward
    return parts


def _features(
    matrix: Floats | None, samples: Samples, preparation: Any, parts: Integers, without: Without
) -> Features:
    """Return the features (n, p), prepared without the rows of some folds."""
    if matrix is not None:
        return Features(matrix)
    fresh, inside = clone(preparation), np.flatnonzero(~np.isin(parts, list(without)))
    values = fit_columns(samples, fresh, inside)
    return Features(values, fresh.n_plain, fresh.n_shared)
