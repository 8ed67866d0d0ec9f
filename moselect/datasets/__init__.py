"""Data sets with an ordinal target: bundled, from files, from OpenML, or binned."""

from __future__ import annotations

from moselect.datasets.binning import bin_target
from moselect.datasets.boston import load_boston
from moselect.datasets.columns import check_complete, choose_target, numeric_features
from moselect.datasets.feature_matrix import feature_matrix
from moselect.datasets.feature_scale import (
    INVERTIBLE,
    check_feature_scale,
    warn_of_exhausted_columns,
    warn_of_exhausted_digits,
)
from moselect.datasets.files import Reading, check_archive, read_stream, read_table
from moselect.datasets.fingerprint import fingerprint
from moselect.datasets.labels import OrderedTarget, order_labels, order_target
from moselect.datasets.listing import listing, suggestion
from moselect.datasets.load import Dataset, load_dataset, load_table, target_values
from moselect.datasets.orders import order_option, parse_order
from moselect.datasets.scales import recognise_scale
from moselect.datasets.sources import Source, file_source, find_source, list_datasets
from moselect.datasets.stream import TableStream, open_stream
from moselect.datasets.training_data import TrainingData, check_classes, check_names

__all__ = [
    "INVERTIBLE",
    "Dataset",
    "OrderedTarget",
    "Reading",
    "Source",
    "TableStream",
    "TrainingData",
    "bin_target",
    "check_archive",
    "check_classes",
    "check_complete",
    "check_feature_scale",
    "check_names",
    "choose_target",
    "feature_matrix",
    "file_source",
    "find_source",
    "fingerprint",
    "list_datasets",
    "listing",
    "load_boston",
    "load_dataset",
    "load_table",
    "numeric_features",
    "open_stream",
    "order_labels",
    "order_option",
    "order_target",
    "parse_order",
    "read_stream",
    "read_table",
    "recognise_scale",
    "suggestion",
    "target_values",
    "warn_of_exhausted_columns",
    "warn_of_exhausted_digits",
]
