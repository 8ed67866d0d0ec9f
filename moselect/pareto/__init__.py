"""How good a set of models is: non-dominated archives, crowding, indicators, subsets, choice."""

from moselect.pareto.archive import ParetoArchive
from moselect.pareto.choice import compromise_point, knee_points
from moselect.pareto.crowding import crowding_distance
from moselect.pareto.indicators import gain_above_chance, hypervolume_above_chance
from moselect.pareto.subset import spread_subset

__all__ = [
    "ParetoArchive",
    "compromise_point",
    "crowding_distance",
    "gain_above_chance",
    "hypervolume_above_chance",
    "knee_points",
    "spread_subset",
]
