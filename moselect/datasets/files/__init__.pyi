from .contents import STANDARD_INPUT
from .tables import Reading, TableFile, read_table, read_table_file

__all__ = [
    "STANDARD_INPUT",
    "Reading",
    "TableFile",
    "read_table",
    "read_table_file",
]
