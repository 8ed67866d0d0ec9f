"""How good a set of models is: non-dominated archives, crowding, indicators, subsets."""

from moselect.pareto.archive import ParetoArchive
from moselect.pareto.crowding import crowding_distance
from moselect.pareto.indicators import gain_above_chance, hypervolume_above_chance
from moselect.pareto.subset import spread_subset

__all__ = [
    "ParetoArchive",
    "crowding_distance",
    "gain_above_chance",
    "hypervolume_above_chance",
    "spread_subset",
]
