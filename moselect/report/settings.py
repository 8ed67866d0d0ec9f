"""Models selected for a grid of costs, with what is known of them on new data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import NDArray

from moselect._validation import jobs_for
from moselect.decision import Costs, Loss, SelectedClassifier
from moselect.front import Front, Selector, measure_holdout
from moselect.metrics import OBJECTIVES
from moselect.models.document import model_document
from moselect.models.linear_batch import LinearBatch

FACTORS = (3.0, 10.0)  # by which mistakes on one class cost more than on the others
WIDTH = 1.959964  # standard errors, of a 95 % interval
EQUAL: dict[Loss, str] = {
    "absolute": "All classes cost the same",
    "squared": "All classes cost the same, by the squared distance",
    "zero_one": "Every mistake costs the same",
}


@dataclass(frozen=True, eq=False)
class SelectedModels:
    """Models selected for settings of costs.

    Attributes
    ----------
    models : Front
        One row a setting; ``expected`` is cross-validated.
    settings : list of dict
        Each setting and what is known of its model on new data, as plain values for the page.
    """

    models: Front
    settings: list[dict[str, Any]]


def select_for_settings(
    selector: Selector, about: Mapping[str, Any] | None = None, *, n_jobs: int | None = None
) -> SelectedModels:
    """Select a model for each of a small grid of costs, for `make_page`.

    The settings are equal costs of all classes, a mistake costing its distance in classes, the
    square of it, or always 1; and each class in turn 3 and 10 times as dear as the others, by the
    distance.

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
    SelectedModels
        All figures are cross-validated but those that say otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> import moselect
    >>> X, y = np.arange(40.0)[:, None] % 20, np.arange(40) % 20 // 10 + 1
    >>> search = moselect.ParetoSearch(n_iterations=2, n_particles=5, random_state=1).fit(X, y)
    >>> select_for_settings(search.selector_).settings[0]["name"]
    'All classes cost the same'
    """
    settings = _settings(selector.data.classes)
    select = delayed(selector.for_costs)
    calls = [select(Costs(costs, loss), "linear") for _, costs, loss in settings]
    method, given, _ = calls[0]
    first = method(*given)  # here, so that all processes start with what does not depend on costs
    models = [first, *Parallel(jobs_for(n_jobs, len(calls) - 1))(calls[1:])]
    known = [
        {"name": name, "class_costs": costs, "loss": loss, **_known(model, about)}
        for (name, costs, loss), model in zip(settings, models, strict=True)
    ]
    return SelectedModels(_side_by_side(selector, models), known)


def _settings(classes: NDArray[Any]) -> list[tuple[str, list[float], Loss]]:
    settings = [(name, [1.0] * len(classes), loss) for loss, name in EQUAL.items()]
    if len(classes) == 2:  # every mistake is one class off
        settings = settings[:1]
    for c, factor in product(range(len(classes)), FACTORS):
        costs = [1.0] * len(classes)
        costs[c] = factor
        settings.append((f"Class {classes[c]} costs {factor:g} times as much", costs, "absolute"))
    return settings


def _known(model: SelectedClassifier, about: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what is known of a selected model, as plain values."""
    evidence = model.evidence
    assert evidence is not None
    assert evidence.costs is not None
    rules = evidence.rules.dropna(subset=["new data"])
    values, reach = rules["new data"], WIDTH * rules["standard error"]
    figures = {
        str(rule): {"value": value, "interval": [value - far, value + far]}
        for (rule, value), far in zip(values.items(), reach, strict=True)
    }
    selected = figures.pop(evidence.selected)
    description = {
        "data": dict(about or {}),
        "cost_matrix": evidence.costs.matrix.tolist(),
        "expected_cost": selected["value"],
        "standard_error": float(rules["standard error"][evidence.selected]),
    }
    document = {**model_document(model), "about": description}
    return {
        **selected,
        "training": float(rules["training"][evidence.selected]),
        "confusion": evidence.confusion.to_numpy().ravel().tolist(),
        "rivals": [{"name": name, **figure} for name, figure in figures.items()],
        "verdicts": list(evidence.verdicts),
        "document": json.dumps(document, allow_nan=False),
    }


def _side_by_side(selector: Selector, models: Sequence[SelectedClassifier]) -> Front:
    """Return selected models in the form of a front, with all their figures."""
    data, searched = selector.data, list(map(str, selector.front.chance.index))
    weights = np.stack([model.coef_ for model in models])
    thresholds = np.stack([model.thresholds_ for model in models])
    crossed = [model.evidence.objectives for model in models if model.evidence is not None]
    batch = LinearBatch(data)
    trained = pd.DataFrame(batch.objectives(weights, thresholds), columns=list(OBJECTIVES))
    front = Front(
        objectives=trained[searched],
        weights=weights,
        thresholds=thresholds,
        classes=data.classes,
        feature_names=data.feature_names,
        chance=pd.Series(0.0, index=searched),
        expected=pd.DataFrame([each.loc["new data", searched] for each in crossed]),
        expected_se=pd.DataFrame([each.loc["standard error", searched] for each in crossed]),
        confusions=batch.confusions(weights, thresholds),
    )
    outside = selector.held_out_data
    return front if outside is None else measure_holdout(front, outside)
