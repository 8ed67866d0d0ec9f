"""From a table to the columns that a linear model weighs."""

from moselect.columns.choice import ColumnKind, apply_columns, fit_columns, make_columns
from moselect.columns.model_columns import ModelColumns
from moselect.columns.preparation import Preparation
from moselect.columns.preparation_document import LeftOut
from moselect.columns.prepared_columns import (
    DateColumns,
    EncodedColumn,
    LevelColumns,
    NumberColumn,
    PreparedColumn,
)
from moselect.models import SplineColumns, spline_columns_from_document, spline_document

__all__ = [
    "ColumnKind",
    "DateColumns",
    "EncodedColumn",
    "LeftOut",
    "LevelColumns",
    "ModelColumns",
    "NumberColumn",
    "Preparation",
    "PreparedColumn",
    "SplineColumns",
    "apply_columns",
    "fit_columns",
    "make_columns",
    "spline_columns_from_document",
    "spline_document",
]
