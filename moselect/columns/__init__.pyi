from .condition_columns import ConditionColumns
from .model_columns import ModelColumns
from .predictions import predict_table
from .preparation import Preparation
from .training import ColumnKind

__all__ = ["ColumnKind", "ConditionColumns", "ModelColumns", "Preparation", "predict_table"]
