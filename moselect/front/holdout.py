"""What the models of a front reach on other samples than those of the search."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from moselect.front.front import Front
from moselect.metrics import OBJECTIVES
from moselect.models.linear_batch import LinearBatch
from moselect.samples import Samples


def measure_holdout(front: Front, data: Samples) -> Front:
    """Return the front with the objectives and confusions of its models on held-out samples.

    Examples
    --------
    >>> import numpy as np
    >>> from moselect.samples import Samples
    >>> held_out = Samples.from_table([[0.0], [2.0], [1.0], [3.0]], [1, 1, 2, 2])
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
