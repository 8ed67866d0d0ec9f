from .condition_columns import ConditionColumns as ConditionColumns
from .model_columns import ModelColumns as ModelColumns
from .predictions import predict_table as predict_table
from .preparation import Preparation as Preparation
from .sample_columns import ColumnKind as ColumnKind
