"""Whether a difference between two models means anything."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from moselect._types import Floats
from moselect.folds import Folds


def corrected_t_test(differences: ArrayLike, test_share: float) -> tuple[float, float, float]:
    """Test differences over folds that share training samples.

    The corrected resampled t-test: of J differences with mean m and variance s^2 (of J - 1),
    t = m / sqrt((1 / J + test_share) s^2) with J - 1 degrees of freedom.

    ``test_share`` is the number of samples held out in a fold, divided by that of those that models
    are fitted to. Gives standard error, t and p: NaN for fewer than two folds, and p = 1 if all
    folds agree on no difference.

    References
    ----------
    Nadeau, Bengio (2003), Inference for the generalization error, Machine Learning 52:239-281;
    for repeated folds, Bouckaert, Frank (2004), Evaluating the replicability of significance
    tests for comparing learning algorithms, PAKDD, 3-12.

    Examples
    --------
    >>> error, t, p = corrected_t_test([0.02, 0.03, 0.01, 0.04], test_share=1 / 3)
    >>> round(t, 3), round(p, 3)
    (2.535, 0.085)
    """
    d = np.asarray(differences, dtype=np.float64)
    if len(d) < 2:
        return math.nan, math.nan, math.nan
    error = math.sqrt((1.0 / len(d) + test_share) * d.var(ddof=1))
    if error == 0.0:
        t = math.copysign(math.inf, d.mean()) if d.any() else 0.0
    else:
        t = float(d.mean()) / error
    return error, t, float(2.0 * stats.t.sf(abs(t), len(d) - 1))


def holm(p_values: ArrayLike) -> Floats:
    """Adjust p-values for their number (Holm 1979); NaN are no tests and stay.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = p.copy()
    order = np.argsort(p)[: np.isfinite(p).sum()]
    steps = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def paired_tests(values: pd.DataFrame, folds: Folds, reference: str) -> pd.DataFrame:
    """Test the values (J, m) of all models but one against those of that one, fold by fold.

    Folds in which one of the two has no value are left out. Gives one row a model:
    ``difference``, ``standard error``, ``t``, ``p``, and ``p adjusted`` for the number of models.
    """
    shares = np.array([len(test) / len(train) for train, test in folds])
    rows = {}
    for name in values.columns.drop(reference):
        differences = (values[name] - values[reference]).dropna()
        share = shares[differences.index].mean() if len(differences) else math.nan
        rows[name] = (differences.mean(), *corrected_t_test(differences, share))
    columns = ["difference", "standard error", "t", "p"]
    tests = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    tests["p adjusted"] = holm(tests["p"])
    return tests
