"""Objectives of a search, as functions of confusion matrices and rankings of its classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from moselect._types import Labels
from moselect.costs.costs import Costs
from moselect.labels.labels import encode_labels
from moselect.metrics.objective import Objective
from moselect.models.objective_values import as_objective


def resolve_objectives(
    objectives: Sequence[object],
    classes: Labels,
    scale: Labels | None = None,
    costs: Costs | None = None,
) -> tuple[Objective, ...]:
    """Resolve the objectives of a search, with the given costs for ``"cost"``.

    Distances between classes are measured on the ``scale``, which may have classes without
    samples. ``costs`` are by position, for the classes with samples.

    Examples
    --------
    >>> import numpy as np
    >>> classes = np.array(["no", "yes"])
    >>> resolve_objectives(("cost", "vus"), classes, costs=Costs([1, 5]))[0].costs([3, 2])
    array([[0., 1.],
           [5., 0.]])
    """
    if scale is None:
        scale = classes
    observed = encode_labels(classes, scale)
    chosen: list[Objective] = []
    for given in objectives:
        objective = as_objective(given, scale, observed)
        # Metrics are solved for the classes with samples already.
        if len(observed) < len(scale) and objective.solved is None:
            objective = objective.among(observed, len(scale))
        if objective.name == "cost" and costs is not None:
            objective = replace(objective, costs=costs.in_use)
        names = [each.name for each in chosen]
        if callable(given) and objective.name in names:
            # Functions of one name, such as lambda, and two scorers of one function.
            number = 2 + sum(name.startswith(f"{objective.name}_") for name in names)
            objective = replace(objective, name=f"{objective.name}_{number}")
        chosen.append(objective)
    names = [objective.name for objective in chosen]
    if len(set(names)) < len(names):
        raise ValueError(f"two objectives have one name: {', '.join(names)}")
    return tuple(chosen)
