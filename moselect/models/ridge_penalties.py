"""Ridge penalties of groups of columns, chosen one after the other by held-out likelihood."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from moselect._types import Floats, Integers
from moselect.models.class_probabilities import class_probabilities
from moselect.models.maximum_likelihood import maximise_likelihood

PENALTIES = (10_000.0, 3_000.0, 1_000.0, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.3)
PATIENCE = 2
SURE = 1.0  # standard errors that a group must gain
WEAKER = (1.0, 0.3, 0.1, 0.03)
UNLIKELY = 1e-6  # least probability counted, for a class that a fold was fitted without
CLOSE_ENOUGH = {"maxiter": 200, "ftol": 1e-6}  # for the likelihood of held-out samples


def choose_penalties(
    Z: Floats,
    groups: Integers,
    codes: Integers,
    weights: Floats,
    folds: Integers,
    penalties: Sequence[float] = PENALTIES,
) -> Floats:
    """Return the ridge penalty of each group of columns, infinite for one that does not pay.

    The groups come in one after the other, each with the penalty under which samples that were
    not fitted are most likely, the penalties of the groups before it fixed. A group is left out
    unless the gain in log-likelihood is more than its standard error: on small tables the best of
    many penalties looks better than nothing by chance. At last all are tried weaker together.

    Parameters
    ----------
    Z : ndarray of shape (n, q)
        Standardised columns.
    groups : ndarray of shape (q,)
        The group of each column, 0 to g - 1, in the order in which they come in. The first is
        always in.
    codes, weights, folds : ndarray of shape (n,)
        Class codes 0 .. r - 1, each class with samples; weights and folds of the samples.
    penalties : sequence of float
        To choose from, descending: the fits of the strongest are the fastest. The search ends when
        two in a row are worse than the best so far.

    Returns
    -------
    ndarray of shape (g,)
    """
    likelihood = _HeldOutLikelihood(Z, codes, weights, folds)

    def best_of(tried: list[Floats]) -> tuple[int, Floats]:
        """Return the index of the best penalties and the log-likelihoods under them."""
        found: list[Floats] = []
        sums: list[float] = []
        for of_groups in tried:
            found.append(likelihood(of_groups[groups]))
            sums.append(float(weights @ found[-1]))
            if len(sums) - 1 - int(np.argmax(sums)) >= PATIENCE:
                break
        index = int(np.argmax(sums))
        return index, found[index]

    n_groups = int(groups.max()) + 1
    chosen = np.full(n_groups, np.inf)
    best: Floats | None = None  # log-likelihood of each sample
    for group in np.unique(groups):
        tried = [np.where(np.arange(n_groups) == group, a, chosen) for a in penalties]
        index, found = best_of(tried)
        if best is None or _is_gain(found - best, weights):
            best, chosen = found, tried[index]
    # What was noise to the first groups is explained by the later ones: less of it is left.
    if np.isfinite(chosen).sum() > 1:
        tried = [chosen * factor for factor in WEAKER]
        chosen = tried[best_of(tried)[0]]
    return chosen


def _is_gain(differences: Floats, weights: Floats) -> bool:
    """Return whether the sum of differences (n,) is more than its standard error."""
    mean = np.average(differences, weights=weights)
    error = np.sqrt(weights @ (differences - mean) ** 2)
    return bool(weights.sum() * mean > SURE * error)


def fit_penalised(
    Z: Floats,
    penalties: Floats,
    codes: Integers,
    n_classes: int,
    weights: Floats,
    *,
    start: tuple[Floats, Floats] | None = None,
    options: dict[str, float],
) -> tuple[Floats, Floats]:
    """Do as `maximise_likelihood`, with a penalty for each column, infinite to leave it out."""
    used = np.isfinite(penalties)
    # A column in units in which its penalty is 1.
    units = 1.0 / np.sqrt(penalties[used])
    near = None if start is None else (start[0][used] / units, start[1])
    fit = maximise_likelihood(
        Z[:, used] * units, codes, n_classes, 1.0, weights, start=near, options=options
    )
    found = np.zeros(Z.shape[1])
    found[used] = fit.weights * units
    return found, fit.cuts


class _HeldOutLikelihood:
    """Log-likelihood of each sample by models that were fitted without their fold."""

    def __init__(self, Z: Floats, codes: Integers, weights: Floats, folds: Integers) -> None:
        self._parts = [
            (Z[folds != j], codes[folds != j], weights[folds != j], folds == j)
            for j in np.unique(folds)
        ]
        self._Z, self._codes = Z, codes
        self._starts: list[tuple[Floats, Floats] | None] = [None] * len(self._parts)

    def __call__(self, penalties: Floats) -> Floats:
        """Compute it under penalties (q,) of the columns, shape (n,)."""
        n_classes = int(self._codes.max()) + 1
        found = np.empty(len(self._codes))
        for j, (Z, codes, weights, outside) in enumerate(self._parts):
            weighed, cuts = self._starts[j] = fit_penalised(
                Z,
                penalties,
                codes,
                n_classes,
                weights,
                start=self._starts[j],
                options=CLOSE_ENOUGH,
            )
            proba = class_probabilities(self._Z[outside] @ weighed, cuts)
            own = proba[np.arange(len(proba)), self._codes[outside]]
            found[outside] = np.log(np.maximum(own, UNLIKELY))
        return found
