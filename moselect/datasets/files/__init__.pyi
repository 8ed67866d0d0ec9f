from .archives import check_archive
from .contents import STANDARD_INPUT, read_stream
from .tables import Reading, TableFile, read_table, read_table_file

__all__ = [
    "STANDARD_INPUT",
    "Reading",
    "TableFile",
    "check_archive",
    "read_stream",
    "read_table",
    "read_table_file",
]
