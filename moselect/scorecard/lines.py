"""The conditions of a scorecard, where they come from, and what they are in words."""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple

from moselect.columns import Preparation
from moselect.columns.condition_columns import Condition, ConditionColumns
from moselect.columns.learning import LeftOut
from moselect.columns.number_columns import Column
from moselect.columns.steps import steps_of
from moselect.models import Model


class Line(NamedTuple):
    """What a feature must be, and the points for it."""

    feature: str
    text: str
    points: int


class Output(NamedTuple):
    """A column of numbers: of which column of the table it is, and the how manieth of that."""

    column: Column
    place: int

    @property
    def feature(self) -> str:
        """The column of the table, and which part of a date it is."""
        part = "" if self.column.is_value(self.place) else self.column.endings[self.place]
        return f"{self.column.name}{part}"

    @property
    def marks_gaps(self) -> bool:
        """Whether it is 1 where the column has no value."""
        return self.column.endings[self.place] == " missing"


def outputs_of(preparation: Preparation) -> dict[str, Output]:
    """Return where each prepared column comes from, by its name."""
    return {
        name: Output(column, place)
        for column in preparation.columns_
        for place, name in enumerate(column.output_names)
    }


def is_scorecard(model: Any) -> bool:
    """Return whether a linear model is a card: it weighs conditions."""
    steps = steps_of(getattr(model, "columns", None))
    return bool(steps) and isinstance(steps[-1], ConditionColumns)


class CardCondition(NamedTuple):
    """A condition of a card: above which cut of which prepared column, and its points."""

    output: Output
    above: float
    points: int


def conditions_by_column(model: Model) -> list[list[CardCondition]]:
    """Return the conditions of a card by the column of the table that they are about, in order."""
    preparation, columns = steps_of(model.columns)
    outputs, by_column = outputs_of(preparation), dict[str, list[CardCondition]]()
    for condition, points in zip(
        columns.conditions_, model.coef_.astype(int).tolist(), strict=True
    ):
        output = outputs[condition.feature]
        conditions = by_column.setdefault(output.column.name, [])
        conditions.append(CardCondition(output, condition.above, points))
    return list(by_column.values())


def card_lines(model: Model) -> list[Line]:
    """Return the conditions of a card, by feature, and the points of each."""
    return [
        Line(output.column.name, output.column.above(output.place, cut), points)
        for conditions in conditions_by_column(model)
        for output, cut, points in conditions
    ]


def without_unused(
    preparation: Preparation, conditions: list[Condition]
) -> tuple[Preparation, ConditionColumns]:
    """Return what makes these conditions from the columns of the table that they are about."""
    outputs = outputs_of(preparation)
    used = {outputs[condition.feature].column.name for condition in conditions}
    kept = tuple(column for column in preparation.columns_ if column.name in used)
    needed = {source.name for column in kept for source in column.inputs}
    others = [source.name for source in preparation.inputs if source.name not in needed]
    left_out = (*preparation.left_out_, *(LeftOut(name, "not on the card") for name in others))
    less = copy(preparation)
    less._take(preparation.feature_names_in_.tolist(), kept, left_out)
    return less, ConditionColumns()._take(less.get_feature_names_out().tolist(), conditions)
