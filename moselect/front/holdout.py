"""Evaluation of a front on holdout samples."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from moselect._types import Floats
from moselect.front.front import Front
from moselect.metrics.objective import Objective
from moselect.metrics.ranking.class_pairs import ScoredSamples
from moselect.metrics.uncertainty.covariance import (
    RankedModels,
    delong_covariance,
    draw_squares,
)
from moselect.models.linear_batch import LinearBatch
from moselect.models.objective_values import objective_values
from moselect.samples.samples import Samples
from moselect.selection.standard_errors import standard_errors


def measure_holdout(
    front: Front, held_out: Samples, objectives: Sequence[Objective]
) -> Front:
    """Add objectives and confusion matrices on a holdout set to a front.

    Examples
    --------
    >>> import numpy as np
    >>> from moselect.metrics import objective_named
    >>> from moselect.samples.samples import Samples
    >>> held_out = Samples.from_table([[0.0], [2.0], [1.0], [3.0]], [1, 1, 2, 2])
    >>> values, chance = pd.DataFrame({"accuracy": [0.9]}), pd.Series({"accuracy": 0.5})
    >>> front = Front(values, np.eye(1), np.array([[0.5]]), held_out.classes, None, chance)
    >>> measure_holdout(front, held_out, [objective_named("accuracy")]).holdout
       accuracy
    0      0.75
    """
    batch = LinearBatch(held_out)
    confusions = batch.confusions(front.weights, front.thresholds)
    measured = objective_values(
        objectives, batch, front.weights, front.thresholds, confusions
    )
    return replace(
        front,
        holdout=pd.DataFrame(
            measured, columns=[objective.name for objective in objectives]
        ),
        holdout_confusions=confusions,
    )


def sampling_variances(
    front: Front, data: Samples, objectives: Sequence[Objective]
) -> Floats:
    """Estimate the sampling variance (m,) of mean objectives on holdout samples ``data``.

    The variance is computed from the influences of samples on the mean over some members:
    structural components of ranking measures, and the cost of each sample; NaN for
    objectives that are measured but not optimised.
    """
    # Members whose influences are averaged: neighbours on a front have similar ones.
    most_members = 30
    members = np.arange(0, len(front), 1 + len(front) // most_members)
    scores = front.weights[members] @ data.X.T
    predicted = (scores[:, :, None] > front.thresholds[members, None, :]).sum(axis=2)
    masses = np.asarray(data.class_weights, dtype=np.float64)
    ranked = ScoredSamples(data.classes, data.codes, masses, data.weights, scores, False)
    draws = None
    sizes = masses
    if data.weights is not None or data.groups is not None:
        draws = np.arange(len(data)) if data.groups is None else data.groups
        squares = draw_squares(data.codes, data.sample_weight_or_ones, draws, len(masses))
        # a fold may have no samples of a class: its effective size is 0
        sizes = np.divide(masses**2, squares, out=np.zeros_like(masses), where=masses > 0)
    enough = bool(sizes.min() > 1.0)  # samples, or groups, of every class
    variances = []
    for objective in objectives:
        if objective.costs is not None:
            costs = objective.costs(data.class_weights)[data.codes, predicted].mean(
                axis=0
            )
            influence = data.sum_by_cluster(
                costs - np.average(costs, weights=data.weights)
            )
            variances.append(float(standard_errors(influence)) ** 2)
        elif enough and not objective.measured:
            models = RankedModels(ranked, objective.name, False)
            variances.append(delong_covariance(models, draws).mean())
        else:
            variances.append(np.nan)
    return np.array(variances)
