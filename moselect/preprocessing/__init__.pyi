from .condition_columns import ConditionColumns as ConditionColumns
from .preparation import Preparation as Preparation
from .spline_columns import SplineColumns as SplineColumns
