"""What the models of a front are worth on rows that the search never saw."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect.metrics import accuracy_score, mean_absolute_error, ranking_scores
from moselect.search.front import Front
from moselect.search.problem import OBJECTIVES


def measure_holdout(front: Front, X: ArrayLike | pd.DataFrame, y: NDArray[Any]) -> Front:
    """Give the front with the objectives of its models on X, y as ``holdout``.

    Parameters
    ----------
    front : Front
        A front.
    X : array-like of shape (n, p)
        Features.
    y : ndarray of shape (n,)
        Labels; every class must be there.
    """
    labels = front.classes.tolist()
    rows = np.empty((len(front), len(OBJECTIVES)))
    for row, model in zip(rows, front, strict=True):
        predicted = model.predict(X)
        row[0] = accuracy_score(y, predicted, labels=labels)
        row[1] = 1.0 - mean_absolute_error(y, predicted, labels=labels)
        row[2:] = ranking_scores(y, model.decision_function(X), labels=labels)
    table = pd.DataFrame(rows, columns=list(OBJECTIVES))
    return replace(front, holdout=table[list(front.objectives.columns)])
