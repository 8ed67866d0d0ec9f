"""Misclassification costs: per class or as a matrix, with priors and a reject option."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Union

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Array, Floats, Integers, Labels, record
from moselect.costs.decisions import Refer, Referral, read_referral
from moselect.labels.labels import as_label_array, encode_labels
from moselect.listing import listing
from moselect.metrics.decision_metrics import DecisionMetric
from moselect.metrics.metric_names import metric_named
from moselect.metrics.objective import distances, errors, squares
from moselect.validation import (
    as_numbers,
    check_choice,
    check_cost_matrix,
    check_priors,
    in_class_order,
)

CostFunction = Callable[[pd.DataFrame], ArrayLike]  # from a table to (n, r, r)
ClassValues = ArrayLike | Mapping[object, float]  # by position, or by class label
AnyCosts = Union["Costs", ClassValues, CostFunction]
Loss = Literal["absolute", "squared", "zero_one"]
# of searches and estimators, which `costs` may replace
COST_PARAMETERS = ("class_costs", "loss", "cost_matrix", "priors")
LOSSES: dict[str, Callable[[Floats], Floats]] = {
    "absolute": distances,
    "squared": squares,
    "zero_one": errors,
}


@dataclass(eq=False, repr=False, kw_only=True)
class CostParameters:
    """Base class of estimators for costs: their parameters, each as in `Costs`.

    ``costs`` are in any form, in place of the others.
    """

    class_costs: ClassValues | None = None
    loss: Loss = "absolute"
    cost_matrix: ArrayLike | CostFunction | None = None
    priors: ClassValues | None = None
    costs: AnyCosts | None = None
    metric: str | DecisionMetric | None = None


def cost_parameters(search: Any) -> dict[str, Any]:
    """Return the `COST_PARAMETERS` of a search, an estimator or `Costs`."""
    return {name: getattr(search, name) for name in COST_PARAMETERS}


def cost_matrix(class_costs: ArrayLike, loss: Loss = "absolute") -> Floats:
    """Build a cost matrix from the costs of the classes (Waegeman et al. 2008, eq. 15).

    ``C[k, l] = c_k |k - l|``, with the squared distance or 1 for the other losses.

    Parameters
    ----------
    class_costs : array-like of shape (r,)
        Misclassification cost per true class, lowest class first; 0 upwards.
    loss : {"absolute", "squared", "zero_one"}, default="absolute"
        Growth of the cost with the distance between classes in ranks.

    Returns
    -------
    ndarray of shape (r, r)
        Rows are true classes, columns predicted ones; the diagonal is 0.

    Raises
    ------
    ValueError
        If costs are negative, not finite, all zero, or fewer than two.

    Examples
    --------
    >>> cost_matrix([1, 1, 5])
    array([[ 0.,  1.,  2.],
           [ 1.,  0.,  1.],
           [10.,  5.,  0.]])
    """
    costs = as_numbers("class_costs", class_costs)
    if costs.ndim != 1 or len(costs) < 2:
        raise ValueError(
            f"class_costs has shape {costs.shape}: give one cost a class, at least 2"
        )
    check_choice("loss", loss, [*LOSSES])
    return check_cost_matrix(costs[:, None] * LOSSES[loss](costs), len(costs))


@record
class Costs:
    """Misclassification costs with optional class priors and a reject option.

    Parameters
    ----------
    class_costs : array-like of shape (r,) or mapping, optional
        Misclassification cost per true class, lowest class first, or by class label:
        ``{"mild": 1, "severe": 5}``; 1 by default.
    loss : {"absolute", "squared", "zero_one"}, default="absolute"
        How the cost grows with the distance between the classes.
    cost_matrix : array-like of shape (r, r) or (n, r, r), or callable, optional
        All costs, rows true classes, columns predicted ones; instead of ``class_costs``.
        Costs of each row: expressions of columns, such as ``"0.3 * amount + 50"``, a
        function from a table to (n, r, r), or an array of this shape.
    priors : array-like of shape (r,), optional
        Shares of the classes in use, of sum 1, if they differ from those in the data.
    refer : float, array-like of shape (r,) or mapping, optional
        Cost of referring a case for review (reject option, abstention), for all classes
        or per true class; a mapping also names the answer: ``{"person": 2.5}``.
    metric : str or DecisionMetric, optional
        Metric of the confusion matrix in place of costs, as in `metric_named`. The cost
        matrix that optimises it is found for the predictions of each candidate.

    Raises
    ------
    ValueError
        If more than one of class costs, a matrix and a metric is given.

    Examples
    --------
    >>> costs = Costs([1, 1, 5])
    >>> costs.matrix(3)
    array([[ 0.,  1.,  2.],
           [ 1.,  0.,  1.],
           [10.,  5.,  0.]])
    """

    class_costs: ClassValues | None = None
    loss: Loss = "absolute"
    cost_matrix: ArrayLike | CostFunction | None = None
    priors: ClassValues | None = None
    refer: Refer | None = None
    metric: str | DecisionMetric | None = None

    def __post_init__(self) -> None:
        given = (self.class_costs, self.cost_matrix, self.metric)
        stated = [values is not None for values in given]
        stated[0] |= self.loss != "absolute"
        if sum(stated) > 1:
            raise ValueError(
                "give one of class costs (with their loss), a cost matrix and a metric"
            )
        if any(isinstance(values, Costs) for values in given):
            raise TypeError(
                "Costs are given as class costs or a matrix: give costs=Costs(...)"
            )
        if self.metric is None:
            return
        if not isinstance(self.metric, str | DecisionMetric):
            raise TypeError(
                f"metric is {self.metric!r}: give the name of one, such as 'quadratic_kappa'"
            )
        if self.priors is not None or self.refer is not None:
            raise ValueError("priors and a referral go with costs, not with a metric")

    @property
    def by_row(self) -> bool:
        """Whether each row of a table has a cost matrix of its own."""
        try:
            return np.asarray(self.cost_matrix, float).ndim == 3
        except (TypeError, ValueError):
            return True  # a function, or cells that are no numbers

    def matrix(self, n_classes: int) -> Floats:
        """Return the cost matrix (r, r); ValueError if each row has its own costs."""
        if self.priors is not None:
            check_priors(self.priors, n_classes)
        if isinstance(self.metric, DecisionMetric):
            return self.metric.start(np.ones(n_classes))
        matrix: Any = self.cost_matrix
        if self.by_row:
            raise ValueError(
                "the costs of each row need a table: give them to select, compare or an estimator"
            )
        if matrix is None:
            own: Any = self.class_costs
            if own is None:
                own = np.ones(n_classes)
            matrix = cost_matrix(own, self.loss)
        return check_cost_matrix(matrix, n_classes)

    def in_order(self, classes: ArrayLike, *, guessed: bool = False) -> Costs:
        """Return costs by position, with labelled costs sorted into the order of the classes.

        ValueError if they do not match, or are positional while the order is ``guessed``.
        """
        labels = as_label_array(classes)
        ordered = {
            name: in_class_order(name, getattr(self, name), labels, guessed=guessed)
            for name in ("class_costs", "cost_matrix", "priors")
        }
        if isinstance(self.metric, str):
            ordered["metric"] = metric_named(self.metric, labels)
        for name in ("class_costs", "priors"):
            values = ordered[name]
            if values is not None and np.size(values) != len(labels):
                raise ValueError(
                    f"{name} has {np.size(values)} numbers, but there are {len(labels)} classes: "
                    f"{listing(labels)}"
                )
        stated = replace(self, **ordered)
        if not stated.by_row:
            stated.matrix(len(labels))
        return stated

    def for_observed(
        self, classes: Labels, scale: Labels, *, guessed: bool = False
    ) -> Costs:
        """Return the costs restricted to classes that have samples, by position.

        Distances are counted on the full scale, including classes without samples.
        ValueError if costs do not match the scale, if a class without samples has a
        prior, or if costs are positional while the class order is ``guessed``.
        """
        stated = self.in_order(scale, guessed=guessed)
        if len(classes) == len(scale):
            return stated
        observed = encode_labels(classes, scale)
        if isinstance(self.metric, str):
            return Costs(metric=metric_named(self.metric, scale, observed))
        priors = stated.priors
        referred = read_referral(self.refer, scale)
        if priors is not None:
            priors = np.asarray(priors, float)
            if np.delete(priors, observed).any():
                absent = listing(np.delete(scale, observed))
                raise ValueError(f"class {absent} has a prior, but no samples")
            priors = priors[observed]
        cells = stated.cost_matrix if stated.by_row else stated.matrix(len(scale))
        return Costs(
            cost_matrix=_of_classes(cells, observed),
            priors=priors,
            refer=None if referred is None else {referred[0]: referred[1][observed]},
        )

    def with_class_cost(self, code: int, factor: float, n_classes: int) -> Costs:
        """Return costs `in_order` with those of one true class times a factor."""
        if self.by_row:
            cells: Any = [list(row) for row in np.asarray(self.cost_matrix, object)]
            cells[code] = [f"{factor} * ({cell})" for cell in cells[code]]
        else:
            cells = self.matrix(n_classes)
            cells[code] *= factor
        return replace(self, class_costs=None, loss="absolute", cost_matrix=cells)

    def in_use(self, class_weights: Array) -> Floats:
        """Return the cost matrix reweighted to the priors, given class weights (r,).

        NaN for classes that have a prior but no samples.
        """
        return self.matrix(len(class_weights)) * self.ratios(class_weights)[:, None]

    def ratios(self, class_weights: Array) -> Floats:
        """Compute the ratio (r,) of each class's prior to its share by class weights (r,).

        NaN for classes that have a prior but no samples.
        """
        if self.priors is None:
            return np.ones(len(class_weights))
        priors = np.asarray(self.priors, float)
        shares = np.asarray(class_weights) / np.sum(class_weights)
        without = np.where(priors > 0.0, np.nan, 0.0)
        return np.divide(priors, shares, out=without, where=shares > 0.0)

    def with_referral(self, classes: Labels) -> tuple[Floats, Referral | None]:
        """Return the matrix of costs `in_order`, with a last column for a referral, if any.

        The second value is the answer for referred cases.
        """
        matrix = self.matrix(len(classes))
        referred = read_referral(self.refer, classes)
        if referred is None:
            return matrix, None
        label, referral_costs = referred
        return np.column_stack([matrix, referral_costs]), Referral(label)


def _of_classes(cells: object, observed: Integers) -> Any:
    """Restrict costs, or a function that computes them, to some classes."""
    if callable(cells):
        return lambda table: _of_classes(cells(table), observed)
    return np.asarray(cells)[..., observed[:, None], observed]


def combined_costs(costs: AnyCosts | None, **given: Any) -> Costs:
    """Combine costs of any form, if there are any, with ``given`` parameters of `Costs`.

    Class costs and matrices are completed by loss, priors and a referral; ValueError if
    other parameters are given with them.
    """
    if costs is None:
        return Costs(**given)
    is_complete = isinstance(costs, Costs)
    for name, value in given.items():
        is_part = name in ("loss", "priors", "refer") and not is_complete
        is_default = value is None or (name, value) == ("loss", "absolute")
        if not (is_part or is_default):
            raise ValueError(f"costs and {name} are given: give one of them")
    if isinstance(costs, Costs):
        return costs
    is_of_classes = isinstance(costs, Mapping) or np.ndim(costs) == 1  # type: ignore[arg-type]
    form = "class_costs" if is_of_classes else "cost_matrix"
    return Costs(**{**given, form: costs})


def given_costs(
    preferences: Mapping[str, float] | None = None,
    costs: AnyCosts | None = None,
    **given: Any,
) -> Costs | None:
    """Combine cost arguments into `Costs`; None if a model is selected by preferences."""
    stated = {name for name, value in given.items() if value is not None}
    if costs is None and not stated & {"class_costs", "cost_matrix", "metric"}:
        if stated & {"priors", "refer"} or given.get("loss", "absolute") != "absolute":
            raise ValueError(
                "loss, priors and a referral need costs: give class_costs or cost_matrix"
            )
        return None
    if preferences is not None:
        raise ValueError("give either costs, a metric or preferences")
    return combined_costs(costs, **given)
