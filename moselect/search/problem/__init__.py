"""What is searched: linear ordinal models of one table, measured in batches."""

from moselect.search.problem.direction_problem import DirectionProblem
from moselect.search.problem.ordinal_problem import OrdinalProblem, Problem, make_problem
from moselect.search.problem.weight_problem import WeightProblem

__all__ = ["DirectionProblem", "OrdinalProblem", "Problem", "WeightProblem", "make_problem"]
