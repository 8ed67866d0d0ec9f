"""Subsamples stratified by class, with weights that represent all samples."""

from dataclasses import replace

import numpy as np

from moselect._types import Floats, Integers
from moselect.samples.samples import Samples
from moselect.validation import at_rows

FEWEST_OF_A_CLASS = 50  # samples of a class in a subsample, if it has as many


def draw(samples: Samples, size: int, seed: int = 0) -> Samples:
    """Draw about ``size`` samples, stratified by class; all samples of a smaller set.

    Every class keeps at least 50 samples, or all of its samples. Weights compensate for
    oversampled classes. With the same seed, larger subsamples contain smaller ones.

    Examples
    --------
    >>> samples = Samples(np.zeros((1_000, 1)), np.arange(1_000) % 2, np.array([1, 2]))
    >>> draw(samples, 200).class_sizes
    array([100, 100])
    >>> samples = Samples(np.zeros((1_000, 1)), np.arange(1_000) // 950, np.array([1, 2]))
    >>> part = draw(samples, 200)
    >>> part.class_sizes, part.class_weights / part.class_weights.sum()
    (array([190,  50]), array([0.95, 0.05]))
    """
    if size >= len(samples):
        return samples
    return take_part(samples, draw_rows(samples, size, seed))


def draw_rows(samples: Samples, size: int, seed: int = 0) -> Integers:
    """Draw the indices of the samples of `draw`."""
    rng = np.random.default_rng(seed)
    drawn = []
    for k, count in enumerate(samples.class_sizes.tolist()):
        members = rng.permutation(np.flatnonzero(samples.codes == k))
        # A permutation by class whose first entries are taken: larger parts contain
        # the smaller.
        drawn.append(
            members[: max(round(count * size / len(samples)), FEWEST_OF_A_CLASS)]
        )
    return np.sort(np.concatenate(drawn))


def take_part(samples: Samples, rows: Integers) -> Samples:
    """Take samples drawn by class, weighted to the class shares of all samples."""
    part = samples.take(rows)
    # Rare classes are over-represented in the part, which weights undo.
    weights = part_weights(samples.codes, part.codes, samples.weights, part.weights)
    return replace(part, weights=weights)


def rows_to_fit(
    codes: Integers, weights: Floats | None = None, most: int = 5_000
) -> tuple[Integers, Floats | None]:
    """Choose a subsample for fits of linear models; return its rows and sample weights.

    All rows, or evenly spaced rows of each class (n,), at least 100 of each: more than
    5,000 hardly change the fit of a linear model.
    """
    if len(codes) <= most:
        return np.arange(len(codes)), weights
    chosen = []
    for members in (np.flatnonzero(codes == k) for k in np.unique(codes)):
        # Rare classes keep up to 100 rows: their boundaries need them.
        wanted = max(len(members) * most // len(codes), min(100, len(members)))
        # Evenly spaced rather than drawn: no seed, and every stretch of the table is
        # represented.
        chosen.append(members[np.linspace(0, len(members) - 1, wanted).astype(int)])
    rows = np.sort(np.concatenate(chosen))
    drawn = at_rows(weights, rows)
    return rows, part_weights(codes, codes[rows], weights, drawn)


def part_weights(
    codes: Integers,
    drawn: Integers,
    weights: Floats | None = None,
    drawn_weights: Floats | None = None,
) -> Floats | None:
    """Compute weights, of mean 1, that give a subsample the class shares of all samples.

    None without weights if the shares differ by rounding only.

    Parameters
    ----------
    codes, weights : ndarray of shape (n,)
        Class codes of all samples, and their weights, if any.
    drawn, drawn_weights : ndarray of shape (m,)
        The same of the subsample, which has samples of every class.
    """
    totals = np.bincount(codes, weights)
    drawn_totals = np.bincount(drawn, drawn_weights)
    # Expected class weights of an exactly stratified subsample.
    due = totals * (len(drawn) / len(codes))
    if weights is None and (np.abs(drawn_totals - due) <= 1.0).all():
        return None
    # The total weight of each class is divided among its drawn samples.
    raw_weights = totals[drawn] / drawn_totals[drawn]
    if drawn_weights is not None:
        raw_weights = raw_weights * drawn_weights
    return raw_weights * (len(raw_weights) / raw_weights.sum())
