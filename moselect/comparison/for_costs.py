"""Models for given costs: those that take costs are fitted for them."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from moselect.decision import Costs

COST_PARAMETERS = ("class_costs", "loss", "cost_matrix", "priors")


def set_costs(model: Any, costs: Costs | None) -> Any:
    """Return a clone that will be fitted for costs, wherever it takes some and has none of its own.

    A model takes costs if it, or a part of it, has the parameters ``class_costs``, ``loss``,
    ``cost_matrix`` and ``priors``.
    """
    fresh = clone(model)
    if costs is None:
        return fresh
    given = {name: getattr(costs, name) for name in COST_PARAMETERS}
    for prefix in _takers(fresh):
        if not _has_own(fresh, prefix):
            fresh.set_params(**{f"{prefix}{name}": value for name, value in given.items()})
    return fresh


def is_for_costs(model: Any) -> bool:
    """Return whether a model will be fitted for costs: its own, or those of a comparison."""
    return any(_has_own(model, prefix) for prefix in _takers(model))


def _takers(model: Any) -> list[str]:
    """Return the prefixes under which a model has parameters for costs; "" for its own."""
    names = model.get_params(deep=True).keys()
    prefixes = [
        name.removesuffix("cost_matrix")
        for name in names
        if name == "cost_matrix" or name.endswith("__cost_matrix")
    ]
    return [
        prefix for prefix in prefixes if all(prefix + name in names for name in COST_PARAMETERS)
    ]


def _has_own(model: Any, prefix: str) -> bool:
    parameters = model.get_params(deep=True)
    return any(
        parameters.get(prefix + name) is not None
        for name in ("class_costs", "cost_matrix", "preferences")
    )
