"""Whether what was shown of a model when it was taken holds on rows that came later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats
from moselect.columns.cells import as_frame
from moselect.decision.differences import cost_errors
from moselect.decision.limits import read_limits
from moselect.decision.promise import Promise
from moselect.labels import encode_labels
from moselect.samples import Samples

# standard errors on each side of a 90 % interval: dearer is one-sided, at 5 %
SURE = 1.645
# of the cost: if it may be so much dearer, too few rows are there to tell
TOLERATED = 0.2
N_DRAWS, LEVEL = 2_000, 0.05  # by which any column drifts if nothing has changed
# of expectation maximisation, and the change at which it ends
ROUNDS, STEADY = (
    1_000,
    1e-9,
)


@dataclass(frozen=True, eq=False)
class Check:
    """What holds of a promise.

    Attributes
    ----------
    kept : bool or None
        Whether the cost is what was shown; None if too few rows are there to tell.
    verdict : str
        That in a line.
    promised : Promise
        What was shown.
    cost, error : float
        Mean cost of these rows and its standard error; without labels what it is
        estimated to be, and NaN.
    class_shares : DataFrame
        Of each class the share that was promised and that of these rows, without labels
        estimated by expectation maximisation (Saerens, Latinne & Decaestecker 2002, eq.
        2.9).
    mistakes : DataFrame or None
        Each mistake, true and predicted class: what it adds to the cost of a row, what
        was promised and the difference, the greatest first.
    limits : DataFrame or None
        Each limit: the share that was promised and that of these rows, with its standard
        error, and whether it holds.
    calibration : DataFrame or None
        Of each class its mean probability and the share of rows that are of it.
    drift : DataFrame
        One row a column: the share of values ``outside`` its range or levels, its
        ``distance`` from what it was (total variation, 0 to 1), what in 95 % of draws no
        column exceeds if ``unchanged``, and whether it ``drifted``.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1)
    >>> model = search.fit(X[::2], y[::2]).select(class_costs=[1, 1, 1, 5, 5], kind="linear")
    >>> moselect.check(model, X[1::2]).kept is None  # without labels
    True
    """

    kept: bool | None
    verdict: str
    promised: Promise
    cost: float
    error: float
    class_shares: pd.DataFrame
    mistakes: pd.DataFrame | None
    limits: pd.DataFrame | None
    calibration: pd.DataFrame | None
    drift: pd.DataFrame

    def __repr__(self) -> str:
        return f"<Check: {self.verdict}>"


def check(model: Any, X: Any, y: ArrayLike | None = None) -> Check:
    """Compare what was shown of a model with what holds on rows that came later.

    Parameters
    ----------
    model : Model
        As `ParetoSearch.select` hands it over for costs, or `read_model` reads it.
    X : DataFrame of shape (n, m)
        Rows that it was not fitted to.
    y : array-like of shape (n,), optional
        Their labels. Without them the shares of the classes and the cost are estimated
        from the probabilities.

    Returns
    -------
    Check

    Raises
    ------
    ValueError
        If nothing was promised, rows cannot be predicted, or a label is no class of the
        model.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1)
    >>> model = search.fit(X[::2], y[::2]).select(class_costs=[1, 1, 1, 5, 5], kind="linear")
    >>> moselect.check(model, X[1::2], y[1::2]).verdict
    'too few rows to tell: a row costs ...'
    """
    promise = model.promise
    if promise is None or promise.costs is None:
        raise ValueError(
            "nothing was promised of the model: select it for costs, by moselect 0.2"
        )
    costs, classes = np.array(promise.costs), model.classes_
    predicted = encode_labels(model.predict(X), model.answers)
    proba = model.predict_proba(X) if hasattr(model, "predict_proba") else None
    old = np.array(promise.confusion)
    drift = _drift(promise, as_frame(X))
    shares = pd.DataFrame({"promised": old.sum(axis=1)}, pd.Index(classes, name="class"))
    if y is None:
        if proba is None:
            raise ValueError(
                "the model has no probabilities: give the labels of the rows"
            )
        shares["now"], posterior = class_shares(proba, shares["promised"].to_numpy())
        cost = float((posterior @ costs)[np.arange(len(predicted)), predicted].mean())
        verdict = (
            f"without labels: a row is estimated to cost {cost:.3g}, {promise.cost:.3g} was shown; "
            f"{drift['drifted'].sum()} of {len(drift)} columns have drifted"
        )
        return Check(
            None, verdict, promise, cost, np.nan, shares, None, None, None, drift
        )
    codes = encode_labels(y, classes)
    paid, n = costs[codes, predicted], len(codes)
    cost = float(paid.mean())
    error = float(cost_errors(paid - cost, float(costs.max())))
    counts = np.zeros_like(old)
    np.add.at(counts, (codes, predicted), 1.0 / n)
    shares["now"] = counts.sum(axis=1)
    mistakes = _mistakes(counts * costs, old * costs, model.answers)
    limits = _limits(promise, codes, predicted, classes)
    calibration = None
    if proba is not None:
        calibration = shares[["now"]].rename(columns={"now": "share"})
        calibration.insert(0, "mean probability", proba.mean(axis=0))
    kept, verdict = _verdict(promise, cost, error, n)
    return Check(
        kept, verdict, promise, cost, error, shares, mistakes, limits, calibration, drift
    )


def class_shares(proba: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Return shares (r,) of the classes among new rows, and probabilities (n, r) by them.

    Expectation maximisation, from probabilities (n, r) that hold where the classes have
    the old ``shares`` (r,).
    """
    now, posterior = shares, proba
    for _ in range(ROUNDS):
        weighed = proba * np.divide(
            now, shares, out=np.zeros_like(now), where=shares > 0.0
        )
        posterior = weighed / weighed.sum(axis=1, keepdims=True)
        before, now = now, posterior.mean(axis=0)
        if np.abs(now - before).max() < STEADY:
            break
    return now, posterior


def _verdict(
    promise: Promise, cost: float, error: float, n: int
) -> tuple[bool | None, str]:
    """Return whether the promise was kept, in a word and in a line."""
    unit, both = promise.cost or 1.0, float(np.hypot(error, promise.error))
    low, high = (
        (cost - promise.cost + sign * SURE * both) / unit for sign in (-1.0, 1.0)
    )
    shown = f"a row costs {cost:.3g}, {promise.cost:.3g} was shown"
    if low > 0.0:
        return False, f"dearer by {low:.0%} to {high:.0%}: {shown}"
    if high <= TOLERATED:
        return True, f"kept: {shown} ({low:+.0%} to {high:+.0%})"
    # Rows that would show that it is dearer by less than what is tolerated.
    room = (
        (TOLERATED * unit - max(cost - promise.cost, 0.0)) / SURE
    ) ** 2 - promise.error**2
    more = "" if room <= 0.0 else f": {np.ceil(n * error**2 / room) - n:.0f} more would"
    return None, f"too few rows to tell{more}: {shown} ({low:+.0%} to {high:+.0%})"


def _mistakes(now: Floats, promised: Floats, answers: Any) -> pd.DataFrame:
    """Return what each mistake adds to the cost, the greatest difference first."""
    true, predicted = cells = np.nonzero(~np.eye(*now.shape, dtype=np.bool_))
    table = pd.DataFrame(
        {
            "true": answers[true],
            "predicted": answers[predicted],
            "cost": now[cells],
            "promised": promised[cells],
            "difference": (now - promised)[cells],
        }
    )
    return table.sort_values(
        "difference", ascending=False, kind="stable", ignore_index=True
    )


def _limits(promise: Promise, codes: Any, predicted: Any, classes: Any) -> pd.DataFrame:
    """Return what holds of each limit."""
    samples = Samples(np.empty((len(codes), 0)), codes, np.asarray(classes))
    stated = read_limits({words: most for words, most, *_ in promise.limits}, classes)
    rows = {}
    for limit, promised in zip(stated, promise.limits, strict=True):
        words, most, share, error = limit.reached(samples, predicted)
        rows[words] = most, promised.share, share, error, share <= most
    names = ["limit", "promised", "now", "standard error", "holds"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=names)


def _drift(promise: Promise, table: pd.DataFrame) -> pd.DataFrame:
    """Return how far each column is from what it was, and would be by chance."""
    rng, rows, n_columns = np.random.default_rng(0), {}, max(len(promise.columns), 1)
    for profile in promise.columns:
        if profile.name not in table:
            continue
        counts, outside = profile.counts(table[profile.name])
        shares, n = np.array(profile.shares), int(counts.sum())
        distance = np.abs(counts / n - shares).sum() / 2.0
        now, then = (rng.multinomial(m, shares, N_DRAWS) / m for m in (n, promise.n_rows))
        unchanged = np.quantile(
            np.abs(now - then).sum(axis=1) / 2.0, 1.0 - LEVEL / n_columns
        )
        rows[profile.name] = (outside, distance, unchanged, bool(distance > unchanged))
    names = ["outside", "distance", "unchanged", "drifted"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=names)
