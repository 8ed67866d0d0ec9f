"""Printed scorecard: points to add up, and the classes by ranges of the sum.

Points are shifted such that the minimum of each feature is 0, as in clinical scores. Their
sum is the score of the model: it starts with the points that every case has, if there are any.
"""

from collections import defaultdict
from copy import copy
from itertools import groupby, pairwise, product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from moselect._types import Floats
from moselect.predictor import Model, ModelCard
from moselect.predictor.contributions import with_baseline
from moselect.predictor.decisions import Thresholds
from moselect.preprocessing import Preparation
from moselect.preprocessing.condition_columns import Condition, ConditionColumns
from moselect.preprocessing.learning import ExcludedColumn
from moselect.preprocessing.level_columns import CategoricalColumn
from moselect.preprocessing.number_columns import MARK, Column
from moselect.preprocessing.terms import TableTerms

UNSEEN = "\N{UNIT SEPARATOR}"  # stands for any level not listed


class Line(NamedTuple):
    """A condition on a feature, and its points."""

    feature: str
    text: str
    points: int


def outputs_of(preparation: Preparation) -> dict[str, tuple[Column, int]]:
    """Map each numeric feature by name to its source column and its position among its features."""
    return {
        column.name + ending: (column, place)
        for column in preparation.columns_
        for place, ending in enumerate(column.endings)
    }


def is_scorecard(model: Model) -> bool:
    """Check whether a model is a scorecard: thresholds of a weighted sum of conditions."""
    return isinstance(model.columns.last, ConditionColumns) and isinstance(
        model.decision, Thresholds
    )


class CardCondition(NamedTuple):
    """Condition of a scorecard: source column, position among its features, and split point."""

    column: Column
    place: int
    above: float
    points: int
    term: int  # its number on the card


def conditions_by_column(model: Model) -> list[list[CardCondition]]:
    """Group the conditions of a scorecard by source column, in order."""
    preparation: Any
    columns: Any
    preparation, columns = model.columns.steps
    outputs = outputs_of(preparation)
    by_column = dict[str, list[CardCondition]]()
    for term, condition in enumerate(columns.conditions_):
        column, place = outputs[condition.feature]
        points = int(model.coef_[term])
        conditions = by_column.setdefault(column.name, [])
        conditions.append(CardCondition(column, place, condition.above, points, term))
    return list(by_column.values())


class CardPart(NamedTuple):
    """Lines of a source column, its terms, the minimum taken off its points, and their sums."""

    column: str
    terms: list[int]
    lines: list[Line]
    least: int
    sums: set[int]


def card_parts(model: Model) -> list[CardPart]:
    """List the points of each source column of a scorecard."""
    parts = []
    for conditions in conditions_by_column(model):
        column = conditions[0].column
        has_levels = isinstance(column, CategoricalColumn)
        lines_of = _of_levels if has_levels else _of_values
        terms = [condition.term for condition in conditions]
        parts.append(CardPart(column.name, terms, *lines_of(conditions)))
    return parts


def points_by_column(model: Model, values: Floats) -> pd.DataFrame:
    """Compute the points (n, columns) of each source column as on the card, and the start.

    ``values`` (n, p) are preprocessed rows. With ``baseline``, the start of every case, a row
    sums to its score.
    """
    parts = card_parts(model)
    points = {
        part.column: values[:, part.terms] @ model.coef_[part.terms] - part.least
        for part in parts
    }
    start = float(sum(part.least for part in parts))
    return with_baseline(pd.DataFrame(points, range(len(values))), start)


def without_unused(
    preparation: Preparation, conditions: list[Condition]
) -> tuple[Preparation, ConditionColumns]:
    """Restrict the preprocessing to the given conditions and their source columns."""
    outputs = outputs_of(preparation)
    used = {outputs[condition.feature][0].name for condition in conditions}
    kept = tuple(column for column in preparation.columns_ if column.name in used)
    needed = {source.name for column in kept for source in column.inputs}
    others = [name for name in preparation.used if name not in needed]
    excluded = (
        *preparation.excluded_,
        *(ExcludedColumn(name, "not on the card") for name in others),
    )
    less = copy(preparation)
    less._take(preparation.feature_names_in_.tolist(), kept, excluded)
    return less, ConditionColumns()._take(
        less.get_feature_names_out().tolist(), conditions
    )


class Span(NamedTuple):
    """Consecutive sums with the same class, or with the reject option."""

    answer: str
    first: int
    last: int

    @property
    def text(self) -> str:
        """The sums."""
        return " to ".join(map(str, dict.fromkeys((self.first, self.last))))


class Sheet(NamedTuple):
    """A printed scorecard.

    Every value of a feature has a line. ``answers`` are the classes, and the label of the
    reject option; ``score_ranges`` map ranges of the sum to answers; ``chances`` are the
    class probabilities in percent, a row for each sum that a case can have, below a heading.
    """

    title: str
    lines: list[Line]
    answers: list[str]
    score_ranges: list[Span]
    chances: list[list[str]]
    notes: list[str]

    @property
    def classes(self) -> list[tuple[str, str]]:
        """Each answer and its sums."""
        return [
            (
                name,
                ", ".join(s.text for s in self.score_ranges if s.answer == name)
                or "never",
            )
            for name in self.answers
        ]

    @property
    def boxes(self) -> list[tuple[str, str, str, str]]:
        """Feature, value, points and a box to tick, a row a line."""
        return [(line.feature, line.text, f"{line.points}", "[ ]") for line in self.lines]


def sheet_of(model: Model, card: ModelCard) -> Sheet:
    """Lay out a scorecard for printing, with notes from its model card."""
    parts = card_parts(model)
    least = sum(part.least for part in parts)
    sums = {least}
    for part in parts:
        sums = {total + points for total in sums for points in part.sums}
    scores = np.arange(least, max(sums) + 1.0)
    called = model.codes(scores, None, None)
    ends = [*np.flatnonzero(np.diff(called, prepend=-1)).tolist(), len(called)]
    answers = list(map(str, model.answers.tolist()))
    score_ranges = [
        Span(answers[called[start]], least + start, least + end - 1)
        for start, end in pairwise(ends)
    ]
    where = "" if card.data is None else f" of {card.data}"
    notes = [
        "A value at a boundary belongs to the line above it.",
        f"Fitted to {card.n_rows:,} rows{where}.",
        "Probabilities hold where classes are as common as there.",
        *card.headline,
    ]
    lines = [line for part in parts for line in part.lines]
    assert model.calibration is not None, "the card has probabilities"
    proba = model.calibration.probabilities(scores)
    chances = [["sum", *map(str, model.classes_.tolist())]]
    chances += [[f"{s}", *(f"{p:.0%}" for p in proba[s - least])] for s in sorted(sums)]
    if least:
        lines.insert(0, Line("start", "every case", least))
    return Sheet(card.predicts, lines, answers, score_ranges, chances, notes)


def _of_levels(conditions: list[CardCondition]) -> tuple[list[Line], int, set[int]]:
    """List the points of each level, and of unseen levels as any other."""
    column = conditions[0].column
    named = defaultdict[int, list[str]](list)
    assert isinstance(column, CategoricalColumn)
    levels = column.level_names
    *level_points, rest, missing = _points(conditions, [*levels, UNSEEN, None])
    for level, points in zip(levels, level_points, strict=True):
        named[points].append(level)
    texts = {
        f"= {', '.join(named[points])}": points
        for points in sorted(named)
        if points != rest
    }
    texts["any other"] = rest
    if column.n_missing != 0 and missing != rest:
        texts["missing"] = missing
    least = min(texts.values())
    lines = [Line(column.name, text, points - least) for text, points in texts.items()]
    return lines, least, {line.points for line in lines}


def _of_values(conditions: list[CardCondition]) -> tuple[list[Line], int, set[int]]:
    """List the points of intervals of numbers, parts of dates, and missing values."""
    column = conditions[0].column
    bands = list[list[Line]]()
    least = 0
    # Split points of a feature ascend.
    for place, of_feature in groupby(conditions, key=lambda each: each.place):
        if column.endings[place] == MARK:
            continue
        split_points, steps = zip(*((c.above, c.points) for c in of_feature), strict=True)
        totals = np.cumsum([0, *steps])
        points = (totals - totals.min()).tolist()
        part = "" if column.is_value(place) else column.endings[place]
        texts = column.bands(place, split_points)
        bands.append(
            [Line(column.name + part, *band) for band in zip(texts, points, strict=True)]
        )
        least += int(totals.min())
    if not bands:  # all conditions are about missing values
        bands.append([Line(column.name, "any value", 0)])
    missing = []
    if column.n_missing != 0:
        points = _points(conditions, [None])[0] - least
        if points < 0:  # shift all values, so that no points are negative
            bands[0] = [line._replace(points=line.points - points) for line in bands[0]]
            least = least + points
            points = 0
        missing.append(Line(column.name, "missing", points))
    # A case has a line of each band, or is missing.
    sums = {line.points for line in missing}
    sums |= {sum(line.points for line in lines) for lines in product(*bands)}
    return [line for band in [*bands, missing] for line in band], least, sums


def _points(conditions: list[CardCondition], cells: list[object]) -> list[int]:
    """Compute the points of cells of the source column of conditions."""
    column = conditions[0].column
    frame = pd.DataFrame({source.name: cells for source in column.inputs}, dtype=object)
    values = column.evaluate(TableTerms(frame))
    met = [each.points * (values[:, each.place] > each.above) for each in conditions]
    return np.sum(met, axis=0).astype(int).tolist()
