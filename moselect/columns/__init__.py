"""From a table to the columns that a linear model weighs."""

from moselect.columns.condition_columns import ConditionColumns
from moselect.columns.model_columns import ModelColumns
from moselect.columns.predictions import predict_table
from moselect.columns.preparation import Preparation
from moselect.columns.training import ColumnKind

__all__ = ["ColumnKind", "ConditionColumns", "ModelColumns", "Preparation", "predict_table"]
