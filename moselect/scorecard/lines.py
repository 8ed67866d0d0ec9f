"""The lines of a card: what each condition says of which column of the table."""

from __future__ import annotations

from copy import copy
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from moselect._types import Integers
from moselect.columns import Preparation
from moselect.columns.condition_columns import Condition, ConditionColumns
from moselect.columns.learning import LeftOut, PreparedColumn
from moselect.columns.level_columns import LevelColumns
from moselect.columns.number_columns import DateColumns, NumberColumn
from moselect.columns.steps import steps_of
from moselect.models import OrdinalLinearClassifier


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
        return self.output == 0 and isinstance(self.column, NumberColumn | DateColumns)

    def written(self, cut: float) -> str:
        """Return a cut as a number or date."""
        if isinstance(self.column, DateColumns) and self.column.parts[self.output] == "days":
            date = pd.Timestamp(self.column.origin) + pd.Timedelta(days=cut)
            return date.isoformat(" ", "minutes").removesuffix(" 00:00")
        return f"{cut:.15g}"

    def above(self, cut: float) -> str:
        """Return in words that it is above a cut."""
        column, name = self.column, self.column.output_names[self.output]
        if name == f"{column.name} missing":
            return "missing"
        if isinstance(column, LevelColumns):
            return f"= {name.removeprefix(f'{column.name}=')}"
        if isinstance(column, NumberColumn) and column.written == "boolean":
            return "= true"
        part = name.removeprefix(column.name).strip()
        return (
            f"{part} > {self.written(cut)}"
            if part not in ("", "days")
            else f"> {self.written(cut)}"
        )


def sources(preparation: Preparation) -> list[Source]:
    """Return where each prepared column comes from."""
    return [
        Source(column, k)
        for column in preparation.columns_
        for k in range(len(column.output_names))
    ]


def is_scorecard(model: Any) -> bool:
    """Return whether a linear model is a card: it weighs conditions."""
    return isinstance(model, OrdinalLinearClassifier) and any(
        isinstance(step, ConditionColumns) for step in steps_of(model.columns)
    )


def card_lines(model: OrdinalLinearClassifier, *, bands: bool = False) -> list[Line]:
    """Return the lines of a card, by feature.

    With ``bands``, several cuts of one number are the bands between them, each with all its points.
    """
    preparation, conditions = steps_of(model.columns)
    of = sources(preparation)
    lines = []
    pairs = zip(conditions.conditions_, model.coef_.astype(int).tolist(), strict=True)
    for feature, group in groupby(pairs, key=lambda pair: pair[0].feature):
        source, members = of[feature], list(group)
        if bands and len(members) > 1:
            cuts = [source.written(one.above) for one, _ in members]
            texts = [f"{low} to {high}" for low, high in pairwise(cuts)]
            texts = [f"up to {cuts[0]}", *(f"above {text}" for text in texts), f"above {cuts[-1]}"]
            totals = np.cumsum([0, *(points for _, points in members)]).tolist()
        else:
            texts = [source.above(one.above) for one, _ in members]
            totals = [points for _, points in members]
        lines += [Line(source.column.name, *line) for line in zip(texts, totals, strict=True)]
    return lines


def possible_sums(conditions: list[Condition], points: Integers) -> Integers:
    """Return all whole numbers from the lowest sum of points to the highest one."""
    ends = []
    pairs = zip(conditions, points.tolist(), strict=True)
    for _, group in groupby(pairs, key=lambda pair: pair[0].feature):
        totals = np.cumsum([0, *(points for _, points in group)])
        ends.append((totals.min(), totals.max()))
    low, high = np.sum(ends, axis=0)
    return np.arange(low, high + 1)


def without_unused(
    preparation: Preparation, conditions: ConditionColumns
) -> tuple[Preparation, ConditionColumns]:
    """Return both without the columns that no condition is about, which need not be there then."""
    used = {one.feature for one in conditions.conditions_}
    names = {source.column.name for j, source in enumerate(sources(preparation)) if j in used}
    kept = tuple(column for column in preparation.columns_ if column.name in names)
    left_out = [
        LeftOut(column.name, "not on the card")
        for column in preparation.columns_
        if column.name not in names
    ]
    less = copy(preparation)
    less._take(preparation.feature_names_in_.tolist(), kept, (*preparation.left_out_, *left_out))
    outputs = less.get_feature_names_out()
    at = {str(name): j for j, name in enumerate(outputs)}
    fewer = copy(conditions)
    before = preparation.get_feature_names_out()
    fewer.conditions_ = [
        Condition(at[str(before[one.feature])], one.above) for one in conditions.conditions_
    ]
    fewer.n_features_in_, fewer.feature_names_in_ = len(outputs), outputs
    return less, fewer
