"""The search repeated without each fold: what its models reach on samples they never saw."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from moselect._types import Floats
from moselect.front import Front, measure_holdout
from moselect.front.holdout import sampling_variances
from moselect.search.front_search import search_front
from moselect.search.search_samples import SearchSamples
from moselect.search.settings import SearchSettings

FOLD_EVALUATIONS = 1_000  # of a search without the samples of a fold
MOST_ROWS = 8_000  # to search on, and a quarter as many to measure the front on


def search_folds(
    training: SearchSamples,
    settings: SearchSettings,
    stop: threading.Event,
    refitted: Sequence[Floats] | None = None,
) -> tuple[list[Front], list[Floats]] | None:
    """Search the front without the samples of each fold, if there are folds, with a small budget.

    Of very many samples, a stratified part is searched and measured on. ``refitted`` are
    the columns of the samples fitted without each fold, if they depend on what they are
    fitted to. Returns one front a fold, with that fold held out, and the variances (m,)
    of its mean held-out figures that come from the draw of the fold. None without folds,
    if the search was stopped, or if some class or all features would be lost without a
    fold (with a warning).
    """
    data, folds = training.evidence, training.folds
    if folds is None:
        return None
    small = replace(
        settings,
        n_runs=1,
        n_iterations=None,
        max_evaluations=FOLD_EVALUATIONS,
        max_seconds=None,
    )
    fronts, variances = [], []
    for fold, (train, test) in enumerate(folds):
        if stop.is_set():
            return None
        columns = data
        if refitted is not None:
            columns = replace(data, X=refitted[fold], feature_names=None)
        inside = columns.take(train).draw(MOST_ROWS)
        if not inside.class_sizes.all() or not np.ptp(inside.X, axis=0).any():
            missing = data.classes[inside.class_sizes == 0]
            what = f"class {missing[0]}" if len(missing) else "all features"
            warnings.warn(
                f"what to expect on new data cannot be estimated: without a fold {what} would be "
                "lost (merge rare classes with a neighbour)",
                UserWarning,
                stacklevel=3,
            )
            return None
        rng = np.random.default_rng(settings.random_state)
        try:
            front, _ = search_front(inside, small, rng, stop)
        except (
            KeyboardInterrupt
        ):  # before its first round: the front of all samples is kept
            return None
        if stop.is_set():
            return None
        held_out = columns.take(test).draw(MOST_ROWS // 4)
        fronts.append(measure_holdout(front, held_out, settings.objectives))
        variances.append(sampling_variances(front, held_out, settings.objectives))
    return fronts, variances
