"""Pruning: trials that are hopeless after some of their folds."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from moselect._types import Floats
from moselect.learning import CV, Fitted, Predictions
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.selection.decision_loss import DecisionLoss
from moselect.selection.evaluation import Splits
from moselect.selection.evaluations import Evaluations


@dataclass(frozen=True, eq=False)
class Pruner:
    """Prune a trial that a finished one clearly dominates on the same rows.

    Attributes
    ----------
    losses : sequence of DecisionLoss
        One for each objective.
    samples : Samples
        The training samples.
    folds : Folds
        Folds with disjoint test folds.
    finished : sequence of ndarray of shape (m, r)
        Out-of-fold probabilities of the best finished trials; without any, none is pruned.

    Notes
    -----
    A trial is hopeless if a finished one is better in every objective, each time by more
    than the standard error of their paired difference on the test folds so far. Optuna has
    no pruning for several objectives, and for one its median rule prunes half of the trials
    even where they differ by noise alone; this error is large after few rows.
    """

    losses: Sequence[DecisionLoss]
    samples: Samples
    folds: Folds
    finished: Sequence[Floats] = ()

    def is_hopeless(self, proba: Floats, n_folds: int) -> bool:
        """Return whether a trial with probabilities (m, r) of the first folds is pruned."""
        folds = Folds(self.folds.splits[:n_folds], self.folds.n_samples)
        for finished in self.finished:
            pairs = zip(
                self.evaluate(proba, folds), self.evaluate(finished, folds), strict=True
            )
            excesses = (own.excess_over(other, "trial") for own, other in pairs)
            # None over a trial without mistakes on these rows: a ratio has no value there.
            if all(excess and excess.estimate > excess.std_error for excess in excesses):
                return True
        return False

    def evaluate(self, proba: Floats, folds: Folds) -> Iterator[Evaluations]:
        """Evaluate the predictions for some folds, with decisions for each objective."""
        rows = np.searchsorted(self.folds.tested, folds.tested)
        fitted = Fitted(None, {CV: Predictions.of(proba[rows])}, math.nan, math.nan)
        splits = Splits.of(self.samples, folds)
        for loss in self.losses:
            yield Evaluations.of({"trial": fitted}, loss, splits)
