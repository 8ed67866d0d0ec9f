"""What the mistakes of each model cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect._validation import check_priors, require_samples
from moselect.comparison.folds import Fold

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


def use_priors(matrix: Floats, priors: ArrayLike, codes: Codes, classes: Codes) -> Floats:
    """Give the cost matrix under which the mean over these objects is the cost in use."""
    shares = check_priors(priors, len(matrix))
    masses = np.bincount(codes, minlength=len(matrix)).astype(np.float64)
    needed = shares > 0.0
    require_samples(masses[needed], classes[needed], "the cost under these priors")
    return matrix * (shares * len(codes) / np.maximum(masses, 1.0))[:, np.newaxis]


def paid_by_object(
    codes: Codes, folds: Sequence[Fold], predictions: Mapping[str, Sequence[Codes]], matrix: Floats
) -> pd.DataFrame:
    """Give what each object that is ever held out costs on average, a row, by model, a column."""
    times = np.bincount(np.concatenate([test for _, test in folds]), minlength=len(codes))
    paid = {}
    for name, predicted in predictions.items():
        paid[name] = np.zeros(len(codes))
        for (_, test), classes in zip(folds, predicted, strict=True):
            np.add.at(paid[name], test, matrix[codes[test], classes])
    rows = times > 0
    return pd.DataFrame({name: total[rows] / times[rows] for name, total in paid.items()})


def compare_costs(paid: pd.DataFrame) -> pd.DataFrame:
    """Give mean costs with standard errors, and their distances from the least, ascending."""
    cost = paid.mean()
    above = paid.sub(paid[cost.idxmin()], axis="index")
    table = pd.DataFrame(
        {
            "cost": cost,
            "standard error": paid.sem(),
            "above least": above.mean(),
            "standard error of difference": above.sem(),
        }
    )
    return table.rename_axis("model").sort_values("cost", kind="stable")
