"""A grid of settings, and the models that are selected for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from moselect.decision import Costs
from moselect.front import SELECTED, SelectedClassifier, Selector
from moselect.metrics import ALL_OBJECTIVES
from moselect.models import OrdinalLinearClassifier, model_document
from moselect.report.new_data import Figure, NewData, Selection

LABELS = {objective.name: objective.label for objective in ALL_OBJECTIVES}
FACTORS = (3.0, 10.0)  # by which mistakes on the lowest or the highest class cost more
PREFERRED = ("accuracy", "vus")  # each is preferred alone, too
WIDTH = 1.959964  # standard errors, of a 95 % interval


def select_for_settings(selector: Selector, about: Mapping[str, Any] | None = None) -> NewData:
    """Select a model for each of a small grid of settings.

    The settings are equal costs of all classes; the lowest or the highest class 3 and 10 times as
    dear as the others, every mistake costing its distance in classes; equal weights of all
    objectives; and accuracy or VUS alone, if they were searched.

    Parameters
    ----------
    selector : Selector
        Of the front, with the data of its search.
    about : mapping, optional
        What is known of the data; it goes into the models' files.

    Returns
    -------
    NewData
        Its ``selections``, all figures cross-validated but those that say otherwise.
    """
    classes = selector.data.classes
    selections = []
    for name, costs in _cost_settings(classes):
        model = selector.for_costs(Costs(costs))
        found = _selection(name, model, about)
        selections.append(
            replace(found, class_costs=costs, held_out=_held_out_cost(selector, model))
        )
    searched = selector.objectives
    equal: list[tuple[str, dict[str, float]]] = [("All objectives weigh the same", {})]
    alone = [(f"{LABELS[each]} alone", {each: 1.0}) for each in PREFERRED if each in searched]
    for name, preferences in equal + alone:
        model = selector.for_preferences(preferences or None)
        selections.append(replace(_selection(name, model, about), preferences=preferences))
    return NewData(selections=selections)


def _cost_settings(classes: NDArray[Any]) -> list[tuple[str, list[float]]]:
    settings = [("All classes cost the same", [1.0] * len(classes))]
    for c in (0, len(classes) - 1):
        for factor in FACTORS:
            costs = [1.0] * len(classes)
            costs[c] = factor
            settings.append((f"Class {classes[c]} costs {factor:g} times as much", costs))
    return settings


def _selection(name: str, model: SelectedClassifier, about: Mapping[str, Any] | None) -> Selection:
    evidence = model.evidence
    assert evidence is not None  # a selected model has some
    known = evidence.rules.dropna(subset=["cross-validated"])
    values, reach = known["cross-validated"], WIDTH * known["standard error"]
    figures = {
        str(rule): Figure(value, value - far, value + far)
        for (rule, value), far in zip(values.items(), reach, strict=True)
    }
    selected = figures.pop(SELECTED)
    costs = None if evidence.costs is None else evidence.costs.matrix
    description = {
        "data": dict(about or {}),
        "cost_matrix": None if costs is None else costs.tolist(),
        "preferences": None if evidence.preferences is None else dict(evidence.preferences),
        f"expected_{evidence.value}": selected.value,
        "standard_error": float(known["standard error"][SELECTED]),
    }
    return Selection(
        costs,
        selected.value,
        (selected.low, selected.high),
        confusion=evidence.confusion.to_numpy(),
        document={**model_document(model), "about": description},
        name=name,
        training=float(known["training"][SELECTED]),
        rivals=figures,
        verdicts=evidence.verdicts,
    )


def _held_out_cost(selector: Selector, model: SelectedClassifier) -> float | None:
    """Return the mean cost of a held-out sample, or None if none were held out."""
    held_out = selector.held_out
    if held_out is None or model.evidence is None or model.evidence.costs is None:
        return None
    # Without its columns, which the samples are in already.
    plain = OrdinalLinearClassifier(model.coef_, model.thresholds_, np.arange(held_out.n_classes))
    predicted = plain.predict(held_out.X)
    return float(model.evidence.costs.matrix[held_out.codes, predicted].mean())
