from .archive import ParetoArchive
from .attainment import attainment_surface
from .indicators import gain_above_chance, hypervolume_above_chance
from .spread import crowding_distance, spread_subset

__all__ = [
    "ParetoArchive",
    "attainment_surface",
    "crowding_distance",
    "gain_above_chance",
    "hypervolume_above_chance",
    "spread_subset",
]
