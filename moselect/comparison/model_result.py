"""Results of single models in a comparison."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from moselect.learning import CV, Fitted, FoldPredictions, Predictions

FITTED = "fitted"
PLUG_IN = "plug-in"
AS_IS = "as it is"


@dataclass(frozen=True, eq=False)
class ModelResult:
    """Cross-validation result of one model.

    Attributes
    ----------
    description : str
        Class and changed parameters of the estimator.
    held_out : tuple of FoldPredictions
        Predictions for the test samples of each fold; empty if the model failed in any.
    failure : str, optional
        Reason of the failure, in one line.
    for_costs : bool
        Whether the model was fitted to costs, of the comparison or of its own.

    Examples
    --------
    >>> ModelResult("LogisticRegression()", failure="y has one class only").failure
    'y has one class only'
    """

    description: str
    held_out: tuple[FoldPredictions, ...] = ()
    failure: str | None = None
    for_costs: bool = False

    @property
    def decision(self) -> str:
        """Decision rule: fitted to the costs, plug-in of the probabilities, or as it is."""
        if self.for_costs:
            return FITTED
        return PLUG_IN if all(part.proba is not None for part in self.held_out) else AS_IS

    def fitted(self, terms: float, seconds: float) -> Fitted:
        """Return the out-of-fold predictions, in the order of the samples, as a candidate's.

        Predictions of a model that is fitted to costs have no probabilities, so that its
        own decisions stay.
        """
        parts = [
            Predictions(
                part.predicted, part.scores, None if self.for_costs else part.proba
            )
            for part in self.held_out
        ]
        rows = np.concatenate([part.rows for part in self.held_out])
        predictions = Predictions.joined(parts, np.argsort(rows, kind="stable"))
        return Fitted(None, {CV: predictions}, terms, seconds)
