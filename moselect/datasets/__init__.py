"""Data sets with an ordinal target: bundled, from files, from OpenML, or binned."""

from __future__ import annotations

from moselect.datasets.binning import bin_target
from moselect.datasets.boston import load_boston
from moselect.datasets.columns import check_complete, choose_target
from moselect.datasets.feature_matrix import feature_matrix
from moselect.datasets.fingerprint import fingerprint
from moselect.datasets.labels import order_labels
from moselect.datasets.load import Dataset, load_dataset
from moselect.datasets.sources import find_source, list_datasets
from moselect.datasets.stream import TableStream, open_stream
from moselect.datasets.tables import read_table
from moselect.datasets.training_data import TrainingData, check_classes

__all__ = [
    "Dataset",
    "TableStream",
    "TrainingData",
    "bin_target",
    "check_classes",
    "check_complete",
    "choose_target",
    "feature_matrix",
    "find_source",
    "fingerprint",
    "list_datasets",
    "load_boston",
    "load_dataset",
    "open_stream",
    "order_labels",
    "read_table",
]
