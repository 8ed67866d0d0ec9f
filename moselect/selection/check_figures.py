"""Figures of later rows: class shares, mean cost, mistakes and limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.samples.samples import Samples
from moselect.selection.class_shares import (
    class_shares,
    posterior_of,
    share_influences,
)
from moselect.selection.decision_loss import DecisionLoss
from moselect.selection.group_limits import members_now
from moselect.selection.limits import mistake_of, read_limits
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


def mistake_table(now: Floats, reported: Floats, answers: Any) -> pd.DataFrame:
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
    words = [limit.words for limit in reference.limits]
    for known in reference.limits:
        mistake = mistake_of(known.words)
        most = known.most
        (limit,) = read_limits({mistake: most}, samples.classes)
        if mistake != known.words:
            limit = replace(limit, members=members_now(known.words, by, words))
        now = limit.reached(samples, predicted)
        share = now.share
        error = now.std_error
        rows[known.words] = most, known.share, share, error, share <= most
    names = ["limit", "reported", "now", "std_error", "holds"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=names)
