"""Members on trial: a base model joins the ensemble where it would have weight."""

from __future__ import annotations

import warnings
from dataclasses import replace

from sklearn.exceptions import FitFailedWarning

from moselect.models.ensemble.fit_cache import FitCache
from moselect.models.ensemble.stacked_model import single_fold_weights

FEWEST_TRIED = 200  # fewest samples for a trial


def try_members(cache: FitCache) -> None:
    """Let each model on trial join the others if it has weight on one fold.

    All models are fitted without that fold; the cache keeps these fits, which the ensemble
    needs anyway. With few samples none is tried.
    """
    tried = cache.on_trial
    cache.on_trial = {}
    if not tried or len(cache.samples) < FEWEST_TRIED:
        return
    models = {**cache.models, **tried}
    trial = replace(cache, models=models, failures=dict(cache.failures))
    excluded = cache.and_later(cache.fold_numbers()[0])
    with warnings.catch_warnings():  # a model that fails does not join
        warnings.simplefilter("ignore", FitFailedWarning)
        trial.fit(trial.names, [excluded])
    weights = single_fold_weights(trial, excluded)
    # Least stacking weight of a model that joins. Rules of categories give it 0.3 to 0.5,
    # tables of numbers at most 0.25 (experiments/rules).
    least_weight = 0.28
    joined = {name: tried[name] for name in tried if weights.get(name, 0) >= least_weight}
    cache.models = {**cache.models, **joined}
