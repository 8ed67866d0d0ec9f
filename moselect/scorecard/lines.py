"""What stands on an index card: conditions and their points, classes, and probabilities."""

from __future__ import annotations

from copy import copy
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from moselect.columns import Preparation
from moselect.columns.condition_columns import Condition, ConditionColumns
from moselect.columns.learning import LeftOut, PreparedColumn
from moselect.columns.level_columns import LevelColumns
from moselect.columns.number_columns import FIRST_OF_TWO, DateColumns, NumberColumn
from moselect.columns.steps import steps_of
from moselect.models import ModelCard, OrdinalLinearClassifier

MOST_SUMS = 12  # rows of probabilities


class Line(NamedTuple):
    """What a feature must be, and the points for it."""

    feature: str
    text: str
    points: int


class Source(NamedTuple):
    """Where a prepared column comes from: a column of the table, and which of its outputs."""

    column: PreparedColumn
    output: int

    @property
    def is_value(self) -> bool:
        """Whether it is the number or date itself, and no mark of gaps, levels or months."""
        return self.output == 0 and (isinstance(self.column, NumberColumn) or self.is_days)

    @property
    def is_days(self) -> bool:
        """Whether it is the days since a first date."""
        column, k = self.column, self.output
        return isinstance(column, DateColumns) and column.parts[k : k + 1] == ("days",)

    def written(self, cut: float) -> str:
        """Return a cut as a number, date or time."""
        if isinstance(self.column, DateColumns) and self.is_days:
            date = pd.Timestamp(self.column.origin) + pd.Timedelta(days=cut)
            return date.isoformat(" ", "minutes").removesuffix(" 00:00")
        if isinstance(self.column, NumberColumn) and self.column.written in FIRST_OF_TWO:
            minutes, seconds = divmod(cut, 60.0)
            return f"{minutes // 60:.0f}:{minutes % 60:02.0f}:{seconds:02.15g}"
        return f"{cut:.15g}"

    def above(self, cut: float) -> str:
        """Return in words that it is above a cut."""
        column, name = self.column, self.column.output_names[self.output]
        part = name.removeprefix(column.name).strip()
        if part == "missing":
            return part
        if isinstance(column, LevelColumns):
            return f"= {part.removeprefix('=')}"
        if isinstance(column, NumberColumn) and column.written == "boolean":
            return "= true"
        return f"{part} > {self.written(cut)}".removeprefix("days ").strip()


def sources(preparation: Preparation) -> dict[str, Source]:
    """Return where each prepared column comes from, by its name."""
    return {
        name: Source(column, k)
        for column in preparation.columns_
        for k, name in enumerate(column.output_names)
    }


def is_scorecard(model: Any) -> bool:
    """Return whether a linear model is a card: it weighs conditions."""
    steps = steps_of(getattr(model, "columns", None))
    return bool(steps) and isinstance(steps[-1], ConditionColumns)


def card_lines(model: OrdinalLinearClassifier, *, bands: bool = False) -> list[Line]:
    """Return the lines of a card, by feature.

    With ``bands``, several cuts of one number are the bands between them, each with all its points,
    and a missing cell has the points of what fills it.
    """
    preparation, conditions = steps_of(model.columns)
    of, lines = sources(preparation), list[Line]()
    pairs = list(zip(conditions.conditions_, model.coef_.astype(int).tolist(), strict=True))
    for feature, group in groupby(pairs, key=lambda pair: pair[0].feature):
        source, members = of[feature], list(group)
        totals = [points for _, points in members]
        texts = [source.above(one.above) for one, _ in members]
        if bands and len(members) > 1:
            cuts = [source.written(one.above) for one, _ in members]
            between = [f"{low} to {high}" for low, high in pairwise(cuts)]
            texts = [f"up to {cuts[0]}", *between, f"above {cuts[-1]}"]
            totals = np.cumsum([0, *totals]).tolist()
        lines += [Line(source.column.name, *line) for line in zip(texts, totals, strict=True)]
    return _with_gaps(lines, pairs, of) if bands else lines


def _with_gaps(
    lines: list[Line], pairs: list[tuple[Condition, int]], of: dict[str, Source]
) -> list[Line]:
    """Return lines with one for the missing cells of each column that had some, if it has points.

    It stands for the mark of gaps and for the conditions that the filling meets.
    """
    columns = {of[one.feature].column.name: of[one.feature].column for one, _ in pairs}
    lines = [line for line in lines if line.text != "missing"]
    for name, column in columns.items():
        gaps = pd.DataFrame({one.name: [None] for one in column.inputs}, dtype=object)
        filled = column.read(gaps).values[0]
        points = sum(
            points
            for one, points in pairs
            if of[one.feature].column is column and filled[of[one.feature].output] > one.above
        )
        if points and column.n_missing != 0:
            lines.append(Line(name, "missing", points))
    return sorted(lines, key=lambda line: list(columns).index(line.feature))


def without_unused(
    preparation: Preparation, conditions: list[Condition]
) -> tuple[Preparation, ConditionColumns]:
    """Return what makes these conditions from the columns of the table that they are about."""
    used = {sources(preparation)[one.feature].column.name for one in conditions}
    kept = tuple(column for column in preparation.columns_ if column.name in used)
    needed = {one.name for column in kept for one in column.inputs}
    others = [one.name for one in preparation.inputs if one.name not in needed]
    left_out = (*preparation.left_out_, *(LeftOut(name, "not on the card") for name in others))
    less = copy(preparation)
    less._take(preparation.feature_names_in_.tolist(), kept, left_out)
    return less, ConditionColumns()._take(less.get_feature_names_out().tolist(), conditions)


class Content(NamedTuple):
    """A card as text: its lines, classes with their sums, and probabilities in percent."""

    title: str
    lines: list[Line]
    classes: list[tuple[str, str]]
    heading: list[str]
    probabilities: list[list[str]]
    notes: list[str]


def content_of(model: OrdinalLinearClassifier, card: ModelCard) -> Content:
    """Return what stands on the index card of a scorecard, of which a model card is known.

    Where there are many sums, only every second, third, ... one has probabilities.
    """
    labels = [str(label) for label in model.classes_]
    answers = list(map(str, model.answers))
    low, high = (int(part.sum()) for part in (model.coef_.clip(max=0), model.coef_.clip(min=0)))
    called = model.codes_of(np.arange(low, high + 1.0))
    starts = np.flatnonzero(np.diff(called, prepend=-1))
    spans: list[list[str]] = [[] for _ in answers]
    for start, stop in pairwise([*starts.tolist(), len(called)]):
        last = "" if stop - start == 1 else f" to {low + stop - 1}"
        spans[called[start]].append(f"{low + start}{last}")
    classes = [(label, ", ".join(s) or "never") for label, s in zip(answers, spans, strict=True)]
    rows = []
    if card.calibration is not None:
        sums = np.arange(low, high + 1, -(-(high - low + 1) // MOST_SUMS))
        proba = card.calibration.probabilities(sums.astype(np.float64))
        rows = [[f"{s}", *(f"{p:.0%}" for p in row)] for s, row in zip(sums, proba, strict=True)]
    where = "" if card.data is None else f" of {card.data}"
    when = "" if card.dates is None else f", {' to '.join(card.dates)}"
    notes = [f"Fitted to {card.n_rows:,} rows{where}{when}."]
    if card.calibration is not None:
        notes.append("Probabilities hold where classes are as common as there.")
    new = [figure for figure in card.figures if figure.rows == "new data"]
    notes += [f"New data: {figure.value:.3g} {figure.name}." for figure in new[:1]]
    lines = card_lines(model, bands=True)
    return Content(card.predicts, lines, classes, ["sum", *labels], rows, notes)
