"""Comparison of a model's reference figures with its performance on later data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers
from moselect.preprocessing.cells import as_frame
from moselect.samples.labels import encode_labels
from moselect.samples.samples import Samples
from moselect.samples.validation import ranks_of, read_weights
from moselect.selection.class_shares import (
    class_shares,
    likelihoods_of,
    posterior_of,
    share_influences,
)
from moselect.selection.decision_loss import DecisionLoss, confusion_of
from moselect.selection.drift import column_drift
from moselect.selection.limits import read_limits
from moselect.selection.reference import Reference
from moselect.selection.standard_errors import cost_errors, standard_errors

# Standard errors on each side of a 90 % interval: a one-sided test of excess cost at 5 %.
SURE = 1.645
# Relative excess cost; the check is inconclusive if the interval reaches beyond it.
TOLERATED = 0.2


@dataclass(frozen=True, eq=False)
class Check:
    """Comparison of a model on later data with its reference figures.

    Attributes
    ----------
    holds : bool or None
        Whether the cost is as reported; None if inconclusive.
    verdict : str
        The result in one line.
    reported : Reference
        The reference figures, as reported at selection.
    cost, error : float
        Mean cost of these rows and its standard error; without labels both are estimated
        from the probabilities, as if these were calibrated.
    class_shares : DataFrame
        Reported share of each class (the prior, if given) and its share in these rows
        with the standard error. Without labels the latter is estimated by expectation
        maximisation (Saerens, Latinne & Decaestecker 2002, eq. 2.9).
    mistakes : DataFrame or None
        For each pair of true and predicted class: the contribution to the mean cost, its
        reference value and the difference, largest difference first.
    limits : DataFrame or None
        For each limit: the reported share, the share in these rows with its standard
        error, and whether the limit holds.
    calibration : DataFrame or None
        Mean predicted probability of each class (under the priors, if given) and its
        share.
    drift : DataFrame
        One row per column: the share of values ``outside`` its training range or levels,
        the total variation ``distance`` (0 to 1) from its training distribution, the
        bound that no column exceeds in 95 % of draws if ``unchanged``, and whether it
        ``drifted``.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1)
    >>> model = search.fit(X[::2], y[::2]).select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> moselect.check(model, X[1::2]).holds is None  # without labels
    True
    """

    holds: bool | None
    verdict: str
    reported: Reference
    cost: float
    error: float
    class_shares: pd.DataFrame
    mistakes: pd.DataFrame | None
    limits: pd.DataFrame | None
    calibration: pd.DataFrame | None
    drift: pd.DataFrame

    def __repr__(self) -> str:
        return f"<Check: {self.verdict}>"


def check(
    model: Any,
    X: Any,
    y: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> Check:
    """Compare the reference figures of a model with its performance on later data.

    The reference cost is the mean cost per row under the priors, or under the class
    shares of the training data if no priors were given. The mean cost of these rows is
    under their own class shares: pass rows as they occur in use, or weight them
    accordingly.

    Parameters
    ----------
    model : Model
        A model selected for costs by `ParetoSearch.select`, or read by `read_model`.
    X : DataFrame of shape (n, m)
        Rows that were used neither for training nor for selection.
    y : array-like of shape (n,), optional
        Their labels. Without them the shares of the classes and the cost are estimated
        from the probabilities.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows, as in `ParetoSearch.fit`: counts if they are whole numbers.
    groups : array-like of shape (n,), optional
        Group of each row; standard errors are clustered by group.

    Returns
    -------
    Check

    Raises
    ------
    ValueError
        If the model has no reference cost, rows cannot be predicted, a label is not a
        class of the model, or weights or groups are invalid.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1)
    >>> model = search.fit(X[::2], y[::2]).select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> moselect.check(model, X[1::2], y[1::2]).verdict
    'inconclusive: mean cost ...'
    """
    reference, classes = reference_of(model), model.classes_
    costs, old = np.array(reference.costs), np.array(reference.confusion)
    predicted = encode_labels(model.predict(X), model.answers)
    codes = encode_labels(y, classes) if y is not None else predicted % len(classes)
    table, known = as_frame(X), [column.name for column in reference.columns]
    if len(codes) != len(table):
        raise ValueError(f"X has {len(table)} rows but y has {len(codes)} labels")
    clusters = ranks_of("groups", groups, len(table))
    if clusters is not None and np.ptp(clusters) == 0:
        raise ValueError("groups has one group only: an error needs several")
    samples = Samples(table.filter(known), codes, classes, groups=clusters)
    counted, weights = read_weights(sample_weight, len(samples))
    if counted is None:
        counted = np.arange(len(samples))
    samples = replace(samples.take(counted), weights=weights)
    predicted = predicted[counted]
    drift = column_drift(reference, samples)
    shares = pd.DataFrame({"reported": old.sum(axis=1)}, pd.Index(classes, name="class"))
    likelihoods = None
    if hasattr(model, "predict_proba"):
        likelihoods = likelihoods_of(model.predict_proba(X)[counted], reference.trained)
    if y is None:
        if likelihoods is None:
            raise ValueError(
                "the model has no probabilities: give the labels of the rows"
            )
        cost, error = _estimate(shares, likelihoods, costs, samples, predicted)
        verdict = (
            f"without labels: estimated mean cost {cost:.3g}, {reference.cost:.3g} at selection; "
            f"{drift['drifted'].sum()} of {len(drift)} columns have drifted"
        )
        return Check(
            None, verdict, reference, cost, error, shares, None, None, None, drift
        )
    of_class = np.eye(len(classes))[samples.codes]
    cost, error = _estimate(shares, of_class, costs, samples, predicted)
    counts = (
        confusion_of(samples, predicted, costs.shape[1])
        / samples.sample_weight_or_ones.sum()
    )
    mistakes = _mistakes(counts * costs, old * costs, model.answers)
    limits = _limits(reference, samples, predicted)
    calibration = None
    if likelihoods is not None:
        proba = posterior_of(likelihoods, shares["reported"])
        calibration = shares[["now"]].rename(columns={"now": "share"})
        means = np.average(proba, axis=0, weights=samples.weights)
        calibration.insert(0, "mean probability", means)
    holds, verdict = _verdict(reference, cost, error, samples)
    return Check(
        holds,
        verdict,
        reference,
        cost,
        error,
        shares,
        mistakes,
        limits,
        calibration,
        drift,
    )


def reference_of(model: Any) -> Reference:
    """Return the reference figures of a model; ValueError if they have no cost."""
    reference: Reference | None = model.reference
    if reference is None or reference.costs is None:
        raise ValueError(
            "no cost was reported of the model, so there is nothing to compare: select it for "
            "costs, and check the file that select writes"
        )
    return reference


def _estimate(
    shares: pd.DataFrame,
    likelihoods: Floats,
    costs: Floats,
    samples: Samples,
    predicted: Integers,
) -> tuple[float, float]:
    """Estimate class shares (added to ``shares``) and the mean cost, with standard errors."""
    weights = samples.sample_weight_or_ones
    now = class_shares(likelihoods, weights)
    of_shares = share_influences(likelihoods, now, weights)
    shares["now"] = now
    shares["std_error"] = standard_errors(samples.sum_by_cluster(of_shares.T))
    of_answer = costs[:, predicted].T
    paid = (posterior_of(likelihoods, now) * of_answer).sum(axis=1)
    cost = float(np.average(paid, weights=weights))
    # Delta method: posteriors depend on the shares, d paid / d share_k = P(x | k) / P(x) (costs_k -
    # paid).
    odds = likelihoods / (likelihoods @ now)[:, None]
    slopes = np.average(odds * (of_answer - paid[:, None]), axis=0, weights=weights)
    influences = samples.sum_by_cluster(paid - cost + of_shares @ slopes)
    one_more = DecisionLoss(costs).max_cost(samples, predicted, np.ones(len(costs)))
    return cost, float(cost_errors(influences, one_more, samples))


def _verdict(
    reference: Reference, cost: float, error: float, samples: Samples
) -> tuple[bool | None, str]:
    """Test the cost against its reference; return the outcome and a one-line verdict."""
    # Few units seldom include the costliest mistakes; their mean cost and its standard error are
    # then too low. If nothing has changed, the variance per unit is the same then and now, so the
    # standard error of the difference is at least the pooled one.
    ratio = reference.n_units / samples.sum_by_cluster(samples.sample_weight_or_ones).size
    variance = reference.error**2 + error**2
    pooled = reference.error**2 * ratio + error**2 / ratio
    unit, both = reference.cost or 1.0, max(variance, pooled) ** 0.5
    low, high = (
        (cost - reference.cost + sign * SURE * both) / unit for sign in (-1.0, 1.0)
    )
    shown = f"mean cost {cost:.3g}, {reference.cost:.3g} at selection"
    if low > 0.0:
        return False, f"cost {low:.0%} to {high:.0%} higher than estimated: {shown}"
    if high <= TOLERATED:
        return True, f"as expected: {shown} ({low:+.0%} to {high:+.0%})"
    # Number of further rows that would exclude an excess cost above the tolerance.
    room = (
        (TOLERATED * unit - max(cost - reference.cost, 0.0)) / SURE
    ) ** 2 - reference.error**2
    n = len(samples)
    more = (
        ""
        if room <= 0.0
        else f", {np.ceil(n * error**2 / room) - n:.0f} more rows needed"
    )
    return None, f"inconclusive{more}: {shown} ({low:+.0%} to {high:+.0%})"


def _mistakes(now: Floats, reported: Floats, answers: Any) -> pd.DataFrame:
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


def _limits(reference: Reference, samples: Samples, predicted: Integers) -> pd.DataFrame:
    """Tabulate the share of each limited mistake in the samples, and whether its limit holds."""
    greatest = {words: most for words, most, *_ in reference.limits}
    stated = read_limits(greatest, samples.classes)
    rows = {}
    for limit, reported in zip(stated, reference.limits, strict=True):
        words, most, share, error = limit.reached(samples, predicted)
        rows[words] = most, reported.share, share, error, share <= most
    names = ["limit", "reported", "now", "std_error", "holds"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=names)
