"""Learner of scorecards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from moselect.learning import Learner
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.scorecard.path import LONGEST


@dataclass(frozen=True, eq=False)
class CardLearner(Learner):
    """Learner of scorecards.

    Attributes
    ----------
    card : Scorecard
        Unfitted scorecard; ``labels`` come from the samples.
    """

    card: Any

    def fit(self, samples: Samples, criteria: Any = None) -> Any:
        """Fit the scorecard."""
        labels = list(range(samples.n_classes))
        fresh = clone(self.card).set_params(labels=labels)
        if samples.directions:
            fresh.set_params(monotone=samples.directions)
        return fresh.fit(samples.X, samples.codes, samples.weights, samples.groups)

    def log_losses(self, samples: Samples) -> pd.Series:
        """Compute the cross-validated log loss by the number of conditions."""
        codes = samples.codes
        weights = samples.weights
        # One fit has the scorecards of all numbers of conditions: five fits for twenty losses,
        # where `cross_validate` predicts by one scorecard a fit.
        proba = np.empty((LONGEST, len(codes), samples.n_classes))
        n_folds = 5
        for train, test in Folds.deal(samples.cv_groups, codes, n_folds, weights):
            model = self.fit(samples.take(train))
            proba[:, test] = model.path_probabilities(samples.take(test).X)
        # lower bound of probabilities in the log loss
        unlikely = 1e-6
        of_true = np.maximum(proba[:, np.arange(len(codes)), codes], unlikely)
        losses = np.average(-np.log(of_true), axis=1, weights=weights)
        return pd.Series(losses, pd.RangeIndex(1, LONGEST + 1, name="conditions"))
