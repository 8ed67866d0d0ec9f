"""From a table to the columns that a linear model weighs."""

from __future__ import annotations

from moselect.columns.preparation import Preparation
from moselect.columns.preparation_document import LeftOut
from moselect.columns.prepared_columns import (
    DateColumns,
    EncodedColumn,
    LevelColumns,
    NumberColumn,
    PreparedColumn,
)

__all__ = [
    "DateColumns",
    "EncodedColumn",
    "LeftOut",
    "LevelColumns",
    "NumberColumn",
    "Preparation",
    "PreparedColumn",
]
