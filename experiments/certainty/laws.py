"""A known law with groups: four classes by proportional odds, some groups harder than others."""

from __future__ import annotations

import numpy as np
import pandas as pd

import moselect
from moselect.predictor import class_probabilities

CUTS = np.array([-0.5, 1.0, 3.0])
CLASSES = np.arange(4)
CLASS_COSTS = (1.0, 1.0, 3.0, 6.0)
COSTS = moselect.cost_matrix(CLASS_COSTS)
REGIONS = np.array(["east", "north", "south", "west"])
SIGNAL = np.array([1.0, 1.0, 0.6, 0.8])  # of the features, in each region


class Rows:
    """Features, classes, true class probabilities and regions of n rows."""

    def __init__(self, n: int, rng: np.random.Generator, noise: float = 0.0) -> None:
        values = rng.normal(size=(n, 4))
        self.X = pd.DataFrame(values, columns=list("abcd"))
        regions = rng.choice(4, n, p=[0.4, 0.3, 0.2, 0.1])
        self.region = REGIONS[regions]
        score = 2.0 * values[:, 0] + values[:, 1] + 0.7 * values[:, 2] ** 2
        self.score = SIGNAL[regions] * score
        drawn = self.score + rng.logistic(size=n)
        # ``noise`` is the share of rows whose class has nothing to do with them
        drawn = np.where(rng.random(n) < noise, rng.permutation(drawn), drawn)
        self.y = np.digitize(drawn, CUTS)
        self.proba = class_probabilities(self.score, CUTS)


def costs_of(model: object, rows: Rows) -> np.ndarray:
    """Compute the cost of each row."""
    return COSTS[rows.y, model.predict(rows.X)]


def for_costs(rows: Rows, model: str = "additive", **criteria: object) -> object:
    """Select a model for the costs."""
    search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=0, n_jobs=1)
    return search.fit(rows.X, rows.y).select(
        class_costs=CLASS_COSTS, model=model, **criteria
    )
