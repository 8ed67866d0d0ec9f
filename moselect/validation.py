"""Validation of input: scores, weights, groups, probabilities, costs, choices."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Array, Floats, Integers, Labels
from moselect.listing import listing

Ties = Literal["strict", "average"]
Values = TypeVar("Values", bound=Array)


def check_weights(sample_weight: ArrayLike | None, n: int) -> Floats | None:
    """Return weights (n,), or None for equal ones; at least one must be positive."""
    if sample_weight is None:
        return None
    # Kernels read rows of contiguous memory.
    weights = np.ascontiguousarray(as_numbers("sample_weight", sample_weight))
    if weights.shape != (n,):
        raise ValueError(
            f"there are {n} samples but sample_weight has shape {weights.shape}"
        )
    wrong = ~(np.isfinite(weights) & (weights >= 0.0))
    if wrong.any():
        row = wrong.argmax()
        raise ValueError(
            f"sample_weight[{row}] is {weights[row]}: weights must be finite and not negative"
        )
    if not weights.any():
        raise ValueError("sample_weight is zero everywhere: there is nothing to measure")
    return weights


def seed_or_drawn(random_state: int | None) -> int:
    """Return a seed, drawn for None; ValueError for a negative number or another object."""
    if random_state is None:
        return secrets.randbits(32)
    if not isinstance(random_state, int | np.integer) or random_state < 0:
        raise ValueError(
            f"random_state is {random_state}: give an int of 0 or more, or None"
        )
    return int(random_state)


def weights_or_ones(weights: Floats | None, n: int) -> Floats:
    """Return weights (n,), ones by default."""
    if weights is None:
        return np.ones(n)
    return weights


def ratios_or_zero(values: ArrayLike, totals: Array) -> Floats:
    """Divide values by totals; 0 where a total is 0."""
    zeros = np.zeros(np.broadcast(values, totals).shape)
    return np.divide(values, totals, out=zeros, where=totals > 0.0)


def at_rows(values: Values | None, rows: Any) -> Values | None:
    """Return the values of some rows; None of None."""
    return None if values is None else values[rows]


def ranks_of(name: str, values: ArrayLike | None, n: int) -> Integers | None:
    """Return the rank (n,) of each value among the different ones; None of None."""
    if values is None:
        return None
    column = pd.Series(values)
    if len(column) != n:
        raise ValueError(f"{name} has {len(column)} entries, but there are {n} samples")
    if column.isna().any():
        row = np.argmax(column.isna().to_numpy())
        raise ValueError(f"{name}[{row}] is missing: impute it or exclude the row")
    # Ranks of times follow their order; groups are numbered as they appear.
    return pd.factorize(column, sort=name == "times")[0]


def check_aligned(**values: object) -> None:
    """Refuse pandas values of the same rows, by parameter, with the same index in another order."""
    frames = pd.DataFrame | pd.Series
    known = {name: v.index for name, v in values.items() if isinstance(v, frames)}
    first = next(iter(known), "")
    for name, index in known.items():
        rows = known[first]
        same = len(rows) == len(index) and rows.is_unique and rows.isin(index).all()
        # The same entries in another order: pandas would align them, NumPy would not.
        if same and not rows.equals(index):
            raise ValueError(
                f"{name} has the index of {first} in another order: give "
                f"{name}.loc[{first}.index], or {name}.to_numpy() if rows belong together by "
                "their places"
            )


def check_unmasked(name: str, values: object) -> None:
    """Raise ValueError if an entry is masked; NumPy would take the values under the mask."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        where = ", ".join(map(str, np.argwhere(np.ma.getmaskarray(values))[0]))
        raise ValueError(f"{name}[{where}] is masked: drop that row or fill it")


def check_all_finite(name: str, values: Floats) -> None:
    """Raise ValueError if a number is missing or infinite, with its place."""
    for index in np.argwhere(~np.isfinite(values))[:1].tolist():
        raise ValueError(f"{name}{index} is {values[tuple(index)]}: it must be finite")


def as_numbers(name: str, values: ArrayLike) -> Floats:
    """Return an array of real numbers; an array of floats is not copied.

    ValueError for masked entries, dates and words.
    """
    check_unmasked(name, values)
    array = np.asarray(values)
    if array.dtype.kind in "mMcV":
        raise ValueError(f"{name} has the type {array.dtype}: it must hold real numbers")
    try:
        return array.astype(float, copy=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold real numbers: {error}") from error


def check_probabilities(y_proba: ArrayLike, n: int | None = None) -> Floats:
    """Return probabilities (n, r): between 0 and 1, every row with the sum 1."""
    proba = as_numbers("y_proba", y_proba)
    if proba.ndim != 2 or proba.shape[1] < 2 or n not in (None, len(proba)):
        raise ValueError(
            f"y_proba must have shape ({n or 'n'}, r) with r >= 2, not {proba.shape}"
        )
    # Rounding of r terms stays far below this; wrongly normalised rows lie far above.
    are_normalised = np.abs(proba.sum(axis=1) - 1.0) <= 1e-6  # false for NaN
    valid = are_normalised & (proba >= 0.0).all(axis=1)
    if not valid.all():
        row = valid.argmin()
        raise ValueError(
            f"row {row} of y_proba is {listing(proba[row], 6)}: give probabilities of sum 1"
        )
    return proba


def as_costs(name: str, values: ArrayLike) -> Floats:
    """Return an array of finite numbers of at least 0."""
    costs = as_numbers(name, values)
    if not (np.isfinite(costs) & (costs >= 0.0)).all():
        raise ValueError(
            f"{name} must be finite numbers of at least 0: of gains, which are negative costs, "
            "subtract the least of each row, which changes no decision"
        )
    return costs


def check_cost_matrix(
    matrix: ArrayLike, n_classes: int, *, referral: bool = False
) -> Floats:
    """Return a cost matrix (r, r) as floats that can be computed with.

    With a ``referral`` it has one more column.
    """
    costs = as_costs("costs", matrix)
    if costs.shape != (n_classes, n_classes + referral):
        raise ValueError(
            f"the cost matrix has shape {costs.shape}, but {n_classes} classes need "
            f"({n_classes}, {n_classes + referral}): rows true classes, columns predicted ones"
        )
    if not np.ptp(costs, axis=1).any():
        raise ValueError(
            "the costs do not differ by prediction: every model would be best"
        )
    return costs


def check_priors(priors: Any, n_classes: int) -> Floats:
    """Return the shares (r,) of the classes in use as floats of sum 1."""
    shares = as_numbers("priors", priors)
    if shares.shape != (n_classes,):
        raise ValueError(
            f"priors have shape {shares.shape}, but there are {n_classes} classes"
        )
    if not ((shares >= 0.0).all() and abs(shares.sum() - 1.0) <= 1e-6):  # false for NaN
        raise ValueError(
            f"priors must be at least 0 and sum to 1, but are {shares.tolist()}"
        )
    return shares


def check_ties(ties: str) -> bool:
    """Return whether ties get half credit."""
    return check_choice("ties", ties, ("strict", "average")) == "average"


def check_level(confidence_level: float) -> None:
    """Refuse a confidence level that is no probability."""
    if not 0.0 < confidence_level < 1.0:
        raise ValueError(
            f"confidence_level is {confidence_level}: it must lie between 0 and 1"
        )


def check_choice(name: str, value: str, choices: Sequence[str]) -> str:
    """Return ``value`` if it is among ``choices``, else refuse it."""
    if value not in choices:
        known = ", ".join(repr(choice) for choice in choices)
        raise ValueError(f"{name} must be one of {known}, not {value!r}")
    return value


def require_samples(class_weights: Floats | Integers, classes: Labels, what: str) -> None:
    """Refuse a measure unless there are two or more classes, each with samples."""
    if len(classes) < 2:
        raise ValueError(
            f"{what} needs samples of every class: only class {classes[0]} is there"
        )
    if (class_weights == 0).any():
        empty = listing(classes[class_weights == 0])
        raise ValueError(f"{what} needs samples of every class: class {empty} has none")


def in_class_order(
    what: str, values: Any, classes: Labels, *, guessed: bool = False
) -> Any:
    """Return values of classes without names, in the order of the classes.

    Those of a mapping, or of pandas with the classes as index (and columns), are taken by
    name, others by position.

    Raises
    ------
    ValueError
        If names differ from the classes, or there are none and the order of the
        classes is ``guessed``.

    Examples
    --------
    >>> costs = pd.Series({"low": 1, "high": 5})
    >>> in_class_order("class_costs", costs, np.array(["high", "low"])).tolist()
    [5, 1]
    """
    if isinstance(values, Mapping):
        values = pd.Series([*values.values()], index=[str(label) for label in values])
    is_named = isinstance(values, pd.Series | pd.DataFrame)
    axes = values.axes if is_named else [None]
    # Values by position are safe only where the user has stated the order of the classes.
    if guessed and values is not None and any(map(_is_unnamed, axes)):
        raise ValueError(
            f"{what} goes by the order of the classes, which y does not tell: give "
            f"labels={classes.tolist()} if that is it, lowest first, or name the classes of "
            f"{what} (a mapping, or a pandas Series or DataFrame)"
        )
    if not is_named:
        return values
    ordered = np.asarray(values)
    names = [str(label) for label in classes.tolist()]
    for axis, index in enumerate(axes):
        if _is_unnamed(index):
            continue
        labels = [str(label) for label in index]
        # All names must match: a missing class would otherwise get the cost of another
        # one.
        if sorted(labels) != sorted(names):
            raise ValueError(
                f"{what} is labelled {', '.join(labels)[:200]}, but the classes are "
                f"{', '.join(names)[:200]}"
            )
        ordered = ordered.take([labels.index(name) for name in names], axis=axis)
    return ordered


def _is_unnamed(index: pd.Index | None) -> bool:
    # The default index of pandas counts positions and names nothing.
    return index is None or (
        isinstance(index, pd.RangeIndex) and index.equals(pd.RangeIndex(len(index)))
    )
