"""Data of the candidates and baselines in the page, with out-of-fold predictions."""

import base64
import gzip
import json
from collections.abc import Mapping

import msgspec
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Array, Document, Integers
from moselect.budgets import PAGE
from moselect.candidates.cross_validation import CV, Fitted
from moselect.costs.costs import Costs
from moselect.evaluation.decision import ERROR, decide
from moselect.export.graph import cells_of, graph_of
from moselect.inspection.explanation import effects_by_model, in_usual_spelling
from moselect.models.scorecard.sheet import card_parts, is_scorecard
from moselect.monitoring.profiles import profiles_of
from moselect.operators.graph import Graph
from moselect.predictor import Model
from moselect.predictor.conversion import model_document
from moselect.predictor.reference import Profile
from moselect.predictor.score_calibration import CERTAIN, GRID, outer_scores
from moselect.preprocessing.spline_columns import SplineColumns
from moselect.preprocessing.terms import DatePart, Level, Number, Numeric, leaves
from moselect.samples.samples import Samples
from moselect.selection.selector import Selector
from moselect.tables.cells import read_dates, read_numbers
from moselect.tables.levels import read_levels

OWN = ("thresholds", "about")  # keys of a model file that the page adds


def known_candidates(
    selector: Selector, rows: Integers, about: Mapping[str, object], costs: Costs
) -> list[Document]:
    """Collect the candidates, simplest first, and then the baselines, for `as_json`.

    The linear rule minimises the initial ``costs``. ``rows`` selects the samples whose
    out-of-fold class probabilities the page holds.
    ``document`` is the model file without thresholds, which follow from the costs, and
    None for an ensemble; ``profiles`` describes its columns; ``case`` has the data for
    scoring a single row.
    """
    profiles = profiles_of(selector.samples, None)
    criteria = selector.criteria_of(costs)
    known = selector.fits.candidates
    baselines = [name for name, each in known.items() if each.is_baseline]
    names = (*selector.own_candidates, *baselines)
    fits = {name: selector.fits(name, criteria.of_classes) for name in names}
    candidates = []
    for name, fit in fits.items():
        measures = pd.DataFrame()
        if not fit.is_constant:
            evaluation = decide(fit, criteria, selector.splits)
            measures = evaluation.measures(selector.objectives)
            measures = measures.loc[[CV, ERROR]].dropna(axis="columns")
        candidate = {
            "name": name,
            "baseline": known[name].is_baseline,
            "terms": fit.terms,
            "proba": packed_array(np.asarray(fit.cv.proba)[rows], "f4"),
            "measures": measures.to_dict("list"),
            **_as_sum(fit, selector.samples, about, profiles),
            "moves": _moves(fit, selector.samples),
            "case": _case(fit, selector.samples),
        }
        candidates.append(candidate)
    return candidates


def as_json(values: object) -> bytes:
    """Encode values as JSON, with arrays and tables as lists and NaN as null."""
    return msgspec.json.encode(values, enc_hook=lambda other: np.asarray(other).tolist())


def packed_array(values: ArrayLike, dtype: str) -> dict[str, str]:
    """Compress an array and encode it in base64."""
    return _packed(np.asarray(values).astype(f"<{dtype}").tobytes(), dtype)


def _packed(content: bytes, dtype: str) -> dict[str, str]:
    packed = base64.b64encode(gzip.compress(content, mtime=0))
    return {"dtype": dtype, "packed": packed.decode()}


def _as_sum(
    fit: Fitted, samples: Samples, about: Mapping[str, object], profiles: list[Profile]
) -> Document:
    """Describe a linear score: document, terms, and class probabilities along the score."""
    rule = fit.model
    if rule is None or rule.calibration is None or rule.holds_models:
        return {"document": None, "score": None, "parts": []}
    model = rule.replace(classes_=samples.classes)
    used = model.columns.first.used
    document = model_document(model, about)
    # Thresholds for any costs lie within these scores, or beyond all of them.
    scores = model.decision_function(samples.X)
    return {
        "document": json.dumps(
            msgspec.to_builtins({k: document[k] for k in document if k not in OWN})
        ),
        "profiles": [each for each in profiles if used is None or each.name in used],
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
    return case if len(case["packed"]) <= PAGE.model_characters else None


def _parts(model: Model, samples: Samples) -> list[Document]:
    """Compute the share of each term in the spread of the score, in descending order.

    Linear terms have a coefficient; terms of an additive model have None.
    """
    added = model.parts(model.columns_of(samples.X))
    spread = added.std(ddof=0).sort_values(ascending=False, kind="stable")
    shares = spread / (float(spread.sum()) or 1.0)
    # The columns of a spline have no coefficient of the feature.
    has_splines = isinstance(model.columns.last, SplineColumns)
    weights = {} if has_splines else dict(zip(added, model.coef_, strict=True))
    return [
        {"name": str(name), "share": share, "weight": weights.get(name)}
        for name, share in shares.items()
        if share > 0.0
    ]


def _moves(fit: Fitted, samples: Samples) -> list[Document]:
    """Compute the effect of each column on the expected rank, in descending order of spread.

    Accumulated local effects on the training samples; ``ends`` are the outer levels.
    Columns of text or of many levels have no curve.
    """
    if fit.model is None:
        return []
    training_rows = [np.arange(len(samples))]
    moves = []
    for name, grid, (adds,) in effects_by_model([fit.model], samples, training_rows):
        spread = float(adds[grid.lower[grid.lower >= 0]].std())
        ends = None if grid.labels is None else [grid.labels[0], grid.labels[-1]]
        effect = {"name": name, "at": grid.places, "adds": adds.round(6), "ends": ends}
        moves.append((spread, effect))
    # Columns without a spread are no columns of the model.
    moves.sort(key=lambda pair: -pair[0])
    return [effect for spread, effect in moves if spread > 0.0]


def case_of(model: Model, samples: Samples) -> Document:
    """Build the graph of a model and its input columns with their default values.

    The default of a column is its median or most frequent level. The ``points`` of a
    scorecard are the points of each condition with its column, the least points of each
    column, which the card subtracts, and the least and greatest sum.
    """
    table = in_usual_spelling(samples)
    if samples.feature_names is not None:
        table = table.set_axis(samples.feature_names, axis="columns")
    graph = graph_of(model)
    cells = cells_of(model)
    points = None
    if is_scorecard(model):
        names = [leaves(term)[0].name for term in model.terms]
        parts = card_parts(model)
        least = sum(part.least for part in parts)
        points = {
            "of": list(zip(model.coef_, names, strict=True)),
            "less": [(names[part.terms[0]], part.least) for part in parts],
            "ends": [least, least + sum(max(part.sums) for part in parts)],
        }
    columns = {name: _column(cells[name], table[name]) for name in graph.inputs}
    return {"graph": _plain(graph), "columns": columns, "points": points}


def _column(leaf: Numeric | Level, cells: pd.Series) -> Document:
    """Describe an input column: default value, admissible values, and parsing."""
    gaps = isinstance(leaf, Level) or leaf.fill is not None
    known = {"read": leaf.content_type, "gaps": gaps}
    match leaf:
        case Level() | Number(content_type="boolean"):
            codes, levels = read_levels(cells)
            counts = np.bincount(codes[codes >= 0])
            order = np.argsort(-counts, kind="stable")[: PAGE.levels]
            shown = [levels[k] for k in order]
            return known | {"start": shown[0], "levels": shown}
        case Number(content_type="hours" | "minutes"):
            start = cells.dropna().astype(str).mode().iloc[0]
            return known | {"start": start, "text": True}
        case DatePart():
            dates = read_dates(cells, leaf.date_format)[0].dropna().sort_values()
            middle = pd.Timestamp(dates.iloc[len(dates) // 2]).isoformat()
            timed = (dates != dates.dt.normalize()).any()
            return known | {"start": middle[: 16 if timed else 10], "date": True}
    values, bad = read_numbers(cells)
    shares = np.linspace(0.0, 1.0, PAGE.quantiles)
    places = [
        float(f"{x:.6g}") for x in np.nanquantile(values[~bad], shares, method="nearest")
    ]
    return known | {"start": places[PAGE.quantiles // 2], "range": places}


def _plain(graph: Graph) -> Document:
    """Convert a graph to plain values for JSON."""
    return {
        "inputs": list(graph.inputs),
        "outputs": graph.outputs,
        "constants": {name: _values(array) for name, array in graph.constants.items()},
        "nodes": msgspec.to_builtins(graph.nodes),
    }


def _values(array: Array) -> tuple[list[int], list[object], bool]:
    """Convert an array to shape, values and a flag for text; JSON lacks NaN and infinities."""
    text = array.dtype.kind in "OU"
    flat = array.ravel().tolist()
    if not text:
        names = {np.inf: "Infinity", -np.inf: "-Infinity"}
        flat = ["NaN" if value != value else names.get(value, value) for value in flat]
    return list(array.shape), flat, text
