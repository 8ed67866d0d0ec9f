"""Deterministic decisions in one process."""

from dataclasses import replace

import numpy as np
import pandas as pd

from moselect.candidates.candidates import CandidateFits, FitSettings
from moselect.preprocessing.preparation import schema_of
from moselect.samples.folds import Folds
from moselect.selection import Selector


def decide(samples, index=None):
    """Return a decision on samples, with folds given by their index or the default ones."""
    folds = None if index is None else Folds.from_index(index)
    if samples.schema is None:
        samples = replace(samples, schema=schema_of(samples.X))
    return Selector(CandidateFits(samples, FitSettings(random_state=0, n_jobs=1), folds))


def draw_groups(n, seed):
    """Draw a table of three classes, with a noisy group in a column that is no feature."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    group = rng.choice(["North", "south"], size=n, p=[0.3, 0.7])
    noise = np.where(group == "North", 1.2, 0.5) * rng.logistic(size=n)
    y = 1 + np.digitize(1.5 * X["a"] + X["b"] + noise, [-1.0, 1.0])
    return X, y, pd.DataFrame({"g": group})
