"""What the models of a front are worth on rows that the search never saw."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import StratifiedShuffleSplit

from moselect.labels import encode_labels
from moselect.search.front import Front
from moselect.search.measures import measures
from moselect.search.objectives import OBJECTIVES

Integers = NDArray[np.int64]


def split_holdout(
    codes: Integers, classes: NDArray[Any], share: float | None, rng: np.random.Generator
) -> tuple[Integers, Integers | None]:
    """Give the rows to search on and those held out, stratified by class; all if there is no share.

    Raises
    ------
    ValueError
        If a class has no objects on one of the two sides.
    """
    if share is None:
        return np.arange(len(codes)), None
    split = StratifiedShuffleSplit(1, test_size=share, random_state=int(rng.integers(2**31)))
    if min(share, 1.0 - share) * len(codes) < len(classes):
        raise ValueError(f"holdout {share} leaves no object for some of the classes")
    kept, held_out = next(split.split(codes, codes))
    for part in (kept, held_out):
        missing = np.setdiff1d(codes, codes[part])
        if len(missing):
            raise ValueError(
                f"holdout {share} leaves class {classes[missing[0]]} without objects "
                "on one side: hold out another share or merge the class with a neighbour"
            )
    return np.sort(kept), np.sort(held_out)


def measure_holdout(front: Front, X: ArrayLike | pd.DataFrame, y: NDArray[Any]) -> Front:
    """Give the front with the objectives and confusions of its models on X, y as held-out ones.

    Parameters
    ----------
    front : Front
        A front.
    X : array-like of shape (n, p)
        Features.
    y : ndarray of shape (n,)
        Labels; every class must be there.
    """
    codes = encode_labels(y, front.classes)
    r = len(front.classes)
    rows = np.empty((len(front), len(OBJECTIVES)))
    confusions = np.empty((len(front), r, r), dtype=np.int64)
    for i, model in enumerate(front):
        scores = model.decision_function(X)
        predicted = np.searchsorted(model.thresholds_, scores, side="left")
        rows[i] = measures(codes, predicted, scores, r)
        confusions[i] = np.bincount(codes * r + predicted, minlength=r * r).reshape(r, r)
    table = pd.DataFrame(rows, columns=list(OBJECTIVES))
    holdout = table[list(front.objectives.columns)]
    return replace(front, holdout=holdout, holdout_confusions=confusions)
