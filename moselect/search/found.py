"""From the archive of a search to its front."""

from __future__ import annotations

import numpy as np
import pandas as pd

from moselect.datasets import TrainingData
from moselect.front import Front
from moselect.metrics import Objectives
from moselect.pareto import ParetoArchive
from moselect.search.problem import Problem


def front_of_archive(
    problem: Problem, objectives: Objectives, archive: ParetoArchive, data: TrainingData
) -> Front:
    """Return the models of an archive, whose payload is position and mixture, best one first."""
    best_first = np.lexsort((*archive.columns[::-1],))[::-1]
    payload = archive.payload[best_first]
    weights, thresholds = problem.models(payload[:, :-1], payload[:, -1].astype(np.int64))
    names = list(objectives.names)
    return Front(
        objectives=pd.DataFrame(archive.points[best_first], columns=names),
        weights=weights,
        thresholds=thresholds,
        classes=data.classes,
        feature_names=data.feature_names,
        chance=pd.Series(objectives.among(problem.chance), index=names),
        confusions=problem.batch.confusions(weights, thresholds),
    )
