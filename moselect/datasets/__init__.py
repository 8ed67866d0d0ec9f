"""Data sets with an ordinal target: bundled, from files, from OpenML, or binned."""

from __future__ import annotations

from moselect.datasets.binning import bin_target
from moselect.datasets.boston import load_boston
from moselect.datasets.files.tables import read_table
from moselect.datasets.load import Dataset, load_dataset
from moselect.datasets.sources import list_datasets
from moselect.datasets.stream import open_stream

__all__ = [
    "Dataset",
    "bin_target",
    "list_datasets",
    "load_boston",
    "load_dataset",
    "open_stream",
    "read_table",
]
