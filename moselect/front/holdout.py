"""Held-out samples: which they are, and what the models of a front reach on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit

from moselect._types import Integers
from moselect.datasets import TrainingData
from moselect.front.front import Front
from moselect.metrics import OBJECTIVES
from moselect.models import LinearBatch


def split_holdout(
    codes: Integers, classes: NDArray[Any], share: float | None, rng: np.random.Generator
) -> tuple[Integers, Integers]:
    """Draw the rows to search on and those held out, stratified by class; ascending.

    Without a share nothing is held out.

    Raises
    ------
    ValueError
        If a class has no samples on one of the two sides.

    Examples
    --------
    >>> codes, classes = np.array([0, 0, 1, 1]), np.array(["low", "high"])
    >>> searched, held_out = split_holdout(codes, classes, 0.5, np.random.default_rng(1))
    >>> len(searched), len(held_out)
    (2, 2)
    """
    if share is None:
        return np.arange(len(codes)), np.arange(0)
    split = StratifiedShuffleSplit(1, test_size=share, random_state=int(rng.integers(2**31)))
    if min(share, 1.0 - share) * len(codes) < len(classes):
        raise ValueError(f"holdout {share} leaves no sample for some of the classes")
    kept, held_out = next(split.split(codes, codes))
    for part in (kept, held_out):
        missing = np.setdiff1d(codes, codes[part])
        if len(missing):
            raise ValueError(
                f"holdout {share} leaves class {classes[missing[0]]} without samples "
                "on one side: hold out another share or merge the class with a neighbour"
            )
    return np.sort(kept), np.sort(held_out)


def measure_holdout(front: Front, data: TrainingData) -> Front:
    """Return the front with the objectives and confusions of its models on held-out samples.

    Examples
    --------
    >>> from moselect.datasets import TrainingData
    >>> held_out = TrainingData.from_table([[0.0], [2.0], [1.0], [3.0]], [1, 1, 2, 2])
    >>> objectives, chance = pd.DataFrame({"accuracy": [0.9]}), pd.Series({"accuracy": 0.5})
    >>> front = Front(objectives, np.eye(1), np.array([[0.5]]), held_out.classes, None, chance)
    >>> measure_holdout(front, held_out).holdout
       accuracy
    0      0.75
    """
    batch = LinearBatch(data)
    measured = batch.objectives(front.weights, front.thresholds)
    return replace(
        front,
        holdout=pd.DataFrame(measured, columns=list(OBJECTIVES))[list(front.objectives.columns)],
        holdout_confusions=batch.confusions(front.weights, front.thresholds),
    )
