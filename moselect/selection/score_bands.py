"""`bands`: bands of a score with rising rates of a two-class outcome."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression
from scipy.special import xlog1py, xlogy

from moselect._types import CrossValidation, Floats, Integers, LabelOrder, record
from moselect.inference.prediction_inference import jeffreys_quantile
from moselect.inference.standard_errors import jackknife_errors, smooth_variance
from moselect.models.training_columns import samples_of
from moselect.samples.folds import Folds
from moselect.selection.own_scores import score_column
from moselect.validation import check_aligned


@record
class ScoreBands:
    """Bands of a score, and the rate of the higher class in each.

    Attributes
    ----------
    thresholds : ndarray of shape (n_bands - 1,)
        Ascending; a score above a threshold is in a higher band.
    table : DataFrame
        A row a band, from 1: ``above`` and ``up_to``, its range of scores; ``rows``, ``share``
        and ``rate`` of the higher class, and the ``low`` and ``high`` end of a 95 %
        interval of the rate (Jeffreys), of rows classified by the thresholds of other folds.

    Examples
    --------
    >>> score = np.arange(200.0)
    >>> y = (score > 100) | (np.arange(200) % 10 == 0)
    >>> found = bands(y, score, n_bands=2)
    >>> found.predict([20.0, 180.0]).tolist(), found.table["rows"].sum()
    ([1, 2], np.int64(200))
    """

    thresholds: Floats
    table: pd.DataFrame

    def predict(self, score: ArrayLike) -> Integers:
        """Return the number of the band, from 1, of each score (n,)."""
        scores = score_column(score).to_numpy()[:, 0]
        return 1 + np.searchsorted(self.thresholds, scores)


def bands(
    y: ArrayLike,
    score: ArrayLike,
    n_bands: int = 5,
    *,
    min_share: float = 0.02,
    labels: LabelOrder = None,
    cv: CrossValidation = 5,
) -> ScoreBands:
    """Divide a score into bands with rising rates of a two-class outcome.

    Of all divisions in which every band has a least share of the rows and the rate rises from
    band to band, the one of greatest likelihood.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels of two classes.
    score : array-like of shape (n,)
        Finite numbers, higher for the higher class, of rows that their model was not fitted
        to.
    n_bands : int, default=5
        Number of bands, at least 2.
    min_share : float, default=0.02
        Least share of the rows in a band.
    labels : sequence, optional
        The two labels, lower class first.
    cv : int or splitter, default=5
        Folds whose rows are classified by the thresholds of all others, for the rates.

    Returns
    -------
    ScoreBands

    Raises
    ------
    ValueError
        If there are not two classes, scores are not finite, or fewer bands have rising
        rates.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score = rng.uniform(size=2_000)
    >>> y = rng.uniform(size=2_000) < score
    >>> found = bands(y, score, n_bands=3)
    >>> found.table["rate"].is_monotonic_increasing, found.predict([0.0, 1.0]).tolist()
    (True, [1, 3])
    """
    if n_bands < 2:
        raise ValueError(f"n_bands is {n_bands}: give at least 2")
    check_aligned(score=score, y=y)
    table = score_column(score)
    # Equal scores are no copies of rows.
    samples, _ = samples_of(table, y, labels=labels, groups=np.arange(len(table)))
    if samples.n_classes != 2:
        raise ValueError(
            f"y has {samples.n_classes} classes: bands have the rate of one of two"
        )
    scores = table.to_numpy()[:, 0]
    codes = samples.codes
    in_band = np.empty(len(scores), int)
    rates_by_fold = []
    for train, test in Folds.of_samples(samples, cv):
        without = _divide(scores[train], codes[train], n_bands, min_share)
        of_fold = np.searchsorted(without, scores)
        in_band[test] = of_fold[test]
        rates_by_fold.append(np.bincount(of_fold, codes) / np.bincount(of_fold))
    thresholds = _divide(scores, codes, n_bands, min_share)
    sizes = np.bincount(in_band, minlength=n_bands)
    rates = np.bincount(in_band, codes, minlength=n_bands) / sizes
    # Variance due to the thresholds, by the jackknife over folds.
    variance = jackknife_errors(np.array(rates_by_fold)) ** 2
    effective = 1.0 / (1.0 / sizes + variance / smooth_variance(rates, sizes))
    low, high = (jeffreys_quantile(rates, effective, level) for level in (0.025, 0.975))
    table = pd.DataFrame(
        {
            "above": np.append(-np.inf, thresholds),
            "up_to": np.append(thresholds, np.inf),
            "rows": sizes,
            "share": sizes / len(scores),
            "rate": rates,
            "low": low,
            "high": high,
        },
        pd.RangeIndex(1, n_bands + 1, name="band"),
    )
    return ScoreBands(thresholds, table)


def _divide(scores: Floats, codes: Integers, n_bands: int, min_share: float) -> Floats:
    """Find the thresholds (n_bands - 1,) of greatest likelihood under both constraints."""
    distinct, place = np.unique(scores, return_inverse=True)
    sizes = np.bincount(place)
    rates = np.bincount(place, codes) / sizes
    # Rates rise strictly between the blocks of an isotonic regression, and so between bands
    # that consist of whole blocks.
    blocks = isotonic_regression(rates, weights=sizes).blocks
    n = np.append(0, np.cumsum(sizes))[blocks]
    k = np.append(0.0, np.cumsum(rates * sizes))[blocks]
    rows = n - n[:, None]  # of a band from one block to another
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = (k - k[:, None]) / rows
        gain = rows * (xlogy(rate, rate) + xlog1py(1.0 - rate, -rate))
    gain[~(rows >= max(1.0, min_share * len(scores)))] = -np.inf
    # Dynamic programme: the best division of the first blocks into 1, 2, ... bands.
    best = gain[0]
    starts = []
    for _ in range(n_bands - 1):
        totals = best[:, None] + gain
        starts.append(totals.argmax(axis=0))
        best = totals.max(axis=0)
    if best[-1] == -np.inf:
        raise ValueError(
            f"fewer than {n_bands} bands of {min_share:.2g} of the rows have rising rates: "
            "give a smaller n_bands or min_share"
        )
    end = len(blocks) - 1
    ends = []
    for start in reversed(starts):
        end = start[end]
        ends.append(blocks[end])
    first = np.array(ends[::-1])  # score of each higher band
    return (distinct[first - 1] + distinct[first]) / 2.0
