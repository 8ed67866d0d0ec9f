"""The conditions of a scorecard, where they come from, and what they are in words."""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple

import pandas as pd

from moselect.columns import Preparation
from moselect.columns.condition_columns import Condition, ConditionColumns
from moselect.columns.learning import LeftOut, PreparedColumn
from moselect.columns.level_columns import LevelColumns
from moselect.columns.number_columns import FIRST_OF_TWO, DateColumns, NumberColumn
from moselect.columns.steps import steps_of
from moselect.models import Model


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

    @property
    def part(self) -> str:
        """What of the column it is: a level, a part of a date; empty for the value itself."""
        name = self.column.output_names[self.output]
        return name.removeprefix(self.column.name).strip().removeprefix("days")

    @property
    def marks_gaps(self) -> bool:
        """Whether it is 1 where the column has no value."""
        return self.part == "missing"

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
        column, part = self.column, self.part
        if self.marks_gaps:
            return "missing"
        if isinstance(column, LevelColumns):
            return f"= {part.removeprefix('=')}"
        if isinstance(column, NumberColumn) and column.written == "boolean":
            return "= true"
        return f"{part} > {self.written(cut)}".strip()


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


class Member(NamedTuple):
    """A condition of a card: above which cut of which prepared column, and its points."""

    source: Source
    above: float
    points: int


def members_by_column(model: Model) -> list[list[Member]]:
    """Return the conditions of a card by the column of the table that they are about, in order."""
    preparation, conditions = steps_of(model.columns)
    of, found = sources(preparation), dict[str, list[Member]]()
    for one, points in zip(conditions.conditions_, model.coef_.astype(int).tolist(), strict=True):
        source = of[one.feature]
        found.setdefault(source.column.name, []).append(Member(source, one.above, points))
    return list(found.values())


def card_lines(model: Model) -> list[Line]:
    """Return the conditions of a card, by feature, and the points of each."""
    return [
        Line(one.source.column.name, one.source.above(one.above), one.points)
        for members in members_by_column(model)
        for one in members
    ]


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
