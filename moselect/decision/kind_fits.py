"""Every kind of model fitted to all samples and without each fold, from one table of fits."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.pipeline import make_pipeline

from moselect._processes import say_nothing, share
from moselect._types import Floats, Integers
from moselect.columns.training import columns_without, preparation_for
from moselect.decision.goal import Goal
from moselect.decision.held_out import count_terms
from moselect.decision.kinds import BASES, TRIVIAL, KindMaker, scoring_rule
from moselect.features import feature_matrix, feature_names
from moselect.folds import Fold, Folds
from moselect.models import OrdinalLinearClassifier, OrdinalPool
from moselect.models.card import ScoreCalibration
from moselect.models.pool.base_models import BASE_MODELS, base_models
from moselect.models.pool.fit_table import NO_FOLD, FitTable, Without
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
    model : OrdinalLinearClassifier, Pipeline or None
        Fitted to all samples, on class codes; a pipeline ends with a pool. None: no model.
    calibration : ScoreCalibration or None
        Class probabilities along the score of a linear model.
    training, new_data : Responses
        By that one, and by those without each fold; of all samples.
    outside : Responses or None
        About the samples that the search held out.
    terms, seconds : float
        How many terms it adds up, NaN if it is no sum; and the time of all fits.
    path : ndarray of shape (20, n, r) or None
        Class probabilities of new data by scorecards of 1 to 20 conditions.
    """

    model: Any
    calibration: ScoreCalibration | None
    training: Responses
    new_data: Responses
    outside: Responses | None
    terms: float
    seconds: float
    path: Floats | None = None

    @property
    def rule(self) -> OrdinalLinearClassifier | None:
        """The model, if it has a single score."""
        return self.model if isinstance(self.model, OrdinalLinearClassifier) else None


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
        r, seed = samples.n_classes, maker.random_state or 0
        self._pool = OrdinalPool(labels=list(range(r)), random_state=seed)
        matrix = feature_matrix(samples.X) if self._preparation is None else None
        self._n_jobs = N_JOBS if maker.n_jobs is None else maker.n_jobs
        self.report: Callable[[str, int, int], None] = say_nothing
        index = _inner_folds(samples, folds)
        features = partial(_features, matrix, samples, self._preparation, index)
        self._table = FitTable(
            base_models(None, seed), features, samples.codes, r, None, index, self._n_jobs
        )
        self._left = [frozenset(np.unique(index[test]).tolist()) for _, test in folds]

    def __call__(self, kind: str, goal: Goal) -> KindFit:
        """Return a kind or rival, fitted to all samples and without each fold."""
        if kind in self.known:
            return self.known[kind]
        self.report(kind, 0, len(self._folds))
        if kind == TRIVIAL:
            fit = self._trivial()
        elif kind == "points":
            fit = self._points()
        elif kind in BASES:
            fit = self._base(BASES[kind])
        elif kind == "pool":
            fit = self._pooled()
        else:
            return self._linear(goal)
        self.known[kind] = fit
        return fit

    def _linear(self, goal: Goal) -> KindFit:
        samples = replace(self._samples, classes=np.arange(self._samples.n_classes))
        started, r = time.perf_counter(), samples.n_classes
        model, calibration = self._maker.fit_linear(samples, goal)
        tasks = [partial(_linear_of_fold, self._maker, samples, goal, fold) for fold in self._folds]
        found = share(tasks, self._n_jobs, partial(self.report, "linear"))
        told = np.empty((len(samples), 2 + r))  # code, score, probabilities
        for (_, test), of_fold in zip(self._folds, found, strict=True):
            told[test] = of_fold
        new = Responses(told[:, 0].astype(np.int64), told[:, 1], told[:, 2:])
        return KindFit(
            model,
            calibration,
            _ask(model, calibration, samples),
            new,
            None if self._outside is None else _ask(model, calibration, self._outside),
            count_terms(model),
            time.perf_counter() - started,
        )

    def take_conditions(self, conditions: int) -> None:
        """Fit scorecards of another number of conditions from now on."""
        self._maker = replace(self._maker, conditions=conditions)
        self.known.pop("points", None)

    def _points(self) -> KindFit:
        samples, r = self._samples, self._samples.n_classes
        started = time.perf_counter()
        card = Scorecard(self._maker.conditions, prepare=self._preparation, labels=list(range(r)))
        card.fit(samples.X, samples.codes)
        report = partial(self.report, "points")
        path = path_in_folds(
            card, samples.X, samples.codes, self._folds, n_jobs=self._n_jobs, report=report
        )
        n, seconds = card.n_conditions_, time.perf_counter() - started
        told = self._told(card.rule_, card.calibration_, path[n - 1], n, seconds)
        return replace(told, path=path)

    def _base(self, name: str) -> KindFit:
        table = self._table
        sets = [NO_FOLD, *self._left]
        table.fit([name], sets, partial(self.report, name))
        new_data = np.empty((len(self._samples), table.n_classes))
        for without in self._left:
            new_data[table.rows_of(without)] = table.fits[name, without].response
        fitted = table.fits[name, NO_FOLD].estimator
        preparation, names = self._prepared()
        rule, calibration = scoring_rule(fitted, preparation, names)
        seconds = sum(table.fits[name, without].seconds for without in sets)
        return self._told(rule, calibration, new_data, count_terms(fitted), seconds)

    def _pooled(self) -> KindFit:
        table, samples = self._table, self._samples
        singles = [frozenset([fold]) for fold in table.fold_numbers()]
        within = [left | each for left in self._left for each in singles]  # some of them twice
        sets = dict.fromkeys([NO_FOLD, *singles, *self._left, *within])
        table.fit(BASE_MODELS, sets, partial(self.report, "pool"))
        preparation, names = self._prepared()
        X = samples.X
        if preparation is not None:
            X = preparation.transform(X)
        elif names is None:
            X = feature_matrix(X)
        pool = self._pool.from_table(X, table)
        proba = np.empty((len(samples), samples.n_classes))
        for without in self._left:
            proba[table.rows_of(without)] = pool_held_out(table, without)
        steps = [] if preparation is None else [preparation]
        seconds = sum(fit.seconds for fit in table.fits.values())
        return self._told(make_pipeline(*steps, pool), None, proba, math.nan, seconds)

    def _trivial(self) -> KindFit:
        codes, outside = self._samples.codes, self._outside
        shares = np.bincount(codes) / len(codes)
        of_folds = [np.bincount(codes[train], minlength=len(shares)) for train, _ in self._folds]
        new = np.array([counts / counts.sum() for counts in of_folds])[self._folds.index]

        def always(n: int) -> Responses:
            return Responses.of(np.tile(shares, (n, 1)))

        told = None if outside is None else always(len(outside))
        return KindFit(None, None, always(len(codes)), Responses.of(new), told, 0.0, 0.0)

    def _told(
        self,
        model: Any,
        calibration: ScoreCalibration | None,
        new_data: Floats,
        terms: float,
        seconds: float,
    ) -> KindFit:
        """Return a fitted model with what it says about the samples."""

        def of(samples: Samples) -> Responses:
            if calibration is None:
                return Responses.of(model.predict_proba(samples.X))
            return Responses.of(calibration.probabilities(model.decision_function(samples.X)))

        outside = None if self._outside is None else of(self._outside)
        new = Responses.of(new_data)
        return KindFit(model, calibration, of(self._samples), new, outside, terms, seconds)

    def _prepared(self) -> tuple[Any, tuple[str, ...] | None]:
        """Return the preparation fitted to all samples, and the names of its columns."""
        if self._preparation is None:
            return None, feature_names(self._samples.X)
        fitted = self._preparation.fit(self._samples.X, self._samples.codes)
        return fitted, tuple(map(str, fitted.get_feature_names_out()))


def _linear_of_fold(maker: KindMaker, samples: Samples, goal: Goal, fold: Fold) -> Floats:
    """Return class code, score and probabilities, (m, 2 + r), of the samples of a fold."""
    train, test = fold
    told = _ask(*maker.fit_linear(samples.take(train), goal), samples.take(test))
    return np.column_stack(told)  # type: ignore[arg-type]


def _ask(
    model: OrdinalLinearClassifier, calibration: ScoreCalibration, samples: Samples
) -> Responses:
    scores = model.decision_function(samples.X)
    return Responses(model.predict(samples.X), scores, calibration.probabilities(scores))


def _inner_folds(samples: Samples, folds: Folds) -> Integers:
    """Return folds (n,), of which two at least remain without one of those given."""
    if len(folds) > FEWEST:
        return folds.index
    index = np.empty(len(samples), dtype=np.int64)
    for number, (_, test) in enumerate(folds):
        part = samples.take(test)
        index[test] = FEWEST * number + Folds.deal(part.groups, part.codes, FEWEST).index
    return index


def _features(
    matrix: Floats | None, samples: Samples, preparation: Any, folds: Integers, without: Without
) -> Floats:
    """Return the features (n, p), prepared without the rows of some folds."""
    if matrix is not None:
        return matrix
    return columns_without(samples, preparation, np.isin(folds, list(without)))
