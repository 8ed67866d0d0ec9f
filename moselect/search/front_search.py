"""Search of the front on all training samples and in each fold, and of a table."""

from __future__ import annotations

import hashlib
import json
import math
import threading
import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._parallel import count_jobs, one_blas_thread
from moselect._types import Floats, Table
from moselect.budgets import SEARCH
from moselect.inference.standard_errors import widening
from moselect.samples.parts import draw
from moselect.samples.samples import Samples
from moselect.samples.weights import WeightType
from moselect.search.evaluation import (
    measure_holdout,
    sampling_variances,
    with_fold_fronts,
)
from moselect.search.front import Front
from moselect.search.ordinal_problem import Problem, make_problem
from moselect.search.parallel_runs import (
    RunStates,
    Watch,
    in_background,
    search_runs,
    shares_memory,
    stop_on_interrupt,
)
from moselect.search.pareto import ParetoArchive, spread_subset
from moselect.search.scalarisations import UNIT
from moselect.search.search_samples import Searched, SearchSamples, prepare_search
from moselect.search.settings import (
    DEFAULT_ITERATIONS,
    RANGES,
    SearchSettings,
    checked_settings,
)
from moselect.search.swarm_run import UNBOUNDED, Callback, Plan


def search(
    X: Table,
    y: ArrayLike,
    settings: SearchSettings,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    times: ArrayLike | None = None,
    weight_type: WeightType | None = None,
    callback: Callback | None = None,
    checkpoints: RunStates | None = None,
) -> Searched:
    """Search the front of a table, without a selection.

    Parameters and errors as in `moselect.ParetoSearch` and its method ``fit``.

    Parameters
    ----------
    X, y : array-like of shape (n, p) and (n,)
        Features and ordinal labels.
    settings : SearchSettings
        Settings of the search.
    sample_weight, groups, times, weight_type : optional
        Weights and roles of the samples.
    callback, checkpoints : optional
        Callback for progress, and store for the states of runs.

    Returns
    -------
    Searched

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> settings = moselect.search.SearchSettings(n_iterations=1, cv=None, random_state=1)
    >>> bool(search(X, y, settings).front.objectives["accuracy"].max() > 0.6)
    True
    """
    training, samples, rng = prepare_search(
        X,
        y,
        checked_settings(settings),
        sample_weight=sample_weight,
        groups=groups,
        times=times,
        weight_type=weight_type,
    )
    training.warn_of_constant_features()
    resolved = samples.settings
    with one_blas_thread(), stop_on_interrupt() as stop:
        folds = partial(search_folds, samples, stop)
        with in_background(folds, stop, resolved.n_jobs) as search_of_folds:
            front, n_evaluations = search_front(
                training, resolved, rng, stop, callback, checkpoints
            )
            front = replace(front, columns=samples.columns)
            if samples.holdout_data is not None:
                front = measure_holdout(front, samples.holdout_data, resolved.objectives)
            fold_fronts = search_of_folds()
        if fold_fronts is not None:
            front = with_fold_fronts(front, *fold_fronts)
        return Searched(front, samples, n_evaluations, stop.is_set())


def search_front(
    data: Samples,
    settings: SearchSettings,
    rng: np.random.Generator,
    stop: threading.Event,
    callback: Callback | None = None,
    checkpoints: RunStates | None = None,
) -> tuple[Front, int]:
    """Search the front of training data; return it and the number of evaluations.

    KeyboardInterrupt is raised if the search was stopped before its first round.
    """
    n_jobs = count_jobs(settings.n_jobs)
    # Threads of each run; runs in processes have one.
    n_threads = max(1, n_jobs // settings.n_runs) if shares_memory() else 1
    sizes, ends = stages_of(len(data), settings)
    problems = []
    for size in sizes:
        part = draw(data, size, settings.random_state or 0)
        if part.weights is not None and part is not data:
            # Weights of a subsample are rounded to units, for fast integer arithmetic.
            units = np.maximum(np.rint(part.weights / UNIT), 1.0)
            part = replace(part, weights=units * UNIT)
        problems.append(
            make_problem(part, settings.objectives, settings.thresholds, n_threads)
        )
    plan = Plan(
        tuple(problems),
        ends,
        settings.n_particles,
        settings.velocity_range,
        problems[0].ready_made(),
        evaluations_of_runs(settings),
        (settings.max_seconds or math.inf) / math.ceil(settings.n_runs / n_jobs),
        tuple(rng.spawn(settings.n_runs)),
    )
    identity = "" if checkpoints is None else search_identity(data, settings)
    watch = Watch(stop, callback, checkpoints, identity)
    archive = search_runs(plan, watch, settings.n_jobs)
    front = front_of_archive(problems[-1], archive, settings.max_models)
    return front, watch.n_evaluations


def search_folds(
    samples: SearchSamples, stop: threading.Event
) -> tuple[list[Front], list[Floats]] | None:
    """Repeat the search in each fold with a small budget.

    Large data sets are subsampled by class. Returns a front for each fold, evaluated on its
    test fold, and the sampling variances (m,) of the mean out-of-fold objectives. None
    without folds, if the search was stopped, or, with a warning, if a training part would
    lack a class or have constant features only.
    """
    if samples.folds is None or stop.is_set():
        return None
    settings = samples.settings
    small = replace(
        settings,
        n_runs=1,
        n_iterations=None,
        max_evaluations=SEARCH.fold_evaluations,
        max_seconds=None,
    )
    fronts = []
    variances = []
    for columns, (train, test) in zip(samples.data_of_folds, samples.folds, strict=True):
        training = draw(columns.take(train), SEARCH.fold_rows)
        if not training.class_sizes.all() or not np.ptp(training.X, axis=0).any():
            missing = training.classes[training.class_sizes == 0]
            absent = f"class {missing[0]}" if len(missing) else "all features"
            warnings.warn(
                f"cross-validated objectives cannot be estimated: the training part of a fold "
                f"lacks {absent} (merge rare classes with a neighbour)",
                stacklevel=3,
            )
            return None
        rng = np.random.default_rng(settings.random_state)
        try:
            front, _ = search_front(training, small, rng, stop)
        except KeyboardInterrupt:
            # Stopped before its first round: the front of all samples is kept.
            return None
        if stop.is_set():
            return None
        held_out = draw(columns.take(test), SEARCH.fold_rows // 4)
        fronts.append(measure_holdout(front, held_out, settings.objectives))
        # The groups of all folds are the degrees of freedom.
        variances.append(
            widening(columns) ** 2
            * sampling_variances(front, held_out, settings.objectives)
        )
    return fronts, variances


def stages_of(
    n_samples: int, settings: SearchSettings
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the number of rows and the end of each stage; the last stage has all rows.

    Ends are shares of the budget. Only a search of directions begins on subsamples.
    """
    by_samples = settings.sampling is not None and settings.thresholds == "exact"
    if n_samples <= SEARCH.single_stage_rows or not by_samples:
        return (n_samples,), (1.0,)
    samples = [
        SEARCH.first_stage_rows,
        *(rows for rows in SEARCH.later_stage_rows if rows <= n_samples // 2),
    ]
    return (*samples, n_samples), (*SEARCH.stage_ends[len(samples) - 1], 1.0)


def evaluations_of_runs(settings: SearchSettings) -> tuple[int, ...]:
    """Divide the budget of evaluations evenly among the runs.

    A limit of evaluations or time replaces the default number of iterations.
    """
    is_bounded = settings.max_evaluations is not None or settings.max_seconds is not None
    iterations = settings.n_iterations
    if iterations is None and not is_bounded:
        iterations = DEFAULT_ITERATIONS
    n_runs = settings.n_runs
    total = UNBOUNDED
    if iterations is not None:
        total = settings.n_particles * iterations * n_runs
    share, rest = divmod(min(settings.max_evaluations or UNBOUNDED, total), n_runs)
    return tuple(share + (run < rest) for run in range(n_runs))


def search_identity(data: Samples, settings: SearchSettings) -> str:
    """Hash the data of a search and all settings that affect its result."""
    counting = {name: getattr(settings, name) for name in RANGES if name != "n_jobs"}
    sought = [
        (objective.name, objective.costs and objective.costs(data.class_weights).tolist())
        for objective in settings.objectives
    ]
    digest = hashlib.sha256()
    # Contiguous bytes: views of the same numbers get the same digest.
    for column in (*data.X.T, data.codes, data.weights, data.groups, data.times):
        if column is not None:
            digest.update(np.ascontiguousarray(column).data)
    content = json.dumps([sought, counting, digest.hexdigest()])
    return hashlib.sha256(content.encode()).hexdigest()


def front_of_archive(
    problem: Problem, archive: ParetoArchive, max_models: int | None = None
) -> Front:
    """Build the front from an archive of positions and scalarisations, best model first.

    At most ``max_models`` well-spread models are kept.
    """
    best_first = np.lexsort(archive.points.T[::-1])[::-1]
    if max_models is not None and max_models < len(best_first):
        kept = spread_subset(archive.points[best_first], max_models)
        best_first = best_first[np.sort(kept)]
    payload = archive.payload[best_first]
    weights, thresholds = problem.models(payload[:, :-1], payload[:, -1].astype(int))
    names = [objective.name for objective in problem.objectives]
    batch = problem.batch
    return Front(
        objectives=pd.DataFrame(archive.points[best_first], columns=names),
        weights=weights,
        thresholds=thresholds,
        classes=batch.classes,
        feature_names=batch.feature_names,
        chance=pd.Series(problem.chance, index=names),
        confusions=batch.confusions(weights, thresholds),
        monotone=batch.directions or None,
    )
