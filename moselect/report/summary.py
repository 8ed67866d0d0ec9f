"""What the page is to know about a front, as plain values."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect.front import Front
from moselect.metrics import ALL_OBJECTIVES
from moselect.models import model_document
from moselect.pareto import spread_subset
from moselect.report.new_data import NewData, Selection
from moselect.report.score_counts import count_scores
from moselect.report.words import GLOSSARY, MEASURES

LABELS = {objective.name: objective.label for objective in ALL_OBJECTIVES}
MODELS = 3_000  # of a larger front so many are shown, spread over it
SAME = 1e-9  # objectives that differ by less for all models are one


def summarise(
    front: Front,
    X: ArrayLike | pd.DataFrame | None = None,
    y: ArrayLike | None = None,
    *,
    about: Mapping[str, Any] | None = None,
    run: str | None = None,
    new_data: NewData | None = None,
) -> dict[str, Any]:
    """Return what the page is to know; parameters as in `moselect.report.make_page`."""
    front.training_costs()  # raises if they cannot be known
    if (X is None) != (y is None):
        raise ValueError("give both X and y, the rows of the search, or neither")
    new_data = new_data or NewData()
    new_data.check(front)
    indices = np.arange(len(front))
    if len(front) > MODELS:
        indices = np.sort(spread_subset(front.objectives, MODELS))
    shown = front.take(indices)
    assert shown.confusions is not None  # training_costs has looked
    scores = None if X is None or y is None else count_scores(shown, X, y)
    known = dict(about or {})
    return {
        "name": known.get("name"),
        "target": known.get("target"),
        "run": run,
        "n_models": len(front),
        "n_samples": int(shown.confusions[0].sum()),
        "objectives": _objectives(front),
        "classes": [str(label) for label in front.classes],
        "features": list(front.feature_names or (f"x{j}" for j in range(front.weights.shape[1]))),
        "indices": indices.tolist(),
        "prepared": front.columns is not None,
        "about": {"data": known, "moselect": version("moselect")},
        "document": _document(front),
        "glossary": GLOSSARY,
        "baselines": [
            {"name": name, "confusion": np.asarray(confusion, np.float64).ravel().tolist()}
            for name, confusion in new_data.baselines.items()
        ],
        "selections": [_selection(each) for each in new_data.selections],
        "spreads": None if scores is None else scores.spreads.tolist(),
        "arrays": {
            "objectives": _packed(shown.objectives, "<f8"),
            "holdout": _packed(shown.holdout, "<f8"),
            "expected": _packed(shown.expected, "<f8"),
            "expected_se": _packed(shown.expected_se, "<f8"),
            "weights": _packed(shown.weights, "<f8"),
            "thresholds": _packed(shown.thresholds, "<f8"),
            "confusions": _packed(shown.confusions, "<i4"),
            "holdout_confusions": _packed(shown.holdout_confusions, "<i4"),
            "score_low": _packed(None if scores is None else scores.low, "<f8"),
            "score_step": _packed(None if scores is None else scores.step, "<f8"),
            "score_levels": _packed(
                None if scores is None else scores.levels + 1, "<u2"
            ),  # from -1 upwards
            "score_counts": _packed(None if scores is None else scores.counts, "<i4"),
        },
    }


def _objectives(front: Front) -> list[dict[str, Any]]:
    """Return names, range and meaning of the objectives, and which of them are the same here."""
    values = front.objectives.to_numpy()
    found = []
    for j, name in enumerate(front.chance.index):
        twins = [i for i in range(j) if np.abs(values[:, i] - values[:, j]).max() <= SAME]
        found.append(
            {
                "key": name,
                "words": LABELS.get(name, name),
                "meaning": MEASURES.get(name, ""),
                "chance": float(front.chance[name]),
                "best": float(values[:, j].max()),
                "same_as": twins[0] if twins else None,
            }
        )
    return found


def _selection(each: Selection) -> dict[str, Any]:
    """Return a model selected for a setting as plain values."""
    flat: dict[str, list[float] | None] = {
        name: None if values is None else np.asarray(values, np.float64).ravel().tolist()
        for name, values in (
            ("cost_matrix", each.cost_matrix),
            ("confusion", each.confusion),
            ("priors", each.priors),
            ("class_costs", each.class_costs),
        )
    }
    document = None if each.document is None else json.dumps(each.document, allow_nan=False)
    interval = [float(end) for end in each.interval]
    return {
        **flat,
        "name": each.name,
        "preferences": None if each.preferences is None else dict(each.preferences),
        "value": float(each.value),
        "interval": interval,
        "training": each.training,
        "held_out": each.held_out,
        "rivals": [{"name": name, **rival._asdict()} for name, rival in each.rivals.items()],
        "verdicts": list(each.verdicts),
        "document": document,
    }


def _document(front: Front) -> str:
    """Return what the files of all models of a front have in common, as JSON."""
    document = model_document(front[0])
    own = ("thresholds", "coef", "about")
    return json.dumps({name: value for name, value in document.items() if name not in own})


def _packed(values: ArrayLike | NDArray[Any] | None, kind: str) -> str | None:
    """Return the bytes of numbers, compressed, in base64: short, and exact to the last bit."""
    if values is None:
        return None
    packed = gzip.compress(np.asarray(values, kind).tobytes(), compresslevel=6, mtime=0)
    return base64.b64encode(packed).decode()
