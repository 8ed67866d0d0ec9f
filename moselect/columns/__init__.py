"""From a table to the columns that a linear model weighs."""

from moselect.columns.choice import ColumnKind, apply_columns, fit_columns, make_columns
from moselect.columns.model_columns import ModelColumns
from moselect.columns.predict_table import predict_pool, predict_table
from moselect.columns.preparation import Preparation
from moselect.columns.preparation_document import LeftOut
from moselect.columns.preparation_input import GAPS
from moselect.columns.prepared_columns import (
    DateColumns,
    EncodedColumn,
    LevelColumns,
    NumberColumn,
    PreparedColumn,
)
from moselect.columns.table_remarks import level_remarks, table_range_remarks
from moselect.columns.training_columns import (
    columns_of,
    columns_transformer,
    fit_training_columns,
    kept_training_columns,
    refit_without_folds,
)

__all__ = [
    "GAPS",
    "ColumnKind",
    "DateColumns",
    "EncodedColumn",
    "LeftOut",
    "LevelColumns",
    "ModelColumns",
    "NumberColumn",
    "Preparation",
    "PreparedColumn",
    "apply_columns",
    "columns_of",
    "columns_transformer",
    "fit_columns",
    "fit_training_columns",
    "kept_training_columns",
    "level_remarks",
    "make_columns",
    "predict_pool",
    "predict_table",
    "refit_without_folds",
    "table_range_remarks",
]
