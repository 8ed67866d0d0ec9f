"""`compare`: every model on the same folds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from moselect._types import Integers
from moselect._validation import as_they_come, check_unmasked, jobs_for
from moselect.comparison.candidates import (
    Models,
    describe,
    for_folds_of,
    name_models,
    with_preparation,
)
from moselect.comparison.folds import Fold, make_folds
from moselect.comparison.for_costs import is_for_costs, set_costs
from moselect.comparison.held_out import FoldFit, HeldOut, ModelResult
from moselect.comparison.measures import DEFAULT_MEASURES, find_measures
from moselect.comparison.result import Comparison
from moselect.datasets.load import fingerprint
from moselect.decision import Costs, as_costs
from moselect.features import warn_of_exhausted_columns
from moselect.labels import class_labels, encode_labels
from moselect.models.time_limit import fit_within
from moselect.samples import check_classes

KILLED = "the process that fitted it was killed, perhaps for want of memory"


@dataclass(frozen=True)
class Progress:
    """How far a comparison is.

    Attributes
    ----------
    model : str
        The model that has just been fitted.
    fold : int
        To which fold.
    n_done : int
        Fits done, of all models.
    n_fits : int
        Fits to do at most; a model that fails is not fitted to its other folds.
    waiting : str
        The first model that is not fitted to all folds yet, "" at the end.

    Examples
    --------
    >>> def show(progress):
    ...     print(f"{progress.n_done} of {progress.n_fits}: {progress.model}")
    >>> show(Progress("proportional_odds", 2, 3, 10, "pool"))
    3 of 10: proportional_odds
    """

    model: str
    fold: int
    n_done: int
    n_fits: int
    waiting: str


Report = Callable[[Progress], None]


def compare(
    models: Models,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    *,
    cv: Any = None,
    measures: Sequence[str] | None = None,
    labels: Sequence[Any] | None = None,
    n_jobs: int | None = None,
    random_state: int | None = None,
    previous: Comparison | None = None,
    costs: Costs | ArrayLike | None = None,
    prepare: bool = True,
    max_seconds: float | None = None,
    report: Report | None = None,
) -> Comparison:
    """Compare models on the same folds by the same measures.

    Parameters
    ----------
    models : mapping, sequence, estimator or str
        Scikit-learn classifiers and regressors by name, or a sequence of them, or one; names of
        `known_models` may stand for estimators. They are cloned. Classifiers are fitted to class
        codes 0 .. r - 1 instead of labels, regressors to the same as floats; a regressor
        predicts the nearest class.
    X : array-like of shape (n, p)
        Features. They go to the models as they are, rows of a DataFrame as a DataFrame.
    y : array-like of shape (n,)
        Labels: numbers, an ordered Categorical, or strings with ``labels``.
    cv : int, splitter or iterable, optional
        By default five stratified folds, twice, and an int is so many stratified folds, once; or
        any splitter of scikit-learn, or (train, test) rows. Every class must be in every training
        part: with the stratified folds, a class with fewer samples than folds is not held out in
        all of them, and the only sample of a class is never held out.
    measures : sequence of str, optional
        Names of `moselect.metrics.get_scorer_names`, errors without ``neg_``; by default accuracy,
        mean absolute error and its mean over classes, VUS and U_ovo.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered Categorical.
    n_jobs : int, optional
        Processes for the fits. The result is the same for any number.
    random_state : int, optional
        Seed of the folds and of every fit; a model has the same seed in the same fold whatever it
        is compared with. A ``random_state`` that a model or splitter has is kept.
    previous : Comparison, optional
        Of the same data: its models are in the result and not fitted again, but for those that
        failed and are named again. Folds, seed and costs are taken from it.
    costs : Costs or array-like, optional
        What mistakes cost: `moselect.Costs`, the costs of the classes (r,), or a matrix (r, r),
        rows true classes. Models that take costs and have none of their own are fitted for them, a
        search hands over what it selects for them, and `Comparison.costs` has the result.
    prepare : bool, default=True
        Whether categories, dates and missing values of a DataFrame are turned into numbers, in
        every fold by the rows that are fitted to (`moselect.columns.Preparation`). A table of
        finite numbers stays as it is.
    max_seconds : float, optional
        Longest time of one fit with its predictions; a model that takes longer fails, and is not
        fitted to its other folds. Fits are then done in other processes, since only these can be
        ended. None: no limit.
    report : callable, optional
        Called with a `Progress` after every fit.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If data, folds, names or measures are wrong, a known model needs a package that is missing,
        or ``previous`` has other data, folds, seed, or parameters of a model.
    TypeError
        If something in ``models`` is no estimator.

    Notes
    -----
    The score of a model is its one-dimensional ``decision_function``; failing that, the expected
    class under ``predict_proba``; failing that, what it predicts. A model that fails in some fold
    is in the result with the reason (`Comparison.failures`). A ranking is measured in the classes
    of which some fold holds samples out; a measure that a fold does not define, because a class
    has no samples in it, is NaN there and averaged over the others (`Comparison.undefined`).

    Ctrl-C ends the comparison: models that have been fitted to all folds are kept. With several
    processes, a fit that kills its own is the failure of that model alone.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> found = moselect.compare(["trivial", "ordinal_ridge"], X, y, cv=3, random_state=1)
    >>> found.front()
    ['ordinal_ridge']
    >>> float(found.table.loc["trivial", ("accuracy", "rank")])
    2.0
    """
    if issparse(X):
        raise TypeError("X is sparse: give a dense array or a DataFrame")
    check_unmasked("X", X)
    table: Any = X if isinstance(X, pd.DataFrame) else np.asarray(X)
    if table.ndim != 2:
        raise ValueError(f"X has shape {table.shape}: it must be (n, p), one row a sample")
    if max_seconds is not None and not max_seconds > 0.0:
        raise ValueError(f"max_seconds is {max_seconds}: it must be positive, or None")
    classes = class_labels(y, labels)
    codes = encode_labels(y, classes)
    check_classes(table, codes, classes)
    if previous is not None and not isinstance(previous, Comparison):
        raise TypeError(f"previous must be a Comparison, not {type(previous).__name__}")
    warn_of_exhausted_columns(table)
    asked = _costs(costs, previous, classes)
    candidates = {
        name: with_preparation(set_costs(model, asked), table, prepare)
        for name, model in name_models(models, classes).items()
    }
    seed = _seed(random_state, previous)
    folds = _folds(cv, table, codes, classes, seed, previous)
    if measures is None:
        measures = DEFAULT_MEASURES if previous is None else previous.measures
    found = Comparison(
        classes=classes,
        codes=codes,
        folds=folds,
        measures=tuple(measure.name for measure in find_measures(measures)),
        results={},
        fingerprint=fingerprint(pd.DataFrame(table), pd.Series(codes)),
        random_state=seed,
        fitted_for=asked,
    )
    kept = {} if previous is None else _kept(previous, found, candidates)
    missing = {name: model for name, model in candidates.items() if name not in kept}
    fitted, interrupted = _fit(missing, table, found, max_seconds, n_jobs, report)
    return replace(found, results={**kept, **fitted}, interrupted=interrupted)


def _costs(
    costs: Costs | ArrayLike | None, previous: Comparison | None, classes: NDArray[Any]
) -> Costs | None:
    """Return the costs to fit for, checked."""
    old = None if previous is None else previous.fitted_for
    if costs is None:
        return old
    asked = as_costs(costs).in_order(classes)
    asked.require()
    matrix = asked.matrix(len(classes))
    if previous is not None and not (
        old is not None
        and np.array_equal(old.matrix(len(classes)), matrix)
        and _same_priors(old.priors, asked.priors)
    ):
        fitted = "without costs" if old is None else "for other costs"
        raise ValueError(f"the previous comparison was fitted {fitted}: keep this one elsewhere")
    return asked


def _same_priors(one: ArrayLike | None, other: ArrayLike | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(np.asarray(one), np.asarray(other))


def _seed(random_state: int | None, previous: Comparison | None) -> int:
    if random_state is None:
        if previous is not None:
            return previous.random_state
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, bool) or not isinstance(random_state, int | np.integer):
        raise TypeError(f"random_state is {random_state!r}: give an int of 0 or more, or None")
    if random_state < 0:
        raise ValueError(f"random_state is {random_state}: give an int of 0 or more, or None")
    return int(random_state)


def _folds(
    cv: Any,
    X: Any,
    codes: Integers,
    classes: NDArray[Any],
    seed: int,
    previous: Comparison | None,
) -> tuple[Fold, ...]:
    if cv is None and previous is not None and len(previous.codes) == len(codes):
        return previous.folds
    return make_folds(cv, X, codes, classes, seed)


def _kept(
    previous: Comparison, found: Comparison, candidates: dict[str, Any]
) -> dict[str, ModelResult]:
    """Return the results that need not be found again, if they belong to the same comparison."""
    if previous.classes.tolist() != found.classes.tolist():
        raise ValueError(
            f"the previous comparison has the classes {previous.classes.tolist()}, "
            f"not {found.classes.tolist()}"
        )
    if previous.fingerprint != found.fingerprint:
        raise ValueError(
            f"the previous comparison is of other data ({previous.fingerprint}, "
            f"not {found.fingerprint})"
        )
    if previous.random_state != found.random_state:
        raise ValueError(
            f"the previous comparison has random_state={previous.random_state}, "
            f"not {found.random_state}"
        )
    if not _same(previous.folds, found.folds):
        raise ValueError("the previous comparison has other folds: leave cv out to go on with them")
    kept = {
        name: result
        for name, result in previous.results.items()
        if result.failure is None or name not in candidates
    }
    for name in candidates.keys() & kept.keys():
        if kept[name].description != describe(candidates[name]):
            raise ValueError(
                f"the previous comparison has other parameters of model {name!r}: give this one "
                "another name"
            )
    return kept


def _same(some: Sequence[Fold], others: Sequence[Fold]) -> bool:
    return len(some) == len(others) and all(
        np.array_equal(a, b)
        for one, other in zip(some, others, strict=True)
        for a, b in zip(one, other, strict=True)
    )


def _fit(
    candidates: dict[str, Any],
    X: Any,
    found: Comparison,
    max_seconds: float | None,
    n_jobs: int | None,
    report: Report | None,
) -> tuple[dict[str, ModelResult], bool]:
    """Fit each model to each fold, one model after the other; tells whether Ctrl-C ended it."""
    n_fits = len(candidates) * len(found.folds)
    n_workers = jobs_for(n_jobs, n_fits)  # also for a single suspect, which may kill its process
    for_folds = {name: for_folds_of(model, X) for name, model in candidates.items()}
    held_out: dict[str, dict[int, HeldOut]] = {name: {} for name in candidates}
    failures: dict[str, dict[int, str]] = {name: {} for name in candidates}

    started: list[tuple[str, int]] = []

    def tasks(fits: Sequence[tuple[str, int]]) -> Iterator[Any]:
        started.clear()
        for name, fold in fits:
            if not failures[name]:
                started.append((name, fold))
                train, test = found.folds[fold]
                seed = _fold_seed(found.random_state, fold)
                task = FoldFit(for_folds[name], len(found.classes), train, test, seed)
                yield delayed(_fit_named)(name, fold, task, X, found.codes, max_seconds)

    def do(fits: Sequence[tuple[str, int]]) -> None:
        parallel = Parallel(n_workers, return_as=as_they_come("generator_unordered"))
        for name, fold, outcome in parallel(tasks(fits)):
            if isinstance(outcome, str):
                failures[name][fold] = outcome
            else:
                held_out[name][fold] = outcome
            if report is not None:
                n_done = sum(len(held_out[name]) + len(failures[name]) for name in candidates)
                report(Progress(name, fold, n_done, n_fits, first_waiting()))

    def first_waiting() -> str:
        left = (n for n in candidates if not failures[n] and len(held_out[n]) < len(found.folds))
        return next(left, "")

    def unfinished(fits: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
        return [(name, fold) for name, fold in fits if fold not in held_out[name]]

    interrupted = False
    waiting = [(name, fold) for name in candidates for fold in range(len(found.folds))]
    try:
        while waiting:
            try:
                do(waiting)
                break
            except BrokenProcessPool:
                suspects = unfinished(started)
                if not suspects:
                    raise
            # One of these has killed its process, and the others lost theirs with it.
            for name, fold in suspects:
                try:
                    do([(name, fold)])
                except BrokenProcessPool:
                    failures[name][fold] = KILLED
            waiting = [fit for fit in unfinished(waiting) if not failures[fit[0]]]
    except KeyboardInterrupt:
        interrupted = True
    results = {}
    for name, model in candidates.items():
        if failures[name]:
            fold = min(failures[name])
            reason = f"{failures[name][fold]} (fold {fold})"
            results[name] = ModelResult(describe(model), (), reason, is_for_costs(model))
        elif len(held_out[name]) == len(found.folds):
            ordered = tuple(held_out[name][fold] for fold in range(len(found.folds)))
            results[name] = ModelResult(describe(model), ordered, for_costs=is_for_costs(model))
    if interrupted and not results:
        raise KeyboardInterrupt  # nothing to keep
    return results, interrupted


def _fold_seed(seed: int, fold: int) -> int:
    return int(np.random.SeedSequence([seed, fold]).generate_state(1)[0])


def _fit_named(
    name: str, fold: int, task: FoldFit, X: Any, codes: Integers, max_seconds: float | None
) -> tuple[str, int, HeldOut | str]:
    if max_seconds is None:
        return name, fold, task.fit(X, codes)
    try:
        return name, fold, fit_within(task, X, codes, max_seconds)
    except TimeoutError:
        return name, fold, f"it was not fitted after {max_seconds:g} seconds: raise the limit"
    except RuntimeError:  # its process ended by itself
        return name, fold, KILLED
