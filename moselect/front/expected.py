"""What the models of a front are to be expected to reach on new data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from moselect.decision import expected_objectives
from moselect.front.front import Front, share_in_folds


def with_fold_fronts(front: Front, fold_fronts: Sequence[Front]) -> Front:
    """Return a front with its objectives expected on new data.

    Parameters
    ----------
    front : Front
        The front of all training samples.
    fold_fronts : sequence of Front
        The fronts of the samples without each fold, with that fold held out.

    Raises
    ------
    ValueError
        If a front of a fold has no held-out figures, or other objectives.

    Examples
    --------
    >>> objectives, chance = pd.DataFrame({"accuracy": [0.9]}), pd.Series({"accuracy": 0.5})
    >>> front = Front(objectives, np.eye(1), np.array([[2.5]]), np.array([1, 2]), None, chance)
    >>> fold = replace(front, holdout=objectives - 0.1)
    >>> with_fold_fronts(front, [fold, fold]).expected
       accuracy
    0      0.85
    """
    training, held_out = [], []
    for fold in fold_fronts:
        if fold.holdout is None:
            raise ValueError("a front of a fold has no figures of that fold")
        training.append(fold.objectives.to_numpy())
        held_out.append(fold.holdout.to_numpy())
    share_inside = share_in_folds(front.confusions, fold_fronts)
    found = expected_objectives(front.objectives.to_numpy(), training, held_out, share_inside)

    def table(values: np.ndarray) -> pd.DataFrame:
        return pd.DataFrame(values, columns=front.objectives.columns)

    return replace(
        front,
        expected=table(found.values),
        expected_se=table(found.standard_errors),
        fold_fronts=tuple(fold_fronts),
    )
