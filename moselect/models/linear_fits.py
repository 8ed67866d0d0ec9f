"""Ridge penalties of groups of columns, and the initial directions of a search."""

import threading
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from moselect._types import Floats, Integers
from moselect.budgets import LINEAR
from moselect.models.maximum_likelihood import (
    CLOSE_ENOUGH,
    Fit,
    fit_proportional_odds,
    log_likelihoods,
    marginal_intercepts,
)
from moselect.predictor.score_calibration import class_probabilities
from moselect.validation import weights_or_ones

# A finer grid takes a third more time and gains nothing (experiments/ablation).
PENALTIES = (10_000.0, 1_000.0, 100.0, 10.0, 1.0, 0.1)

# liblinear has one generator per process, which concurrent fits would share.
_liblinear = threading.Lock()


# Weaker penalties of all groups together, as factors.
WEAKER = (1.0, 0.3, 0.1, 0.03)


def choose_penalties(
    Z: Floats,
    groups: Integers,
    codes: Integers,
    weights: Floats,
    folds: Integers,
    signs: Integers,
) -> Floats:
    """Choose the ridge penalty of each group of columns, infinite for excluded groups.

    Groups enter one after the other, each with the penalty of greatest out-of-fold
    likelihood given the penalties of previous groups. A group is excluded unless the gain
    in log-likelihood exceeds its standard error: on small tables the best of many penalties
    improves by chance. Finally weaker penalties of all groups together are tried.

    ``groups`` (q,) number the standardised columns Z (n, q) from 0 to g - 1 in the order in
    which they enter; the first group always does. Candidate penalties descend, since
    strong penalties converge fastest; the search ends with the first that is worse than the
    best so far. At most 5,000 samples are used. Coefficients keep the ``signs`` (q,).
    """
    if len(codes) > LINEAR.penalty_rows:
        # A seed of its own: the choice must not depend on the random state of the model.
        rows = np.random.default_rng(0).permutation(len(codes))[: LINEAR.penalty_rows]
        Z = Z[rows]
        codes = codes[rows]
        weights = weights[rows]
        folds = folds[rows]
    tests = [folds == fold for fold in np.unique(folds)]
    trained = [(Z[~test], codes[~test], weights[~test]) for test in tests]
    n_classes = int(codes.max()) + 1
    n_groups = int(groups.max()) + 1
    # Neighbouring penalties have similar optima: each fit starts where the last one ended.
    none = np.zeros(len(groups))
    fits = [
        Fit(none, marginal_intercepts(part, n_classes, mass)) for _, part, mass in trained
    ]

    def best_of(tried: list[Floats]) -> tuple[int, Floats]:
        """Return the index of the best penalties, and each sample's log-likelihood under them.

        Infinite ones leave out the same columns.
        """
        likelihoods: list[Floats] = []
        sums: list[float] = []
        # Hessians so far are of other columns.
        fits[:] = [fit._replace(hessian=None) for fit in fits]
        for penalties in tried:
            likelihoods.append(np.empty(len(codes)))
            for fold, test in enumerate(tests):
                X, of_part, mass = trained[fold]
                fits[fold] = fit = fit_proportional_odds(
                    X,
                    of_part,
                    n_classes,
                    penalties[groups],
                    mass,
                    tolerance=CLOSE_ENOUGH,
                    start=fits[fold],
                    signs=signs,
                )
                proba = class_probabilities(Z[test] @ fit.weights, fit.intercepts)
                likelihoods[-1][test] = log_likelihoods(proba, codes[test])
            sums.append(float(weights @ likelihoods[-1]))
            # Penalties descend, and the likelihood has one peak.
            if sums[-1] < max(sums):
                break
        index = int(np.argmax(sums))
        return index, likelihoods[index]

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
        tried = [chosen * factor for factor in WEAKER]
        chosen = tried[best_of(tried)[0]]
    return chosen


def _is_gain(differences: Floats, weights: Floats) -> bool:
    """Return whether the sum of differences (n,) exceeds its standard error."""
    mean = np.average(differences, weights=weights)
    # Standard error of a sum of n independent differences.
    error = np.sqrt(weights @ (differences - mean) ** 2)
    return bool(weights.sum() * mean > error)


READY_MADE_PENALTIES = 1e-3, 1.0, 10.0, 100.0


def ready_made_directions(
    Z: Floats, codes: Integers, n_classes: int, weights: Floats | None = None
) -> list[Floats]:
    """Fit the classical linear models of an ordinal target.

    Takes standardised features (n, p), class codes (n,), with samples of each class, and
    sample weights (n,). Returns weights (p,) of each model: proportional odds (of each
    penalty, and class-balanced), a logistic model for each cut, ordinal ridge of each
    penalty and least absolute deviations on the class ranks.
    """
    # Slow to import, and only searches need them.
    from sklearn.linear_model import Ridge
    from sklearn.svm import LinearSVR

    sample_weights = weights_or_ones(weights, len(Z))
    masses = np.bincount(codes, sample_weights, minlength=n_classes)
    # Balanced weights give every class the same total.
    balanced = sample_weights * (sample_weights.sum() / (n_classes * masses)[codes])
    fits = [
        fit_proportional_odds(Z, codes, n_classes, penalty, sample_weights)
        for penalty in READY_MADE_PENALTIES
    ]
    fits.append(fit_proportional_odds(Z, codes, n_classes, 1.0, balanced))
    # A binary logistic model for each boundary: the direction that a single threshold
    # favours.
    for cut in range(n_classes - 1):
        above = (codes > cut).astype(int)
        fits.append(fit_proportional_odds(Z, above, 2, 1.0, sample_weights))
    directions = [fit.weights for fit in fits]
    root = np.sqrt(sample_weights)
    targets = codes - np.average(codes, weights=weights)
    if weights is not None:
        # Centred under the weights, in place of an intercept.
        Z = Z - np.average(Z, axis=0, weights=weights)
    R = Z * root[:, None]
    ranks = targets * root
    directions += [
        Ridge(penalty, fit_intercept=False, solver="cholesky").fit(R, ranks).coef_
        for penalty in READY_MADE_PENALTIES
    ]
    lad = LinearSVR(
        epsilon=0.0,
        C=1.0,
        max_iter=max(LINEAR.deviation_entries // Z.size, 1),
        random_state=0,
    )
    with (
        _liblinear,
        warnings.catch_warnings(action="ignore", category=ConvergenceWarning),
    ):
        directions.append(lad.fit(Z, targets, weights).coef_)
    return directions
