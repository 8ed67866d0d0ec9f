"""The search repeated without each fold, with a small budget."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from moselect.datasets import TrainingData
from moselect.front import Front

if TYPE_CHECKING:
    from moselect.search.estimator import ParetoSearch

FOLD_EVALUATIONS = 1_000  # of a search without the samples of a fold


def search_folds(
    search: ParetoSearch, data: TrainingData, folds: NDArray[np.int64]
) -> list[Front] | None:
    """Search the front anew without the samples of each fold (n,), with a small budget.

    Returns
    -------
    list of Front, or None
        None if a class or all features would be lost in some fold.

    Raises
    ------
    KeyboardInterrupt
        If Ctrl-C came during one of the searches.
    """
    small = {"n_runs": 1, "max_evaluations": FOLD_EVALUATIONS, "holdout": None, "labels": None}
    fronts = []
    for inside in (data.take(folds != j) for j in range(folds.max() + 1)):
        if inside.class_counts.min() < 2 or not np.ptp(inside.X, axis=0).any():
            return None
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "constant columns")  # in this fold
            found = clone(search).set_params(**small).fit(inside.X, inside.codes)
        if found.interrupted_:  # half a search would make the front look worse than it is
            raise KeyboardInterrupt
        fronts.append(found.front_)
    return fronts
