from .binning import bin_target
from .boston import load_boston
from .files.tables import read_table
from .load import Dataset, load_dataset
from .sources import list_datasets
from .stream import open_stream

__all__ = [
    "Dataset",
    "bin_target",
    "list_datasets",
    "load_boston",
    "load_dataset",
    "open_stream",
    "read_table",
]
