"""The kinds of model between which the page chooses: what they say of rows as new data."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Integers
from moselect.columns.steps import columns_document, models_in
from moselect.decision.decided import rule_figures
from moselect.decision.decision import Decision
from moselect.decision.goal import Goal
from moselect.decision.kind_fits import KindFit
from moselect.decision.kinds import GRID, KINDS, MARGIN, RIVALS, TRIVIAL
from moselect.models import OrdinalLinearClassifier, contributions
from moselect.models.document import model_document
from moselect.samples import Samples

N_POINTS = 25  # along a curve
OWN = ("thresholds", "about")  # of a model's document, which the page adds


def known_kinds(
    decision: Decision, rows: Integers, about: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the kinds of model, simplest first, and then their rivals, as plain values.

    ``rows`` are those whose class probabilities the page holds; each row's come from models that
    were fitted without its fold. ``document`` is all of the model's file but thresholds, which
    follow from costs, None for a pool.
    """
    ranks = np.arange(decision.samples.n_classes)
    goal = Goal(np.abs(np.subtract.outer(ranks, ranks)).astype(np.float64))
    fits = {name: decision.fits(name, goal) for name in (*KINDS, *RIVALS)}
    return [
        {
            "name": name,
            "rival": name in RIVALS,
            "terms": None if np.isnan(fit.terms) else fit.terms,
            "proba": packed(np.asarray(fit.new_data.proba)[rows], "f4"),
            "measures": {} if name == TRIVIAL else _measures(fit, decision),
            **_as_sum(fit, decision.samples, about),
        }
        for name, fit in fits.items()
    ]


def packed(values: ArrayLike, kind: str) -> dict[str, str]:
    """Return an array, compressed, in base64."""
    content = gzip.compress(np.asarray(values).astype(f"<{kind}").tobytes(), mtime=0)
    return {"kind": kind, "packed": base64.b64encode(content).decode()}


def _measures(fit: KindFit, decision: Decision) -> dict[str, list[float]]:
    """Return each objective on new data with its standard error."""
    found = rule_figures(decision.objectives, decision.samples, fit.new_data, decision.folds.index)
    both = np.column_stack([found.values, found.standard_errors])
    return {
        objective.name: row
        for objective, row in zip(decision.objectives, both.tolist(), strict=True)
        if not np.isnan(row).any()
    }


def _as_sum(fit: KindFit, samples: Samples, about: Mapping[str, Any]) -> dict[str, Any]:
    """Return the score of a model: its document, terms, and probabilities along it."""
    rule = fit.rule
    if rule is None or fit.calibration is None or models_in(rule.columns) is not None:
        return {"document": None, "score": None, "parts": []}
    model = OrdinalLinearClassifier(
        rule.coef_, rule.thresholds_, samples.classes, rule.feature_names, rule.columns
    )
    document = model_document(model, about, columns=columns_document(model.columns))
    scores = model.decision_function(samples.X)
    margin = MARGIN * float(scores.std() or 1.0)
    return {
        "document": json.dumps({name: document[name] for name in document if name not in OWN}),
        "score": {
            "slope": fit.calibration.slope,
            "cuts": fit.calibration.cuts,
            "range": [float(scores.min()) - margin, float(scores.max()) + margin],
            "points": GRID,
        },
        "parts": _parts(model, samples),
    }


def _parts(model: OrdinalLinearClassifier, samples: Samples) -> list[dict[str, Any]]:
    """Return the terms of the score with their shares of it, greatest first.

    A weight has its sign, and a curve what it adds ``at`` values of its feature.
    """
    added = contributions(model, samples.X)
    spread = added.std(ddof=0)
    total = float(spread.sum()) or 1.0
    last: Any = None if model.columns is None else model.columns[-1]
    curves = hasattr(last, "get_term_names")
    features = {}
    if curves:
        before = model.columns[:-1]
        table = np.asarray(before.transform(samples.X) if len(before) else samples.X, dtype=float)
        features = dict(zip(last.get_term_names(), table.T, strict=False))
    weights = dict(zip(added, model.coef_.tolist(), strict=False))
    parts = []
    for name in spread.sort_values(ascending=False, kind="stable").index:
        part: dict[str, Any] = {"name": str(name), "share": float(spread[name]) / total}
        if name in features:
            values, first = np.unique(features[name], return_index=True)
            shown = np.linspace(0, len(values) - 1, N_POINTS).round().astype(int)
            part["at"] = values[shown].tolist()
            part["adds"] = added[name].to_numpy()[first[shown]].tolist()
        elif not curves:
            part["weight"] = weights[name]
        parts.append(part)
    return parts
