from .archive import ParetoArchive
from .attainment import attainment_surface
from .choice import compromise_point, knee_points
from .indicators import gain_above_chance, hypervolume_above_chance
from .spread import crowding_distance, spread_subset

__all__ = [
    "ParetoArchive",
    "attainment_surface",
    "compromise_point",
    "crowding_distance",
    "gain_above_chance",
    "hypervolume_above_chance",
    "knee_points",
    "spread_subset",
]
