"""Figures of later rows: class shares, mean cost, mistakes and limits."""

from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers, Labels
from moselect.samples.samples import Samples
from moselect.selection.decision_loss import DecisionLoss
from moselect.selection.group_members import members_now
from moselect.selection.limits import read_limit, split_limit
from moselect.selection.reference import Reference
from moselect.selection.sequential import MeanCost
from moselect.selection.standard_errors import cost_errors, standard_errors


def estimate_cost(
    shares: pd.DataFrame,
    likelihoods: Floats,
    costs: Floats,
    samples: Samples,
    predicted: Integers,
) -> MeanCost:
    """Estimate class shares (added to ``shares``) and the mean cost, with standard errors.

    ``costs`` are (r, a), or (n, r, a) of each row.
    """
    weights = samples.sample_weight_or_ones
    now = class_shares(likelihoods, weights)
    of_shares = share_influences(likelihoods, now, weights)
    shares["now"] = now
    shares["std_error"] = standard_errors(samples.sum_by_cluster(of_shares.T))
    every = np.arange(len(predicted))
    of_answer = costs[:, predicted].T if costs.ndim == 2 else costs[every, :, predicted]
    expected_costs = (posterior_of(likelihoods, now) * of_answer).sum(axis=1)
    cost = float(np.average(expected_costs, weights=weights))
    # Delta method: posteriors depend on the shares, d paid / d share_k = P(x | k) / P(x)
    # (costs_k - paid).
    odds = likelihoods / (likelihoods @ now)[:, None]
    slopes = np.average(
        odds * (of_answer - expected_costs[:, None]), axis=0, weights=weights
    )
    influences = samples.sum_by_cluster(expected_costs - cost + of_shares @ slopes)
    mean = costs if costs.ndim == 2 else costs.mean(axis=0)
    one_more = DecisionLoss(mean).max_cost(samples, predicted)
    error = float(cost_errors(influences, 0.0, samples))
    return MeanCost(len(samples), influences.size, cost, error, one_more)


def mistake_table(now: Floats, reported: Floats, answers: Labels) -> pd.DataFrame:
    """Tabulate the contribution of each mistake to the mean cost, largest difference first."""
    true, predicted = cells = np.nonzero(~np.eye(*now.shape, dtype=np.bool_))
    table = pd.DataFrame(
        {
            "true": answers[true],
            "predicted": answers[predicted],
            "cost": now[cells],
            "reported": reported[cells],
            "difference": (now - reported)[cells],
        }
    )
    return table.sort_values(
        "difference", ascending=False, kind="stable", ignore_index=True
    )


def limit_table(
    reference: Reference, samples: Samples, predicted: Integers, by: pd.DataFrame
) -> pd.DataFrame:
    """Tabulate the share of each limited mistake in the samples, and whether its limit holds."""
    rows = {}
    known_groups = [split_limit(limit.words)[2] for limit in reference.limits]
    for known in reference.limits:
        mistake, column, group = split_limit(known.words)
        limit = read_limit(mistake, known.most, samples.classes)
        if column:
            members = members_now(group, by[column], known_groups)
            limit = replace(limit, members=members)
        now = limit.reached(samples, predicted)
        holds = now.share <= known.most
        rows[known.words] = known.most, known.share, now.share, now.std_error, holds
    names = ["limit", "reported", "now", "std_error", "holds"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=names)


TOLERANCE = 1e-9  # change of the shares at which they are final


def likelihoods_of(proba: Floats, trained: ArrayLike) -> Floats:
    """Compute class likelihoods (n, r), up to a factor per row.

    By Bayes' theorem: class probabilities (n, r) divided by the class shares (r,) under
    which they were trained.
    """
    known = np.asarray(trained, dtype=np.float64)
    return np.divide(proba, known, out=np.zeros_like(proba), where=known > 0.0)


def posterior_of(likelihoods: Floats, shares: ArrayLike) -> Floats:
    """Compute class probabilities (n, r) under the given class shares (r,)."""
    joint = likelihoods * np.asarray(shares)
    return joint / joint.sum(axis=1, keepdims=True)


def class_shares(likelihoods: Floats, weights: Floats) -> Floats:
    """Estimate class shares (r,) of maximum likelihood by expectation maximisation.

    Saerens, Latinne & Decaestecker (2002), eq. 2.9. With one-hot likelihoods the result
    equals the observed class shares.
    """
    n_classes = likelihoods.shape[1]
    shares = np.full(n_classes, 1.0 / n_classes)
    max_iterations = 1_000
    for _ in range(max_iterations):
        before = shares
        shares = np.average(posterior_of(likelihoods, shares), axis=0, weights=weights)
        if np.abs(shares - before).max() < TOLERANCE:
            break
    return shares


def share_influences(likelihoods: Floats, shares: Floats, weights: Floats) -> Floats:
    """Compute the influence (n, r) of each row on the maximum-likelihood class shares.

    The influence is the score function of each row times the inverse Fisher information,
    for shares above 0 and in directions that keep their sum at 1.
    """
    first, *others = np.eye(len(shares))[shares > TOLERANCE]
    changes = np.array(others).reshape(-1, len(shares)) - first
    scores = likelihoods @ changes.T / (likelihoods @ shares)[:, None]
    information = (scores.T * weights) @ scores / weights.sum()
    return scores @ np.linalg.pinv(information) @ changes
