from .archive import ParetoArchive as ParetoArchive
from .indicators import crowding_distance as crowding_distance
from .indicators import gain_above_chance as gain_above_chance
from .indicators import hypervolume_above_chance as hypervolume_above_chance
from .indicators import spread_subset as spread_subset
