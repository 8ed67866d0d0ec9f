from .binning import bin_target as bin_target
from .load import Dataset as Dataset
from .load import load_dataset as load_dataset
from .source_tables import load_boston as load_boston
from .sources import list_datasets as list_datasets
