"""One search of one table: from training data and settings to a front."""

from __future__ import annotations

import threading

import numpy as np
import pandas as pd

from moselect.front import Front
from moselect.metrics import Objectives
from moselect.pareto import ParetoArchive, spread_subset
from moselect.samples import Samples
from moselect.search.problem import Problem, make_problem
from moselect.search.runs import Callback, Checkpoints, make_plan, search_runs, threads_of_a_run
from moselect.search.settings import SearchSettings
from moselect.search.stages import stages_of


def search_front(
    data: Samples,
    settings: SearchSettings,
    rng: np.random.Generator,
    stop: threading.Event,
    callback: Callback | None = None,
    checkpoints: Checkpoints | None = None,
    identity: str = "",
) -> tuple[Front, int]:
    """Search the front of training data.

    Returns
    -------
    front : Front
        The non-dominated models found, best first.
    n_evaluations : int
        Evaluations done.

    Raises
    ------
    KeyboardInterrupt
        If the search was stopped before its first round.
    """
    stages = stages_of(len(data)) if settings.samples_first else ()
    n_threads = threads_of_a_run(settings.n_runs, settings.n_jobs)
    seed = settings.random_state or 0  # so that a search that is resumed draws the same rows
    problems = [
        make_problem(data.draw(rows, seed), settings.thresholds, n_threads)
        for rows in ([stage.rows for stage in stages] or [len(data)])
    ]
    plan = make_plan(settings, problems[0], stages, rng, identity)
    archive, done = search_runs(problems, plan, settings.n_jobs, stop, callback, checkpoints)
    front = front_of_archive(problems[-1], settings.objectives, archive, data, settings.max_models)
    return front, done


def front_of_archive(
    problem: Problem,
    objectives: Objectives,
    archive: ParetoArchive,
    data: Samples,
    max_models: int | None = None,
) -> Front:
    """Return the models of an archive, whose payload is position and mixture, best one first.

    Of more than ``max_models`` those are kept that are well spread.
    """
    best_first = np.lexsort((*archive.columns[::-1],))[::-1]
    if max_models is not None and max_models < len(best_first):
        kept = spread_subset(archive.points[best_first], max_models)
        best_first = best_first[np.sort(kept)]
    payload = archive.payload[best_first]
    weights, thresholds, confusions = problem.models_and_confusions(
        payload[:, :-1], payload[:, -1].astype(np.int64)
    )
    names = list(objectives.names)
    return Front(
        objectives=pd.DataFrame(archive.points[best_first], columns=names),
        weights=weights,
        thresholds=thresholds,
        classes=data.classes,
        feature_names=data.feature_names,
        chance=pd.Series(objectives.among(problem.chance), index=names),
        confusions=confusions,
    )
