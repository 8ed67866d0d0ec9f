"""A grid of settings, and the models that are selected for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import NDArray

from moselect._validation import jobs_for
from moselect.decision import Costs, Loss
from moselect.front import SELECTED, Front, SelectedClassifier, Selector, measure_holdout
from moselect.metrics import ALL_OBJECTIVES, OBJECTIVES
from moselect.models.document import model_document
from moselect.models.linear_batch import LinearBatch
from moselect.report.new_data import Figure, NewData, Selection

LABELS = {objective.name: objective.label for objective in ALL_OBJECTIVES}
FACTORS = (3.0, 10.0)  # by which mistakes on one class cost more than on the others
PREFERRED = ("accuracy", "vus")  # each is preferred alone, too
WIDTH = 1.959964  # standard errors, of a 95 % interval
EQUAL: dict[Loss, str] = {
    "absolute": "All classes cost the same",
    "squared": "All classes cost the same, by the squared distance",
    "zero_one": "Every mistake costs the same",
}


def select_for_settings(
    selector: Selector, about: Mapping[str, Any] | None = None, *, n_jobs: int | None = None
) -> NewData:
    """Select a model for each of a small grid of settings.

    The settings are equal costs of all classes, a mistake costing its distance in classes, the
    square of it, or always 1; each class in turn 3 and 10 times as dear as the others, by the
    distance; equal weights of all objectives; and accuracy or VUS alone, if they were searched.

    Parameters
    ----------
    selector : Selector
        Of the front, with the data of its search.
    about : mapping, optional
        What is known of the data; it goes into the models' files.
    n_jobs : int, optional
        Processes to select with, in joblib's way of counting; one by default. The models are the
        same for any number.

    Returns
    -------
    NewData
        Its ``selections``, all figures cross-validated but those that say otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from moselect.samples import Samples
    >>> from moselect.front import Front
    >>> data = Samples.from_table([[0.0], [2.0], [1.0], [3.0]] * 10, [1, 1, 2, 2] * 10)
    >>> objectives, chance = pd.DataFrame({"accuracy": [0.75]}), pd.Series({"accuracy": 0.5})
    >>> front = Front(objectives, np.eye(1), np.array([[0.5]]), data.classes, None, chance)
    >>> found = select_for_settings(Selector(front, data))
    >>> found.selections[0].name
    'All classes cost the same'
    """
    by_costs = _cost_settings(selector.data.classes)
    by_preferences: list[tuple[str, dict[str, float]]] = [("All objectives weigh the same", {})]
    by_preferences += [
        (f"{LABELS[each]} alone", {each: 1.0}) for each in PREFERRED if each in selector.objectives
    ]
    calls = [delayed(selector.for_costs)(Costs(costs, loss)) for _, costs, loss in by_costs]
    calls += [delayed(selector.for_preferences)(given or None) for _, given in by_preferences]
    method, given, _ = calls[0]
    first = method(*given)  # here, so that all processes start with what does not depend on costs
    models = [first, *Parallel(jobs_for(n_jobs, len(calls) - 1))(calls[1:])]
    selections = [
        replace(_selection(name, model, about), class_costs=costs, loss=loss)
        for (name, costs, loss), model in zip(by_costs, models, strict=False)
    ]
    selections += [
        replace(_selection(name, model, about), preferences=preferences)
        for (name, preferences), model in zip(by_preferences, models[len(by_costs) :], strict=True)
    ]
    return NewData(selections=selections, models=_side_by_side(selector, models))


def _cost_settings(classes: NDArray[Any]) -> list[tuple[str, list[float], Loss]]:
    settings = [(name, [1.0] * len(classes), loss) for loss, name in EQUAL.items()]
    if len(classes) == 2:  # every mistake is one class off
        settings = settings[:1]
    for c, factor in product(range(len(classes)), FACTORS):
        costs = [1.0] * len(classes)
        costs[c] = factor
        settings.append((f"Class {classes[c]} costs {factor:g} times as much", costs, "absolute"))
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
    outside = "held out" in known
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
        held_out=float(known["held out"][SELECTED]) if costs is not None and outside else None,
        rivals=figures,
        verdicts=evidence.verdicts,
    )


def _side_by_side(selector: Selector, models: Sequence[SelectedClassifier]) -> Front:
    """Return selected models in the form of a front, with all their figures."""
    data, searched = selector.data, list(selector.objectives)
    weights = np.stack([model.coef_ for model in models])
    thresholds = np.stack([model.thresholds_ for model in models])
    crossed = [model.evidence.objectives for model in models if model.evidence is not None]
    batch = LinearBatch(data)
    trained = pd.DataFrame(batch.objectives(weights, thresholds), columns=list(OBJECTIVES))
    found = Front(
        objectives=trained[searched],
        weights=weights,
        thresholds=thresholds,
        classes=data.classes,
        feature_names=data.feature_names,
        chance=pd.Series(0.0, index=searched),
        expected=pd.DataFrame([each.loc["cross-validated", searched] for each in crossed]),
        expected_se=pd.DataFrame([each.loc["standard error", searched] for each in crossed]),
        confusions=batch.confusions(weights, thresholds),
    )
    return found if selector.held_out is None else measure_holdout(found, selector.held_out)
