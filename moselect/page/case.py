"""Data for scoring a single row in the page: the model as a graph, and its input columns."""

import numpy as np
import pandas as pd

from moselect._types import Array, Document
from moselect.export.graph import cells_of, graph_of
from moselect.operators.graph import Graph
from moselect.predictor import Model
from moselect.preprocessing.cells import as_frame, read_dates, read_numbers
from moselect.preprocessing.levels import read_levels
from moselect.preprocessing.terms import DatePart, Level, Numeric, Time, Truth, leaves
from moselect.samples.samples import Samples
from moselect.scorecard.sheet import is_scorecard


def case_of(model: Model, samples: Samples) -> Document:
    """Build the graph of a model and its input columns with their default values.

    The default of a column is its median or most frequent level. For a scorecard,
    ``points`` lists the points of each condition with its column.
    """
    table = as_frame(samples.X)
    if samples.feature_names is not None:
        table = table.set_axis(samples.feature_names, axis="columns")
    graph = graph_of(model)
    cells = cells_of(model)
    points = None
    if is_scorecard(model):
        names = [leaves(term)[0].name for term in model.terms]
        points = list(zip(model.coef_, names, strict=True))
    columns = {name: _column(cells[name], table[name]) for name in graph.inputs}
    return {"graph": _plain(graph), "columns": columns, "points": points}


def _column(leaf: Numeric | Level, cells: pd.Series) -> Document:
    """Describe an input column: default value, admissible values, and parsing."""
    gaps = isinstance(leaf, Level) or leaf.fill is not None
    known = {"read": type(leaf).__name__, "gaps": gaps}
    match leaf:
        case Truth() | Level():
            codes, levels = read_levels(cells)
            # most frequent levels offered for a column
            most_levels = 200
            order = np.argsort(-np.bincount(codes[codes >= 0]), kind="stable")[
                :most_levels
            ]
            return known | {
                "start": levels[order[0]],
                "levels": [levels[k] for k in order],
            }
        case Time():
            start = cells.dropna().astype(str).mode().iloc[0]
            return known | {"start": start, "text": True, "first": leaf.first_of_two}
        case DatePart():
            dates = read_dates(cells, leaf.date_format)[0].dropna().sort_values()
            middle = pd.Timestamp(dates.iloc[len(dates) // 2]).isoformat()
            timed = (dates != dates.dt.normalize()).any()
            return known | {"start": middle[: 16 if timed else 10], "date": True}
    values, bad = read_numbers(cells)
    # quantiles of a numeric column, the median in the middle
    n_points = 25
    shares = np.linspace(0.0, 1.0, n_points)
    places = [
        float(f"{x:.6g}") for x in np.nanquantile(values[~bad], shares, method="nearest")
    ]
    return known | {"start": places[n_points // 2], "range": places}


def _plain(graph: Graph) -> Document:
    """Convert a graph to plain values for JSON."""
    return {
        "inputs": list(graph.inputs),
        "outputs": graph.outputs,
        "constants": {name: _values(array) for name, array in graph.constants.items()},
        "nodes": graph.nodes,
    }


def _values(array: Array) -> tuple[list[int], list[object], bool]:
    """Convert an array to shape, values and a flag for text; JSON lacks NaN and infinities."""
    text = array.dtype.kind in "OU"
    flat = array.ravel().tolist()
    if not text:
        names = {np.inf: "Infinity", -np.inf: "-Infinity"}
        flat = ["NaN" if value != value else names.get(value, value) for value in flat]
    return list(array.shape), flat, text
