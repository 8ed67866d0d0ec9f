"""Tables whose columns have types: of Parquet and Feather files, workbooks, and polars."""

from __future__ import annotations

import datetime
import decimal
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import openpyxl
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st
from pyarrow import feather

from tests.storm.strategies.names import names

DAY = datetime.datetime(2024, 2, 28)

# Of each type, the cell of row i.
CELLS: dict[str, tuple[Any, Callable[[int], Any]]] = {
    "float64": (pa.float64(), lambda i: i * 0.5 - 3),
    "float32": (pa.float32(), lambda i: i % 7 / 4),
    "float16": (pa.float16(), lambda i: float(i % 5)),
    "not finite": (pa.float64(), lambda i: (float("inf"), float("nan"), 1.0)[i % 3]),
    "int8": (pa.int8(), lambda i: i % 5 - 2),
    "uint64": (pa.uint64(), lambda i: 2**63 + i % 3),
    "decimal": (pa.decimal128(20, 3), lambda i: decimal.Decimal(i % 9) / 8),
    "large decimal": (pa.decimal256(70, 0), lambda i: decimal.Decimal(10**60 + i)),
    "boolean": (pa.bool_(), lambda i: i % 3 == 0),
    "text": (pa.string(), lambda i: ("red", "green", "a\rb", "=1+1")[i % 4]),
    "zeros": (pa.string(), lambda i: ("x", "\0")[i % 2]),
    "large text": (pa.large_string(), lambda i: ("x", "y")[i % 2]),
    "bytes": (pa.binary(), lambda i: (b"\xff\0", b"x")[i % 2]),
    "level": (pa.dictionary(pa.int8(), pa.string()), lambda i: ("x", "y", "z")[i % 3]),
    "moment": (pa.timestamp("us"), lambda i: DAY + datetime.timedelta(hours=5 * i)),
    "zoned": (pa.timestamp("ns", "Asia/Tokyo"), lambda i: DAY + datetime.timedelta(days=i)),
    "far": (pa.timestamp("s"), lambda i: 10**13 + i),
    "day": (pa.date32(), lambda i: (DAY + datetime.timedelta(days=i)).date()),
    "time": (pa.time64("us"), lambda i: datetime.time(i % 24, 5)),
    "duration": (pa.duration("ms"), lambda i: datetime.timedelta(minutes=i)),
    "null": (pa.null(), lambda i: None),
    "list": (pa.list_(pa.int64()), lambda i: [i, i + 1]),
    "struct": (pa.struct([("a", pa.int64())]), lambda i: {"a": i}),
}
TARGETS = ("int8", "uint64", "float32", "decimal", "boolean", "level", "text", "zoned", "null")
WRITERS = ("parquet", "feather", "xlsx", "polars")


@dataclass(frozen=True)
class TypedTable:
    """A file whose columns have types, and the name of its target."""

    name: str
    content: bytes
    target: str


@st.composite
def typed_tables(draw: st.DrawFn) -> TypedTable:
    """Draw a table with at least one column of numbers, and perhaps one of gaps."""
    n = draw(st.integers(1, 30))
    kinds = ["float64", *draw(st.lists(st.sampled_from(sorted(CELLS)), max_size=3))]
    kinds.append(draw(st.sampled_from(("int8", *TARGETS))))
    header = [draw(names) for _ in kinds[:-1]] + ["grade"]
    shift = draw(st.integers(0, 3))
    columns = []
    for kind in kinds:
        cells = [CELLS[kind][1](i * (1 + shift) % n) for i in range(n)]
        if draw(st.integers(0, 4)) == 0:
            cells = [None if i % 3 == shift % 3 else cell for i, cell in enumerate(cells)]
        columns.append(pa.array(cells, type=CELLS[kind][0]))
    table = pa.Table.from_arrays(columns, names=header)
    writer = draw(st.sampled_from(WRITERS))
    suffix = "parquet" if writer == "polars" else writer
    return TypedTable(f"t.{suffix}", _written(table, writer), "grade")


def _written(table: Any, writer: str) -> bytes:
    content = io.BytesIO()
    if writer == "polars":
        try:
            pl.DataFrame(table).write_parquet(content)
        except pl.exceptions.PolarsError:  # two columns of one name, or a type that it lacks
            writer, content = "parquet", io.BytesIO()
    if writer == "parquet":
        pq.write_table(table, content)
    elif writer == "feather":
        feather.write_feather(table, content)
    elif writer == "xlsx":
        book = openpyxl.Workbook()
        for j, (name, column) in enumerate(
            zip(table.column_names, table.columns, strict=True), start=1
        ):
            for i, value in enumerate([name, *_cells(column)], start=1):
                _fill(book.active.cell(i, j), value)
        book.create_sheet("notes")
        book.save(content)
    return content.getvalue()


def _cells(column: Any) -> list[Any]:
    try:
        found: list[Any] = column.to_pylist()
    except (OverflowError, ValueError):  # dates that Python does not have
        found = ["#REF!"] * len(column)
    return found


def _fill(cell: Any, value: Any) -> None:
    """Fill a cell of a workbook: what it cannot hold becomes an error, as a formula may."""
    try:
        cell.value = None if getattr(value, "tzinfo", None) else value
        if isinstance(value, float) and abs(value) == float("inf"):
            cell.value = "#DIV/0!"
    except (TypeError, ValueError, openpyxl.utils.exceptions.IllegalCharacterError):
        cell.value = "#REF!"
