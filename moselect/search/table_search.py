"""`search`: the front of a table, evaluated on a holdout set and out of fold."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from numpy.typing import ArrayLike

from moselect._parallel import one_blas_thread
from moselect._types import Table
from moselect.samples.weights import WeightType
from moselect.search.evaluation import measure_holdout, with_fold_fronts
from moselect.search.front_search import search_folds, search_front
from moselect.search.parallel_runs import RunStates, in_background, stop_on_interrupt
from moselect.search.search_samples import Searched, prepare_search
from moselect.search.settings import SearchSettings, checked_settings
from moselect.search.swarm_run import Callback


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
