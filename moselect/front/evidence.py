"""A model that was selected for given costs, and the evidence for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect.models import OrdinalLinearClassifier

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known about a selected model and its rivals.

    Cross-validated figures come from models that were fitted without the sample, in five folds.

    Attributes
    ----------
    objectives : DataFrame of shape (2, m)
        The objectives of the front for the model, ``training`` and ``cross-validated``.
    n_dominating : int
        Members of the front that are at least as good in every objective, on the training data.
    costs : DataFrame
        One row a rule: the ``selected`` one; the front's own ``cheapest member`` (a direction of
        the front with exact thresholds); ``proportional odds`` (its plug-in rule); the ``trivial``
        class. Columns: mean cost of a sample in ``training`` and ``cross-validated``, with its
        ``standard error``. For the cheapest member the second needs fronts that were searched
        without each fold; it is NaN if there are none.
    predicted : DataFrame
        The cross-validated class label of every sample (n,) by every rule.
    confusion : DataFrame of shape (r, r)
        Samples of each true class (rows) that the selected model, cross-validated, puts into each
        class (columns).
    cost_matrix : ndarray of shape (r, r)
        The costs.
    """

    objectives: pd.DataFrame
    n_dominating: int
    costs: pd.DataFrame
    predicted: pd.DataFrame
    confusion: pd.DataFrame
    cost_matrix: Floats


class SelectedClassifier(OrdinalLinearClassifier):
    """A linear model that was selected for given costs, ready to predict.

    Parameters
    ----------
    coef, thresholds, classes, feature_names
        As in `OrdinalLinearClassifier`.
    evidence : Evidence, optional
        What is known about it and its rivals.
    """

    def __init__(
        self,
        coef: ArrayLike,
        thresholds: ArrayLike,
        classes: ArrayLike,
        feature_names: Sequence[str] | None = None,
        evidence: Evidence | None = None,
    ) -> None:
        super().__init__(coef, thresholds, classes, feature_names)
        self.evidence = evidence

    def _repr_html_(self) -> str:
        if self.evidence is None:
            return super()._repr_html_()
        costs = self.evidence.costs.to_html(float_format="{:.4g}".format, border=0)
        return f"{super()._repr_html_()}<p>Expected costs</p>{costs}"
