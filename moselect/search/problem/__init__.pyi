from .direction_problem import DirectionProblem
from .ordinal_problem import OrdinalProblem, Problem, make_problem
from .weight_problem import WeightProblem

__all__ = [
    "DirectionProblem",
    "OrdinalProblem",
    "Problem",
    "WeightProblem",
    "make_problem",
]
