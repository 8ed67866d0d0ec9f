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
from moselect.decision.decision import Decision
from moselect.decision.goal import Goal
from moselect.decision.kind_fits import KindFit
from moselect.decision.kinds import CERTAIN, GRID, KINDS, RIVALS, TRIVIAL, outer_scores
from moselect.decision.rule_figures import rule_figures
from moselect.models import OrdinalLinearClassifier, contributions
from moselect.models.document import model_document
from moselect.report.case import case_of
from moselect.samples import Samples

OWN = ("thresholds", "about")  # of a model's document, which the page adds


def known_kinds(
    decision: Decision, rows: Integers, about: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the kinds of model, simplest first, and then their rivals, as plain values.

    ``rows`` are those whose class probabilities the page holds; each row's come from models that
    were fitted without its fold. ``document`` is all of the model's file but thresholds, which
    follow from costs, None for a pool, ``case`` what scores a row that is typed in.
    """
    ranks = np.arange(decision.samples.n_classes)
    goal = Goal(np.abs(np.subtract.outer(ranks, ranks)).astype(np.float64))
    fits = {name: decision.fits(name, goal) for name in (*KINDS, *RIVALS)}
    return [
        {
            "name": name,
            "rival": name in RIVALS,
            "terms": None if np.isnan(fit.terms) else fit.terms,
            "proba": packed_array(np.asarray(fit.new_data.proba)[rows], "f4"),
            "measures": {} if name == TRIVIAL else _measures(fit, decision),
            **_as_sum(fit, decision.samples, about),
        }
        for name, fit in fits.items()
    ]


def packed_array(values: ArrayLike, kind: str) -> dict[str, str]:
    """Return an array, compressed, in base64."""
    return _packed(np.asarray(values).astype(f"<{kind}").tobytes(), kind)


def _packed(content: bytes, kind: str) -> dict[str, str]:
    return {"kind": kind, "packed": base64.b64encode(gzip.compress(content, mtime=0)).decode()}


def _measures(fit: KindFit, decision: Decision) -> dict[str, list[float]]:
    """Return each objective on new data with its standard error."""
    folds = decision.fold_of_tested
    found = rule_figures(decision.objectives, decision.tested, fit.new_data, folds)
    both = np.column_stack(found)
    return {
        objective.name: row
        for objective, row in zip(decision.objectives, both.tolist(), strict=True)
        if not np.isnan(row).any()
    }


def _as_sum(fit: KindFit, samples: Samples, about: Mapping[str, Any]) -> dict[str, Any]:
    """Return the score of a model: its document, terms, and probabilities along it."""
    rule = fit.rule
    if rule is None or rule.calibration is None or models_in(rule.columns) is not None:
        return {"document": None, "score": None, "parts": [], "case": None}
    model = OrdinalLinearClassifier(
        rule.coef_, rule.thresholds_, samples.classes, rule.feature_names, rule.columns
    )
    document = model_document(model, about, columns=columns_document(model.columns))
    scores = model.decision_function(samples.X)
    return {
        "document": json.dumps({name: document[name] for name in document if name not in OWN}),
        "score": {
            "slope": rule.calibration.slope,
            "cuts": rule.calibration.cuts,
            "ends": outer_scores(scores).tolist(),
            "certain": CERTAIN,
            "points": GRID,
        },
        "parts": _parts(model, samples),
        "case": _packed(json.dumps(case_of(model, samples)).encode(), "json"),
    }


def _parts(model: OrdinalLinearClassifier, samples: Samples) -> list[dict[str, Any]]:
    """Return the terms of the score with their shares of it, greatest first.

    A weight has its sign; a curve has none.
    """
    added = contributions(model, samples.X)
    spread = added.std(ddof=0).sort_values(ascending=False, kind="stable")
    shares = spread / (float(spread.sum()) or 1.0)
    curves = model.columns is not None and hasattr(model.columns[-1], "get_term_names")
    weights = {} if curves else dict(zip(added, model.coef_.tolist(), strict=True))
    return [
        {"name": str(name), "share": share, "weight": weights.get(name)}
        for name, share in shares.items()
        if share > 0.0
    ]
