"""Tables in files: how they are written is recognised."""

from __future__ import annotations

from moselect.datasets.files.contents import STANDARD_INPUT
from moselect.datasets.files.tables import Reading, TableFile, read_table, read_table_file

__all__ = ["STANDARD_INPUT", "Reading", "TableFile", "read_table", "read_table_file"]
