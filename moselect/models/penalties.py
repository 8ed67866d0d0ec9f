"""Ridge penalties of groups of columns, chosen by out-of-fold likelihood."""

import numpy as np
from scipy.optimize import minimize

from moselect._kernels.cumulative_logit import negative_log_likelihood
from moselect._types import Floats, Integers
from moselect.models.maximum_likelihood import (
    FLAT,
    Options,
    ascending_intercepts,
    fit_coordinates,
    gradient_by_coordinates,
    intercept_coordinates,
    marginal_intercepts,
)
from moselect.predictor.score_calibration import class_probabilities

PENALTIES = (10_000.0, 3_000.0, 1_000.0, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.3)
# Looser convergence suffices for the out-of-fold likelihood.
CLOSE_ENOUGH = {"maxiter": 200, "ftol": 1e-5}


# Folds are weights here, not fits of a learner by `cross_validate`: the fits of all folds share
# one optimiser, and each starts where the fit of the previous penalty ended.
class PenalisedFits:
    """Simultaneous fits to the same columns under several sample weights (one a fold).

    The fits share matrix products and whitened coordinates, which speed up convergence.
    Each fit is warm-started from the previous one. Coefficients keep the ``signs`` (q,), 1
    or -1, where these are not 0.
    """

    def __init__(
        self,
        Z: Floats,
        codes: Integers,
        sample_weights: Floats,
        signs: Integers | None,
    ) -> None:
        self._signs = np.zeros(Z.shape[1], np.int64) if signs is None else signs
        n_fits = len(sample_weights)
        n_classes = int(codes.max()) + 1
        self._columns = np.ascontiguousarray(Z.T)
        self._codes = codes
        self._sample_weights = sample_weights  # (n_fits, n)
        # One matrix of second moments for all folds: a bound for each of them.
        largest = sample_weights.max(axis=0)
        self._total = float(largest.sum())
        self._products: Floats = (self._columns * largest) @ Z / self._total
        self.weights: Floats = np.zeros((n_fits, Z.shape[1]))
        self.intercepts: Floats = np.array(
            [marginal_intercepts(codes, n_classes, w) for w in sample_weights]
        )

    def fit(self, penalties: Floats, options: Options) -> Floats:
        """Fit under penalties (q,), infinite for columns left out; return scores (n_fits, n).

        ``options`` are passed to scipy's L-BFGS-B.
        """
        used = np.isfinite(penalties)
        # An infinite penalty leaves its columns out.
        columns = self._columns[used]
        ridge = penalties[used]
        spread = self._products[np.ix_(used, used)] + np.diag(ridge / self._total + FLAT)
        known = fit_coordinates(spread, self._signs[used])
        basis = known.basis
        n_fits = len(self.weights)
        k = len(ridge)
        d_scores = np.empty_like(self._sample_weights)
        d_intercepts = np.empty_like(self.intercepts)

        def loss(packed: Floats) -> tuple[float, Floats]:
            parts = packed.reshape(n_fits, -1)
            weights = parts[:, :k] @ basis.T
            intercepts = ascending_intercepts(parts[:, k:])
            scores = weights @ columns
            value = (ridge * weights**2).sum() / 2.0
            for j, row_weights in enumerate(self._sample_weights):
                value += negative_log_likelihood(
                    scores[j],
                    intercepts[j],
                    self._codes,
                    row_weights,
                    d_scores[j],
                    d_intercepts[j],
                )
            by_weights = d_scores @ columns.T + ridge * weights
            by_intercepts = gradient_by_coordinates(parts[:, k:], d_intercepts)
            gradient = np.concatenate([by_weights @ basis, by_intercepts], axis=1)
            return float(value), gradient.ravel()

        # Weights of the last fit start the next: neighbouring penalties have similar
        # optima.
        coordinates = self.weights[:, used] @ known.inverse.T
        start = np.hstack([coordinates, intercept_coordinates(self.intercepts)]).ravel()
        bounds = known.bounds_with(self.intercepts.shape[1], n_fits)
        best = minimize(
            loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options
        )
        parts = best.x.reshape(n_fits, -1)
        self.weights = np.zeros_like(self.weights)
        self.weights[:, used] = parts[:, :k] @ basis.T
        self.intercepts = ascending_intercepts(parts[:, k:])
        return self.weights[:, used] @ columns


def choose_penalties(
    Z: Floats,
    groups: Integers,
    codes: Integers,
    weights: Floats,
    folds: Integers,
    signs: Integers | None,
) -> Floats:
    """Choose the ridge penalty of each group of columns, infinite for excluded groups.

    Groups enter one after the other, each with the penalty of greatest out-of-fold
    likelihood given the penalties of previous groups. A group is excluded unless the gain
    in log-likelihood exceeds its standard error: on small tables the best of many penalties
    improves by chance. Finally weaker penalties of all groups together are tried.

    ``groups`` (q,) number the standardised columns Z (n, q) from 0 to g - 1 in the order in
    which they enter; the first group always does. Candidate penalties descend, since
    strong penalties converge fastest; the search ends when two in a row are worse than the
    best so far. At most 5,000 samples are used. Coefficients keep the ``signs`` (q,).
    """
    # most rows for the choice of penalties
    most_rows = 5_000
    if len(codes) > most_rows:
        # A seed of its own: the choice must not depend on the random state of the model.
        rows = np.random.default_rng(0).permutation(len(codes))[:most_rows]
        Z = Z[rows]
        codes = codes[rows]
        weights = weights[rows]
        folds = folds[rows]
    held_out = folds == np.unique(folds)[:, None]
    rows = np.arange(len(codes))
    # Weight 0 in the own fold: the fits of all folds share one matrix of columns.
    fits = PenalisedFits(Z, codes, np.where(held_out, 0.0, weights), signs)
    fold = held_out.argmax(0)

    def held_out_likelihoods(penalties: Floats) -> Floats:
        """Return the out-of-fold log-likelihood of each sample."""
        scores = fits.fit(penalties[groups], CLOSE_ENOUGH)
        # Each sample by the fit that left its fold out.
        proba = class_probabilities(scores[fold, rows], fits.intercepts[fold])[
            rows, codes
        ]
        # floor of probabilities, for classes missing in a training fold
        unlikely = 1e-6
        return np.log(np.maximum(proba, unlikely))

    def best_of(tried: list[Floats]) -> tuple[int, Floats]:
        """Return the index of the best penalties and the log-likelihoods under them."""
        likelihoods: list[Floats] = []
        sums: list[float] = []
        patience = 2
        for penalties in tried:
            likelihoods.append(held_out_likelihoods(penalties))
            sums.append(float(weights @ likelihoods[-1]))
            # Penalties descend, and the likelihood has one peak: two values past it are
            # enough.
            if len(sums) - 1 - int(np.argmax(sums)) >= patience:
                break
        index = int(np.argmax(sums))
        return index, likelihoods[index]

    n_groups = int(groups.max()) + 1
    chosen = np.full(n_groups, np.inf)
    best: Floats | None = None  # log-likelihood of each sample
    for group in np.unique(groups):
        # The other groups keep the penalties chosen so far: coordinate-wise search.
        tried = [np.where(np.arange(n_groups) == group, a, chosen) for a in PENALTIES]
        index, likelihoods = best_of(tried)
        if best is None or _is_gain(likelihoods - best, weights):
            best = likelihoods
            chosen = tried[index]
    # Later groups explain variance that was noise before: try weaker penalties again.
    if np.isfinite(chosen).sum() > 1:
        weaker = (1.0, 0.3, 0.1, 0.03)
        tried = [chosen * factor for factor in weaker]
        chosen = tried[best_of(tried)[0]]
    return chosen


def _is_gain(differences: Floats, weights: Floats) -> bool:
    """Return whether the sum of differences (n,) exceeds its standard error."""
    mean = np.average(differences, weights=weights)
    # Standard error of a sum of n independent differences.
    error = np.sqrt(weights @ (differences - mean) ** 2)
    # gain in standard errors required of a group
    min_gain_in_errors = 1.0
    return bool(weights.sum() * mean > min_gain_in_errors * error)
