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
from numpy.typing import ArrayLike

from moselect.front import Front
from moselect.metrics.objectives import ALL_OBJECTIVES
from moselect.models.document import model_document
from moselect.pareto import spread_subset
from moselect.report.score_counts import count_scores
from moselect.report.settings import SelectedModels
from moselect.report.terms import find_terms
from moselect.report.words import GLOSSARY, MEASURES

LABELS = {objective.name: objective.label for objective in ALL_OBJECTIVES}
MODELS = 3_000  # of a larger front so many are shown, spread over it
FRONT_ARRAYS = {
    "objectives": "f8", "holdout": "f8", "expected": "f8", "expected_se": "f8",
    "weights": "f8", "thresholds": "f8", "confusions": "i4",
}  # fmt: skip
SCORE_ARRAYS = {"cuts": "f4", "counts": "i4"}
SAME = 1e-9  # objectives that differ by less for all models are one


def summarise(
    front: Front,
    X: ArrayLike | pd.DataFrame | None = None,
    y: ArrayLike | None = None,
    *,
    about: Mapping[str, Any] | None = None,
    run: str | None = None,
    selected: SelectedModels | None = None,
) -> dict[str, Any]:
    """Return what the page is to know; parameters as in `moselect.report.make_page`."""
    front.training_costs()  # raises if they cannot be known
    if (X is None) != (y is None):
        raise ValueError("give both X and y, the rows of the search, or neither")
    indices = np.arange(len(front))
    if len(front) > MODELS:
        indices = np.sort(spread_subset(front.objectives, MODELS))
    shown = front.take(indices)
    assert shown.confusions is not None  # training_costs has looked
    # Rows of the selected models follow those of the front.
    fronts = [shown] if selected is None else [shown, selected.models]
    scores = [] if X is None or y is None else [count_scores(each, X, y) for each in fronts]
    known = dict(about or {})
    return {
        "name": known.get("name"),
        "target": known.get("target"),
        "run": run,
        "n_models": len(front),
        "objectives": _objectives(front),
        "classes": [str(label) for label in front.classes],
        "features": list(front.feature_names or (f"x{j}" for j in range(front.weights.shape[1]))),
        "indices": indices.tolist(),
        "prepared": front.columns is not None,
        "about": {"data": known, "moselect": version("moselect")},
        "document": _document(front),
        "glossary": GLOSSARY,
        "settings": [] if selected is None else selected.settings,
        "terms": find_terms(shown, X),
        "arrays": {
            **{name: _packed(fronts, name, kind) for name, kind in FRONT_ARRAYS.items()},
            **{name: _packed(scores, name, kind) for name, kind in SCORE_ARRAYS.items()},
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


def _document(front: Front) -> str:
    """Return what the files of all models of a front have in common, as JSON."""
    document = model_document(front[0])
    own = ("thresholds", "coef", "about")
    return json.dumps({name: value for name, value in document.items() if name not in own})


def _packed(tables: Sequence[Any], name: str, kind: str) -> dict[str, str] | None:
    """Return an array of all tables, compressed, in base64: short, and exact to the last bit.

    None if the first does not know it; what the second does not know is NaN.
    """
    known = [getattr(table, name) for table in tables]
    if not known or known[0] is None:
        return None
    arrays = [
        np.full((len(table), *np.shape(known[0])[1:]), np.nan) if values is None else values
        for table, values in zip(tables, known, strict=True)
    ]
    numbers = np.concatenate([np.asarray(array) for array in arrays]).astype(f"<{kind}")
    packed = gzip.compress(numbers.tobytes(), compresslevel=6, mtime=0)
    return {"kind": kind, "packed": base64.b64encode(packed).decode()}
