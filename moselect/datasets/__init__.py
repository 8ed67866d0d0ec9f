"""Data sets with an ordinal target: bundled, from files, from OpenML, or binned."""

from __future__ import annotations

from moselect.datasets.binning import bin_target
from moselect.datasets.boston import load_boston
from moselect.datasets.columns import check_complete, choose_target, numeric_features
from moselect.datasets.files.tables import Reading, Source, read_source, read_table
from moselect.datasets.fingerprint import fingerprint
from moselect.datasets.labels import OrderedTarget, order_labels, order_target
from moselect.datasets.load import Dataset, load_dataset, load_table, target_values
from moselect.datasets.orders import order_option, parse_order
from moselect.datasets.scales import recognise_scale
from moselect.datasets.sources import find_source, list_datasets
from moselect.datasets.stream import open_stream

__all__ = [
    "Dataset",
    "OrderedTarget",
    "Reading",
    "Source",
    "bin_target",
    "check_complete",
    "choose_target",
    "find_source",
    "fingerprint",
    "list_datasets",
    "load_boston",
    "load_dataset",
    "load_table",
    "numeric_features",
    "open_stream",
    "order_labels",
    "order_option",
    "order_target",
    "parse_order",
    "read_source",
    "read_table",
    "recognise_scale",
    "target_values",
]
