"""Differences between two selected models, by the settings and figures in their files."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from moselect._types import Floats
from moselect.listing import in_one_line, listing, rounded
from moselect.monitoring.reference import reference_of
from moselect.predictor import Model
from moselect.predictor.reference import Reference
from moselect.validation import ratios_or_zero


class ModelDifferences(NamedTuple):
    """Settings and cross-validated figures in which two selected models differ.

    Attributes
    ----------
    settings : DataFrame
        Columns ``first`` and ``second``, a row a setting that differs: the data, their
        columns, the costs, the limits, the model and the version of moselect.
    figures : DataFrame
        Columns ``first``, ``second``, ``difference`` and ``std_error``: the mean cost if
        the costs are equal, and for each class its share of all rows, in use, and the share
        of it that is found: predicted as this class. The standard errors assume two
        independent tables; on the same rows differences vary less.
    same_rows : bool
        Whether both models were selected on the same rows, judged by the number of rows,
        the class shares and the distributions of the columns that they share.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=1, random_state=1).fit(X, y)
    >>> first = search.select(class_costs=[1, 1, 1, 1, 1], model="linear")
    >>> second = search.select(class_costs=[1, 1, 1, 1, 9], model="linear")
    >>> found = model_differences(first, second)
    >>> found.same_rows, found.settings.index.tolist()
    (True, ['costs'])
    """

    settings: pd.DataFrame
    figures: pd.DataFrame
    same_rows: bool


def model_differences(first: Model, second: Model) -> ModelDifferences:
    """Compare two selected models of the same classes.

    Parameters
    ----------
    first, second : Model
        Models of `ParetoSearch.select` or `read_model`, selected for costs.

    Returns
    -------
    ModelDifferences
        The settings that differ, and all figures.

    Raises
    ------
    ValueError
        If a model was not selected for costs, or their classes differ.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=1, cv=None, random_state=1).fit(X, y)
    >>> first = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> second = search.select(class_costs=[1, 1, 1, 5, 5], model="additive")
    >>> bool(model_differences(first, second).figures["difference"]["mean cost"] < 0.0)
    True
    """
    references = [reference_of(first), reference_of(second)]
    classes = first.classes_
    if classes.tolist() != second.classes_.tolist():
        raise ValueError(
            f"the models predict different classes: {listing(classes)}, and "
            f"{listing(second.classes_)}"
        )
    settings = pd.DataFrame(
        {"first": _settings(first, second), "second": _settings(second, first)}
    )
    values, errors = np.stack([_figures(each) for each in references], axis=1)
    names = [
        "mean cost",
        *(f"class {in_one_line(label)} of all" for label in classes),
        *(f"class {in_one_line(label)} found" for label in classes),
    ]
    figures = pd.DataFrame({"first": values[0], "second": values[1]}, names)
    figures["difference"] = values[1] - values[0]
    figures["std_error"] = np.hypot(*errors)
    if references[0].costs != references[1].costs:
        figures = figures.drop(index="mean cost")
    differing = settings[settings["first"] != settings["second"]]
    return ModelDifferences(differing, figures, _have_same_rows(*references))


def _have_same_rows(first: Reference, second: Reference) -> bool:
    """Return whether numbers of rows, class shares and distributions of columns are equal."""
    known = {column.name: column for column in first.columns}
    shared = [column for column in second.columns if column.name in known]
    return (
        first.n_rows == second.n_rows
        and first.trained == second.trained
        and bool(shared)
        and all(known[column.name] == column for column in shared)
    )


def _settings(model: Model, other: Model) -> dict[str, str]:
    """Describe data, costs, limits and model, and the columns that the other model lacks."""
    reference = reference_of(model)
    known = {column.name for column in reference_of(other).columns}
    own = [column.name for column in reference.columns if column.name not in known]
    limits = [f"{limit.words}: {limit.most:g}" for limit in reference.limits]
    costs = np.array(reference.costs)
    card = model.card
    return {
        "data": "" if card is None else in_one_line(card.data or ""),
        "rows": f"{reference.n_rows:,}",
        "columns that the other lacks": in_one_line(listing(own)),
        "costs": "; ".join(" ".join(map(rounded, row)) for row in costs),
        "limits": in_one_line(listing(limits)),
        "model": "" if card is None or not card.headline else card.headline[0],
        "version of moselect": str(model.about.get("moselect", "")),
    }


def _figures(reference: Reference) -> Floats:
    """Return the figures of a selection and their standard errors, shape (2, 1 + 2 r)."""
    confusion = np.array(reference.confusion)
    r = len(confusion)
    of_class = confusion.sum(axis=1)
    found = ratios_or_zero(np.diagonal(confusion[:, :r]), of_class)
    shares = np.append(of_class, found)
    values = [reference.cost, *shares]
    errors = [reference.error, *np.ravel(reference.class_errors, "F")]
    return np.array([values, errors])
