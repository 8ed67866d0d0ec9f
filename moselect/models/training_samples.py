"""Samples of a table and its target, with the scale of their classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_array

from moselect._types import LabelOrder, Labels, Table
from moselect.costs.costs import Costs
from moselect.labels.labels import order_is_guessed
from moselect.models.training_columns import (
    unprepared_samples,
    warn_of_related_rows,
)
from moselect.preprocessing import Preparation
from moselect.preprocessing.preparation import schema_of
from moselect.samples.samples import Samples
from moselect.samples.training import classes_with_samples, ordinal_target
from moselect.samples.weights import WeightType
from moselect.tables.cells import as_frame
from moselect.tables.features import check_directions, collected
from moselect.tables.schema import read_times
from moselect.validation import check_unmasked


@dataclass(frozen=True, eq=False)
class Scale:
    """The classes of a target, in their order.

    Attributes
    ----------
    labels : ndarray
        All class labels, lowest first.
    observed : ndarray of shape (r,)
        Those that have samples.
    is_guessed : bool
        Whether the order is that of the labels, for want of another.

    Examples
    --------
    >>> scale = Scale(np.array([1, 2, 3]), np.array([1, 3]), is_guessed=False)
    >>> scale.stated(Costs([1, 5, 9])).cost_matrix
    array([[ 0.,  2.],
           [18.,  0.]])
    """

    labels: Labels
    observed: Labels
    is_guessed: bool

    def stated(self, costs: Costs | None) -> Costs | None:
        """Return costs for the classes that have samples, if there are any costs."""
        if costs is None:
            return None
        return costs.for_observed(self.observed, self.labels, guessed=self.is_guessed)


def samples_of(
    X: Table,
    y: ArrayLike,
    *,
    labels: LabelOrder = None,
    prepare: bool | Preparation = True,
    monotone: Mapping[str, int] | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    times: ArrayLike | None = None,
    weight_type: WeightType | None = None,
    fewest: int = 2,
) -> tuple[Samples, Scale]:
    """Check a table and its target; return the samples, not prepared, and their classes.

    At least ``fewest`` samples of each class. The other parameters are those of
    `moselect.ParetoSearch` and its method ``fit``.
    """
    table = plain_table(X)
    directions = check_directions(monotone, as_frame(table).columns)
    all_classes, codes = ordinal_target(y, labels, X)
    classes, codes = classes_with_samples(all_classes, codes)
    roles = sample_weight, groups, read_times(times), weight_type
    schema = schema_of(table, prepare, directions, codes)
    samples = unprepared_samples(table, codes, classes, schema, *roles, fewest=fewest)
    warn_of_related_rows(samples)
    scale = Scale(all_classes, classes, order_is_guessed(y, labels))
    return samples.with_directions(directions), scale


def plain_table(X: Table) -> Any:
    """Return an array of numbers (n, p), or a DataFrame unchanged, for preparation."""
    X = collected(X)
    if hasattr(X, "columns"):
        return X
    check_unmasked("X", X)
    return check_array(X, dtype=np.float64, ensure_all_finite=False, input_name="X")
