"""What the page is to know about a front, as plain values."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect.front import Front
from moselect.metrics import ALL_OBJECTIVES
from moselect.models import model_document
from moselect.pareto import spread_subset

MODELS = 3_000  # of a larger front so many are shown, spread over it


def summarise(
    front: Front, data: Mapping[str, Any] | None = None, run: str | None = None
) -> dict[str, Any]:
    """Give what the page is to know.

    Parameters
    ----------
    front : Front
        A front that knows its confusion matrices.
    data : mapping, optional
        What is known of the data: ``name`` and ``target`` are shown, all goes into models.
    run : str, optional
        The run folder as a shell reads it.
    """
    front.training_costs()  # raises if they cannot be known
    labels = {objective.name: objective.label for objective in ALL_OBJECTIVES}
    places = np.arange(len(front))
    if len(front) > MODELS:
        places = np.sort(spread_subset(front.objectives, MODELS))
    shown = front.take(places)
    assert shown.confusions is not None  # training_costs has looked
    known = dict(data or {})
    return {
        "name": known.get("name"),
        "target": known.get("target"),
        "run": run,
        "n_models": len(front),
        "n_objects": int(shown.confusions[0].sum()),
        "hypervolume": front.hypervolume,
        "objectives": [
            {
                "words": labels.get(name, name),
                "chance": float(front.chance[name]),
                "best": float(front.objectives[name].max()),
            }
            for name in front.chance.index
        ],
        "classes": [str(label) for label in front.classes],
        "features": list(front.feature_names or (f"x{j}" for j in range(front.weights.shape[1]))),
        "places": places.tolist(),
        "about": {"data": known, "moselect": version("moselect")},
        "document": _document(front),
        "arrays": {
            "objectives": _packed(shown.objectives, "<f8"),
            "holdout": _packed(shown.holdout, "<f8"),
            "weights": _packed(shown.weights, "<f8"),
            "thresholds": _packed(shown.thresholds, "<f8"),
            "confusions": _packed(shown.confusions, "<i4"),
            "holdout_confusions": _packed(shown.holdout_confusions, "<i4"),
        },
    }


def _document(front: Front) -> str:
    """Give what the files of all models of a front have in common, as JSON."""
    document = model_document(front[0])
    own = ("thresholds", "coef", "about")
    return json.dumps({name: value for name, value in document.items() if name not in own})


def _packed(values: ArrayLike | None, kind: str) -> str | None:
    """Give numbers as the bytes they are, in base64: short, and exact to the last bit."""
    return None if values is None else base64.b64encode(np.asarray(values, kind).tobytes()).decode()
