"""Terms, coefficients and thresholds of a model, and its conversion to a graph."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from moselect._kernels import code_bits
from moselect._types import Array, Table
from moselect.graph.terms import Cells, columns_of
from moselect.operators.evaluate import proportional_odds
from moselect.operators.graph import Graph
from moselect.predictor.decisions import LeastCost
from moselect.predictor.model import Model
from moselect.predictor.scorers import WeightedSum
from moselect.preprocessing.cells import HOURS, as_frame, read_dates, read_numbers
from moselect.preprocessing.date_columns import EPOCH
from moselect.preprocessing.levels import read_levels
from moselect.preprocessing.terms import (
    DatePart,
    Level,
    Missing,
    Pair,
    Term,
    Time,
    Truth,
    leaves,
)

Label = bool | int | float | str


@dataclass(frozen=True)
class Formula:
    """Terms (p), coefficients (p), thresholds (m - 1) and answers (m) of a linear model.

    Answers are the classes, lowest first, with the label of the reject option between
    them where it is in use.
    """

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    thresholds: tuple[float, ...]
    classes: tuple[Label, ...]
    n_classes: int | None = None  # as many as there are labels

    @property
    def columns(self) -> tuple[str, ...]:
        """Distinct input columns of the terms, in order."""
        return tuple(
            dict.fromkeys(leaf.name for term in self.terms for leaf in leaves(term))
        )

    @property
    def exact_thresholds(self) -> tuple[float, ...]:
        """Smallest sums (m - 1) above the thresholds once their last bits are dropped."""
        bits = code_bits(self.n_classes or len(self.classes))
        return tuple(_cut(threshold, bits) for threshold in self.thresholds)


def formula_of(model: Model) -> Formula:
    """Convert a model to a formula, for `sql_of` and other formats.

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    Formula

    Raises
    ------
    ValueError
        If the model has no formula of its columns (an ensemble).

    Examples
    --------
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> classes = ["low", "mid", "high"]
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], classes, ["a", "b"])
    >>> formula_of(model).thresholds
    (0.5, 3.0)
    """
    if not isinstance(model.scorer, WeightedSum):
        raise ValueError(
            f"{model.scorer.name} has no formula, so it cannot be exported as SQL: select "
            "model=linear, or without free text export it as .onnx"
        )
    if model.row_costs is not None:
        raise ValueError(
            "decisions by the costs of each row have no thresholds to export"
        )
    thresholds, codes = model.decision.breakpoints  # type: ignore[union-attr]
    labels = model.answers[codes].tolist()
    if model.referral is not None:
        labels = list(map(str, labels))  # of one type, for SQL
    return Formula(
        terms=model.terms,
        weights=tuple(model.coef_.tolist()),
        thresholds=tuple(thresholds.tolist()),
        classes=tuple(labels),
        n_classes=len(model.classes_),
    )


def _cut(threshold: float, bits: int) -> float:
    """Return the smallest double that is above the threshold without its last bits."""
    mask = (1 << bits) - 1
    size = int(np.float64(abs(threshold)).view(np.int64))
    if threshold >= 0.0:
        return float(np.int64((size | mask) + 1).view(np.float64))
    return -float(np.int64((size - 1) | mask).view(np.float64))


def graph_of(model: Model) -> Graph:
    """Convert a model to a graph.

    The outputs are ``"label"`` (n, 1) as text; ``"score"`` (n, 1); ``"probabilities"``
    (n, r), where the model has some; and ``"columns"`` (n, p), the terms of a linear score.

    Parameters
    ----------
    model : Model
        The model.

    Raises
    ------
    ValueError
        If the model has text features or a classifier of another package.

    Examples
    --------
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([2.0], [1.0], ["low", "high"], ["rooms"])
    >>> sorted(graph_of(model).outputs)
    ['columns', 'label', 'score']
    """
    if model.row_costs is not None:
        raise ValueError("decisions by the costs of each row have no ONNX form")
    graph = Graph()
    X = columns_of(graph, model.terms)
    proba = None
    answers: Iterable[object] = model.answers
    if not isinstance(model.scorer, WeightedSum):
        assert isinstance(model.decision, LeastCost)
        proba = model.scorer.operators(X)
        r = len(model.classes_)
        costs = model.decision.costs
        score = proba @ np.arange(1.0, r + 1.0)[:, None]
        losses = -np.eye(r) if costs is None else costs
        code = (proba @ losses).apply("ArgMin", axis=1, keepdims=1)
    else:
        formula = formula_of(model)
        calibration = model.calibration
        score = X @ np.array(formula.weights)[:, None]
        code = score.count_below(formula.exact_thresholds, equal=True)
        answers = formula.classes
        if calibration is not None:
            proba = proportional_odds(score * calibration.slope, calibration.intercepts)
    label = graph.add("Gather", np.array(list(map(str, answers))), code)
    outputs = {"columns": X, "score": score, "probabilities": proba, "label": label}
    graph.outputs |= {name: result.name for name, result in outputs.items() if result}
    return graph


def inputs_of(model: Model, table: Table) -> dict[str, Array]:
    """Convert a table to the inputs of a graph.

    Cells that cannot be parsed (text in a numeric column) become infinite, and the row
    has no class.

    Examples
    --------
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([2.0], [1.0], ["low", "high"], ["rooms"])
    >>> inputs_of(model, pd.DataFrame({"rooms": ["5", "many"]}))
    {'rooms': array([[ 5.],
           [inf]])}
    """
    frame = as_frame(table)
    cells = cells_of(model)
    return {name: _input(leaf, frame[name])[:, None] for name, leaf in cells.items()}


def cells_of(model: Model) -> dict[str, Cells | Level]:
    """Map each input column, in the order of the graph, to its elementary term."""
    terms = dict[str, Cells | Level]()
    for term in model.terms:
        for leaf in _cells(term):
            terms.setdefault(leaf.name, leaf)
    return terms


def _cells(term: Term | Pair) -> list[Cells | Level]:
    """List the elementary terms, each of a single column, within a term."""
    if isinstance(term, Pair):
        return [Level(name, {}) for name in (term.first, term.second)]
    return [leaf.term if isinstance(leaf, Missing) else leaf for leaf in leaves(term)]


def _input(leaf: Cells | Level, column: pd.Series) -> Array:
    match leaf:
        case Level():
            codes, levels = read_levels(column)
            return np.array([*levels, ""], dtype=object)[codes]
        case DatePart():
            dates, bad = read_dates(column, leaf.date_format)
            values = ((dates - pd.Timestamp(EPOCH)) / pd.Timedelta(seconds=1)).to_numpy(
                np.float64
            )
        case Truth():
            values, bad = read_numbers(column, leaf.gaps, "boolean")
        case Time():
            hours = leaf.first_of_two == HOURS
            values, bad = read_numbers(column, leaf.gaps, "hours" if hours else "minutes")
        case _:
            values, bad = read_numbers(column, leaf.gaps)
    return np.where(bad, np.inf, values)
