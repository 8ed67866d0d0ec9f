"""Whether a difference between two models means anything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from moselect._types import Floats, Integers
from moselect.metrics import ranking_inference
from moselect.metrics.uncertainty.ranking_inference import ROUNDING

RankingMeasure = Literal["vus", "u_ovo", "u_cons", "u_pairs"]


def corrected_t_test(differences: ArrayLike, test_share: float) -> tuple[float, float, float]:
    """Test differences over folds that share training samples.

    The corrected resampled t-test: of J differences with mean m and variance s^2 (of J - 1),
    t = m / sqrt((1 / J + test_share) s^2) with J - 1 degrees of freedom.

    Parameters
    ----------
    differences : array-like of shape (J,)
        Difference between two models in each fold.
    test_share : float
        Samples held out in a fold, divided by those that models are fitted to.

    Returns
    -------
    standard_error, t, p : float
        NaN for fewer than two folds. If all folds agree on no difference, p is 1.

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


def paired_tests(
    values: pd.DataFrame, folds: Sequence[tuple[Integers, Integers]], reference: str
) -> pd.DataFrame:
    """Test the values (J, m) of all models but one against those of that one, fold by fold.

    Folds in which one of the two has no value are left out. Gives one row a model:
    ``difference``, ``standard error``, ``t``, ``p``, and ``p adjusted`` for the number of models.
    """
    rows = {}
    for name in values.columns.drop(reference):
        differences = (values[name] - values[reference]).dropna()
        shares = [len(folds[j][1]) / len(folds[j][0]) for j in differences.index]
        share = sum(shares) / len(shares) if shares else math.nan
        rows[name] = (differences.mean(), *corrected_t_test(differences, share))
    columns = ["difference", "standard error", "t", "p"]
    found = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    found["p adjusted"] = holm(found["p"])
    return found


def pooled_ranking_test(
    codes: Integers,
    repeats: Sequence[Floats],
    measure: RankingMeasure,
    reference: int,
) -> pd.DataFrame:
    """Test differences of a ranking measure between models on all samples held out.

    With several repeats, differences are averaged, and so are their variances, as if the repeats
    told the same: of an average, that is an upper bound.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        Class codes.
    repeats : sequence of ndarray of shape (n, m)
        Scores of m models in each repeat, by models that were not fitted to the sample.
    measure : {"vus", "u_ovo", "u_cons", "u_pairs"}
        The measure.
    reference : int
        Index of the model that the others are compared with.

    Returns
    -------
    DataFrame of shape (m, 3)
        ``difference`` from the reference, its ``standard error``, and ``p``, which is 1 where the
        variance is not positive.

    Examples
    --------
    >>> codes = np.array([0, 0, 0, 1, 1, 1])
    >>> scores = np.array([[0, 2, 4, 1, 3, 5], [0, 1, 2, 3, 4, 5]], dtype=float).T
    >>> pooled_ranking_test(codes, [scores], "vus", 0)["difference"].round(3).tolist()
    [0.0, 0.333]
    """
    estimates, variances, sums = [], [], []
    for scores in repeats:
        found = ranking_inference(codes, scores, measure)
        own = np.diagonal(found.covariance)
        estimates.append(found.estimates - found.estimates[reference])
        sums.append(own + own[reference])
        variances.append(sums[-1] - 2.0 * found.covariance[:, reference])
    difference = np.mean(estimates, axis=0)
    variance = np.mean(variances, axis=0)
    known = variance > ROUNDING * np.abs(np.mean(sums, axis=0))
    error = np.sqrt(np.where(known, variance, 0.0))
    z = np.divide(difference, error, out=np.zeros_like(error), where=known)
    return pd.DataFrame(
        {"difference": difference, "standard error": error, "p": 2.0 * stats.norm.sf(np.abs(z))}
    )
