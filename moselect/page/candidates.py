"""Data of the candidates and baselines in the page, with out-of-fold predictions."""

import base64
import gzip
import json
from collections.abc import Mapping

import msgspec
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Document, Floats, Integers
from moselect.learning import Fitted
from moselect.metrics.costs import Costs
from moselect.metrics.probability import expected_class
from moselect.page.case import case_of
from moselect.predictor import Model
from moselect.predictor.conversion import model_document
from moselect.predictor.score_calibration import CERTAIN, GRID, outer_scores
from moselect.preprocessing.cells import as_frame
from moselect.samples.features import steps_of
from moselect.samples.samples import Samples
from moselect.selection.candidates import MAX_ROWS_FOLD_MODELS
from moselect.selection.choice import BASELINES, CANDIDATES, TRIVIAL
from moselect.selection.explanation import (
    accumulated_effects,
    as_in,
    drawn_weights,
    grid_of,
    importance_of,
)
from moselect.selection.objective_figures import objective_figures
from moselect.selection.profiles import Profile, profiles_of, used_profiles
from moselect.selection.selector import Decision
from moselect.selection.standard_errors import overlap_errors

OWN = ("thresholds", "about")  # keys of a model file that the page adds


def known_candidates(
    decision: Decision, rows: Integers, about: Mapping[str, object], costs: Costs
) -> list[Document]:
    """Collect the candidates, simplest first, and then the baselines, for `as_json`.

    The linear rule minimises the initial ``costs``.

    ``rows`` selects the samples whose out-of-fold class probabilities the page holds.
    ``document`` is the model file without thresholds, which follow from the costs, and
    None for an ensemble; ``profiles`` describes its columns; ``case`` has the data for
    scoring a single row.
    """
    profiles = profiles_of(decision.samples)
    criteria = decision.criteria_of(costs).of_classes
    fits = {name: decision.fits(name, criteria) for name in (*CANDIDATES, *BASELINES)}
    return [
        {
            "name": name,
            "baseline": name in BASELINES,
            "terms": fit.terms,
            "proba": packed_array(np.asarray(fit.cv.proba)[rows], "f4"),
            "measures": {} if name == TRIVIAL else _measures(fit, decision),
            **_as_sum(fit, decision.samples, about, profiles),
            "moves": [] if name == TRIVIAL else _moves(fit, decision.samples),
            "case": _case(fit, decision.samples),
        }
        for name, fit in fits.items()
    ]


def as_json(values: object) -> bytes:
    """Encode values as JSON, with arrays and tables as lists and NaN as null."""
    return msgspec.json.encode(values, enc_hook=lambda other: np.asarray(other).tolist())


def packed_array(values: ArrayLike, dtype: str) -> dict[str, str]:
    """Compress an array and encode it in base64."""
    return _packed(np.asarray(values).astype(f"<{dtype}").tobytes(), dtype)


def _packed(content: bytes, dtype: str) -> dict[str, str]:
    packed = base64.b64encode(gzip.compress(content, mtime=0))
    return {"dtype": dtype, "packed": packed.decode()}


def _measures(fit: Fitted, decision: Decision) -> dict[str, Floats]:
    """Estimate each objective by cross-validation, with its standard error."""
    splits = decision.splits
    objectives = decision.objectives
    values, errors = objective_figures(objectives, splits.cv, fit.cv, splits.folds)
    if "train" in fit.predictions:
        in_training, _ = objective_figures(
            objectives, splits.train, fit.predictions["train"]
        )
        errors = overlap_errors(errors, in_training - values, fit.terms)
    return {
        objective.name: row
        for objective, row in zip(
            objectives, np.column_stack([values, errors]), strict=True
        )
        if not np.isnan(row).any()
    }


def _as_sum(
    fit: Fitted, samples: Samples, about: Mapping[str, object], profiles: list[Profile]
) -> Document:
    """Describe a linear score: document, terms, and class probabilities along the score."""
    rule = fit.model
    if rule is None or rule.calibration is None or rule.holds_models:
        return {"document": None, "score": None, "parts": []}
    model = rule.replace(classes_=samples.classes)
    document = model_document(model, about)
    # Thresholds for any costs lie within these scores, or beyond all of them.
    scores = model.decision_function(samples.X)
    return {
        "document": json.dumps(
            msgspec.to_builtins({k: document[k] for k in document if k not in OWN})
        ),
        "profiles": used_profiles(model, profiles),
        "score": {
            "slope": rule.calibration.slope,
            "cuts": rule.calibration.intercepts,
            "ends": outer_scores(scores),
            "certain": CERTAIN,
            "points": GRID,
        },
        "parts": _parts(model, samples),
    }


def _case(fit: Fitted, samples: Samples) -> dict[str, str] | None:
    """Pack the data for scoring a single row; None if the page cannot hold them."""
    if fit.model is None:
        return None
    model = fit.model.replace(classes_=samples.classes)
    try:
        case = _packed(as_json(case_of(model, samples)), "json")
    except ValueError:  # words of text, or scores of other models, have no graph
        return None
    # most characters of a model embedded for scoring rows
    largest = 1_600_000
    return case if len(case["packed"]) <= largest else None


def _parts(model: Model, samples: Samples) -> list[Document]:
    """Compute the share of each term in the spread of the score, in descending order.

    Linear terms have a coefficient; terms of an additive model have None.
    """
    added = model.parts(model.columns_of(samples.X))
    spread = added.std(ddof=0).sort_values(ascending=False, kind="stable")
    shares = spread / (float(spread.sum()) or 1.0)
    # The columns of a spline have no coefficient of the feature.
    curved = any(hasattr(step, "get_term_names") for step in steps_of(model.columns))
    weights = {} if curved else dict(zip(added, model.coef_, strict=True))
    return [
        {"name": str(name), "share": share, "weight": weights.get(name)}
        for name, share in shares.items()
        if share > 0.0
    ]


def _moves(fit: Fitted, samples: Samples) -> list[Document]:
    """Compute the effect of each column on the expected rank, in descending order of spread.

    Accumulated local effects on the training samples; ``ends`` are the outer levels. A
    column of text or of many levels has no curve, ``at`` is None and ``ends`` the reason.
    Its spread is the spread of the change if the column is permuted.
    """
    if fit.model is None:
        return []
    table = as_frame(samples.X)
    weights = drawn_weights(samples, np.arange(len(samples)))
    drawn = np.flatnonzero(weights > 0.0)

    def ranks(rows: pd.DataFrame) -> Floats:
        cells = rows if hasattr(samples.X, "columns") else rows.to_numpy()
        return expected_class(fit.model.predict_proba(cells))[:, None]

    rank = ranks(table)[:, 0]
    found: list[tuple[float, Document]] = []
    for name in map(str, table):
        grid = grid_of(table[name], samples.content_of(name), rank)
        effect: Document = {"name": name, "at": None, "adds": []}
        n_values = table[name].nunique()
        if grid is not None:
            adds = accumulated_effects(ranks, table, name, grid, weights)[:, 0]
            spread = float(adds[grid.lower[grid.lower >= 0]].std())
            ends = None if grid.labels is None else [grid.labels[0], grid.labels[-1]]
            effect |= {"at": grid.places, "adds": adds.round(6), "ends": ends}
        elif n_values > 1:
            rows = table.iloc[drawn]
            cells = np.random.default_rng(0).permutation(rows[name].to_numpy())
            permuted = rows.assign(**{name: as_in(rows[name], cells)})
            # Two independent values differ by sqrt(2) of their spread.
            spread = float((ranks(permuted)[:, 0] - rank[drawn]).std()) / np.sqrt(2.0)
            effect["ends"] = f"{n_values:,} values"
        else:
            continue
        if spread > 0.0:  # others are no columns of the model
            found.append((spread, effect))
    return [effect for _, effect in sorted(found, key=lambda pair: -pair[0])]


def importance(
    decision: Decision, costs: Costs, limits: Mapping[str, float], selected: str | None
) -> Document | None:
    """Compute cross-validated permutation importance of the ``selected`` candidate.

    By default the one selected for the costs and limits. None for larger tables than
    those whose fold models are kept: the candidate would be fitted again in each fold.
    """
    if len(decision.samples) > MAX_ROWS_FOLD_MODELS:
        return None
    if selected is None:
        selected = decision.select(costs, None, limits).evidence.selected
    if selected not in CANDIDATES:
        return None
    criteria = decision.criteria_of(costs).of_classes
    fold_models = decision.fits.fold_models(selected, criteria)
    samples, folds = decision.samples, decision.folds
    losses = importance_of(fold_models, samples, folds, criteria.in_use)
    loss = dict(zip(losses.index, losses.to_numpy(), strict=True))
    return {"candidate": selected, "loss": loss}
