"""Prediction sets: ranges of classes that hold the true class with a given probability."""

from typing import Literal

import msgspec
import numpy as np

from moselect._types import Floats, Integers


class SetWeights(msgspec.Struct, frozen=True):
    """Calibrated weights of the classes in prediction sets, by coverage.

    The set of a row with class probabilities p is the range I of consecutive classes with
    the greatest sum of w_k p_k - 1 over k in I. Each class in the set costs 1,
    and its probability is worth w_k: among the contiguous sets of equal
    coverage these have the least mean size (Lagrangian relaxation; Sadinle, Lei &
    Wasserman 2019, Journal of the American Statistical Association 114, 223-234, without
    the order of the classes).

    Attributes
    ----------
    coverages : list of float
        Probabilities that a set holds the true class, ascending.
    overall : list of float
        For each coverage, the common weight that meets it over all rows.
    by_class : list of list of float
        For each coverage, the weights (r,) that meet it in each class.
    """

    coverages: list[float]
    overall: list[float]
    by_class: list[list[float]]

    def ranges(
        self, proba: Floats, coverage: float, by: Literal["class"] | None = None
    ) -> Integers:
        """Compute the codes (n, 2) of the lowest and highest class of each set.

        The coverage is met over all rows, or with ``by="class"`` in each class.

        Raises
        ------
        ValueError
            If the coverage is no number, or outside the calibrated range.
        """
        if by not in (None, "class"):
            raise ValueError(f"by is {by!r}: choose from None and 'class'")
        least = self.coverages[0]
        most = self.coverages[-1]
        if not isinstance(coverage, float | np.floating) or not least <= coverage <= most:
            raise ValueError(
                f"coverage {coverage!r}: give a probability from {least:g} to {most:g}"
            )
        known = np.array(self.overall if by is None else self.by_class)
        # Weights are positive, and interpolate as logarithms.
        logs = np.log(known.reshape(len(self.coverages), -1))
        # Close to linear in the logarithm of the probability of an error.
        errors = np.log(1.0 - np.array(self.coverages))
        log_error = np.log(1.0 - coverage)
        weights = np.exp([np.interp(-log_error, -errors, column) for column in logs.T])
        return heaviest_ranges(proba * weights)


def heaviest_ranges(values: Floats) -> Integers:
    """Find in each row of values v (n, r) the range with the greatest sum of v_k - 1.

    The range is not empty; of several such ranges the first and shortest is taken (the
    maximum subarray by cumulative sums: Kadane's algorithm).

    Returns
    -------
    ndarray of int, shape (n, 2)
        First and last column of the range.

    Examples
    --------
    >>> heaviest_ranges(np.array([[0.2, 3.0, 0.9, 2.0], [0.1, 0.6, 0.2, 0.1]]))
    array([[1, 3],
           [1, 1]])
    """
    sums, best = _cumulative(values)
    last = best.argmax(axis=1)
    before = np.arange(values.shape[1]) <= last[:, None]
    # Among equal starts the first, so that the range is as wide as its sum allows.
    first = np.where(before, sums[:, :-1], np.inf).argmin(axis=1)
    return np.column_stack([first, last])


def heaviest_sums(values: Floats) -> Floats:
    """Compute the greatest sum (n,) of v_k - 1 over a range, at least -1."""
    return _cumulative(values)[1].max(axis=1, initial=-1.0)


def _cumulative(values: Floats) -> tuple[Floats, Floats]:
    """Sum v_k - 1: over the first 0 .. r columns (n, r + 1), and over the best range (n, r).

    The best range that ends in each column begins at the least cumulative sum before.
    """
    sums = np.pad((values - 1.0).cumsum(axis=1), ((0, 0), (1, 0)))
    return sums, sums[:, 1:] - np.minimum.accumulate(sums[:, :-1], axis=1)
