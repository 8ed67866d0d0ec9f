"""The objectives of a search, by its settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from moselect.decision.costs import Costs
from moselect.metrics.objectives import Objective
from moselect.models.objective_values import as_objective
from moselect.search.settings import SearchSettings


def chosen_objectives(settings: SearchSettings, classes: Any) -> tuple[Objective, ...]:
    """Return the objectives of a search, that of costs with those of the settings.

    Examples
    --------
    >>> settings = SearchSettings(("cost", "vus"), class_costs=[1, 5])
    >>> chosen_objectives(settings, ["no", "yes"])[0].costs([3, 2])
    array([[0., 1.],
           [5., 0.]])
    """
    chosen = [as_objective(given) for given in settings.objectives]
    names = [objective.name for objective in chosen]
    if len(set(names)) < len(names):
        raise ValueError(f"two objectives have one name: {', '.join(names)}")
    if "cost" in names and not (settings.class_costs is None and settings.cost_matrix is None):
        costs = Costs(settings.class_costs, settings.loss, settings.cost_matrix, settings.priors)
        at = names.index("cost")
        chosen[at] = replace(chosen[at], costs=costs.in_order(classes).in_use)
    return tuple(chosen)
