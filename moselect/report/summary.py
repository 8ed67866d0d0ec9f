"""What the page is to know about a front, as plain values."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect.front import Front
from moselect.metrics import ALL_OBJECTIVES
from moselect.models.document import model_document
from moselect.pareto import spread_subset
from moselect.report.new_data import NewData, Selection
from moselect.report.samples import embed_samples
from moselect.report.score_counts import count_scores
from moselect.report.terms import find_terms
from moselect.report.words import GLOSSARY, MEASURES

LABELS = {objective.name: objective.label for objective in ALL_OBJECTIVES}
MODELS = 3_000  # of a larger front so many are shown, spread over it
OF_MODELS = ("objectives", "holdout", "expected", "expected_se", "weights", "thresholds")
COUNTS = ("confusions", "holdout_confusions")
OF_SCORES = {"low": "<f8", "step": "<f8", "levels": "<i4", "counts": "<i4"}
SAME = 1e-9  # objectives that differ by less for all models are one


def summarise(
    front: Front,
    X: ArrayLike | pd.DataFrame | None = None,
    y: ArrayLike | None = None,
    *,
    about: Mapping[str, Any] | None = None,
    run: str | None = None,
    new_data: NewData | None = None,
    with_samples: bool = False,
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
    models = new_data.models
    fronts = [shown] if models is None else [shown, models]
    scores = None if X is None or y is None else [count_scores(each, X, y) for each in fronts]
    samples = None
    if with_samples:
        if X is None or y is None:
            raise ValueError("with_samples needs X and y, the rows of the search")
        samples = embed_samples(shown, X, y)
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
        "rows": None if samples is None else list(samples.rows),
        "terms": find_terms(shown, X),
        "n_selected": 0 if models is None else len(models),
        "arrays": {
            # Rows of the selected models follow those of the front.
            **{name: _stacked(fronts, name, "<f8") for name in OF_MODELS},
            **{
                name: _stacked(fronts, name, "<i4") for name in ("confusions", "holdout_confusions")
            },
            **{f"score_{name}": _stacked(scores, name, kind) for name, kind in OF_SCORES.items()},
            "sample_features": _packed(None if samples is None else samples.features, "<f8"),
            "sample_codes": _packed(None if samples is None else samples.codes, "<i4"),
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
        "loss": each.loss,
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


def _stacked(tables: Sequence[Any] | None, name: str, kind: str) -> str | None:
    """Return what the first table knows by some name, packed with the same of the others."""
    found = [getattr(each, name) for each in tables or ()]
    if not found or found[0] is None:
        return None
    shape = np.shape(found[0])[1:]
    empty = np.nan if kind == "<f8" else 0
    arrays = [
        np.full((len(each), *shape), empty) if values is None else np.asarray(values)
        for each, values in zip(tables or (), found, strict=True)
    ]
    return _packed(np.concatenate(arrays), kind)


def _packed(values: ArrayLike | NDArray[Any] | None, kind: str) -> str | None:
    """Return the bytes of numbers, compressed, in base64: short, and exact to the last bit."""
    if values is None:
        return None
    packed = gzip.compress(np.asarray(values, kind).tobytes(), compresslevel=6, mtime=0)
    return base64.b64encode(packed).decode()
