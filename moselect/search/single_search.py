"""One search of one table: from training data and settings to a front."""

from __future__ import annotations

import threading

import numpy as np
import pandas as pd

from moselect.datasets import TrainingData
from moselect.front import Front
from moselect.metrics import Objectives
from moselect.pareto import ParetoArchive
from moselect.search.problem import Problem, make_problem
from moselect.search.runs import Callback, Checkpoints, make_plan, search_runs, threads_of_a_run
from moselect.search.settings import SearchSettings


def search_front(
    data: TrainingData,
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
    problem = make_problem(
        data, settings.thresholds, threads_of_a_run(settings.n_runs, settings.n_jobs)
    )
    plan = make_plan(settings, problem, rng, identity)
    archive, done = search_runs(problem, plan, settings.n_jobs, stop, callback, checkpoints)
    if done == 0:  # nothing to keep
        raise KeyboardInterrupt
    return front_of_archive(problem, settings.objectives, archive, data), done


def front_of_archive(
    problem: Problem, objectives: Objectives, archive: ParetoArchive, data: TrainingData
) -> Front:
    """Return the models of an archive, whose payload is position and mixture, best one first."""
    best_first = np.lexsort((*archive.columns[::-1],))[::-1]
    payload = archive.payload[best_first]
    weights, thresholds = problem.models(payload[:, :-1], payload[:, -1].astype(np.int64))
    names = list(objectives.names)
    return Front(
        objectives=pd.DataFrame(archive.points[best_first], columns=names),
        weights=weights,
        thresholds=thresholds,
        classes=data.classes,
        feature_names=data.feature_names,
        chance=pd.Series(objectives.among(problem.chance), index=names),
        confusions=problem.batch.confusions(weights, thresholds),
    )
