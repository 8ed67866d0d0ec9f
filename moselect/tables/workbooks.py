"""Content of files: decompressed, with its format, and the sheets of workbooks as text."""

import bz2
import gzip
import lzma
import sys
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import BadZipFile

import pandas as pd

from moselect.listing import listing, shortened
from moselect.tables.amounts import FILE_GAPS
from moselect.tables.reading import HEAD_ROWS, Reading, find_names, label_of_sums
from moselect.tables.text_files import decode_head, recognise_separator, split

FIRST_BYTES = {
    b"PK\x03\x04": "workbook",
    b"\xd0\xcf\x11\xe0": "workbook",
    b"PAR1": "Parquet",
    b"ARROW1": "Feather",
    b"FEA1": "Feather",
}
# Errors of decompression, pandas and pyarrow for damaged files or other format versions.
DAMAGE = (
    OSError,
    EOFError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
)


def unzip(content: bytes) -> bytes:
    """Extract the single file of a ZIP archive; return workbooks and damaged files as is."""
    if not zipfile.is_zipfile(BytesIO(content)):
        return content
    with zipfile.ZipFile(BytesIO(content)) as archive:
        names = [
            n for n in archive.namelist() if not n.endswith("/") and "__MACOSX" not in n
        ]
        if "[Content_Types].xml" in names or "mimetype" in names:
            return content
        if len(names) != 1:
            raise ValueError(
                f"it holds {len(names)} files ({listing(names, 5)}): unpack it"
            )
        return archive.read(names[0])


COMPRESSED = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\0": lzma.decompress,
    b"PK\x03\x04": unzip,
}


@contextmanager
def file_errors(shown: str) -> Iterator[None]:
    """Raise ValueError that names the file if it cannot be read."""
    try:
        yield
    except DAMAGE as error:
        reason = " ".join(str(getattr(error, "strerror", None) or error).split())
        raise ValueError(f"cannot read {shown}: {shortened(reason)}") from error


def read_content(name: str) -> tuple[bytes, str]:
    """Return the decompressed content of a file and its format by the magic number."""
    content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    for first, decompress in COMPRESSED.items():
        if content.startswith(first):
            content = decompress(content)
    formats = (name for first, name in FIRST_BYTES.items() if content.startswith(first))
    return content, next(formats, "text")


def read_cells(path: Path) -> list[list[str]]:
    """Return all cells of a small text file or of the first sheet of a workbook, as text.

    Cells are stripped, and empty cells at the end of a row are dropped.
    """
    content, file_format = read_content(str(path))
    if file_format == "workbook":
        names, cells, _ = read_sheet(content, Reading())
        rows = [names, *cells.where(cells.notna(), "").astype(str).to_numpy().tolist()]
    else:
        lines = list(StringIO(decode_head(content)[1], newline=""))
        rows = list(split(lines, recognise_separator(lines)).values())
    rows = [[cell.strip() for cell in row] for row in rows]
    for row in rows:
        while row and not row[-1]:
            row.pop()
    return [row for row in rows if row]


def read_sheet(
    content: bytes, reading: Reading
) -> tuple[list[str], pd.DataFrame, list[str]]:
    """Return column names and cells of a sheet, verbatim, and notes.

    By default the first visible sheet of at least two columns is read. Only empty cells are
    missing.
    """
    from python_calamine import CalamineError, SheetVisibleEnum

    sheet = reading.sheet
    try:
        with pd.ExcelFile(BytesIO(content), engine="calamine") as workbook:
            sheets = workbook.book.sheets_metadata
            names = [str(name) for name in workbook.sheet_names]
            if sheet is not None and sheet not in names:
                raise ValueError(
                    f"there is no sheet '{sheet}': its sheets are {listing(names)}"
                )
            shown = [s.name for s in sheets if s.visible == SheetVisibleEnum.Visible]
            for chosen in (shown or names) if sheet is None else [sheet]:
                cells = pd.read_excel(
                    workbook,
                    sheet_name=chosen,
                    header=None,
                    dtype=object,
                    keep_default_na=False,
                    na_values=[""],
                )
                if cells.shape[1] > 1:
                    break
            merged = None
            if cells.isna().to_numpy().any():  # as below the first of merged cells
                merged = workbook.book.get_sheet_by_name(chosen).merged_cell_ranges
    except (CalamineError, BadZipFile, LookupError) as error:
        raise ValueError(f"it is not a workbook, or damaged ({error})") from None
    if cells.empty:
        raise ValueError(f"the sheet '{chosen}' is empty{_others(names, chosen)}")
    notes = []
    for (top, first), (bottom, _) in merged or ():
        if top < bottom:
            place = slice(top, bottom + 1), slice(first, first + 1)
            cells.iloc[place] = cells.iloc[place].ffill()
            notes = ["cells merged over rows count in each of them"]
    if len(names) > 1 and not sheet:
        notes.append(f"sheet '{chosen}'{_others(names, chosen)}")
    header = find_names(without_gaps(cells.head(HEAD_ROWS)), _is_text, reading.header)
    notes += [note for note, applies in header.notes(header.row).items() if applies]
    rows = cells.drop(index=list(header.skipped)).reset_index(drop=True)
    table = rows
    while len(rows):
        label = label_of_sums(rows.iloc[-1])
        # Notes below the sums have one cell of several; without sums they are no notes.
        if label is None and rows.iloc[-1].count() >= min(2, rows.shape[1]):
            break
        rows = rows.iloc[:-1]
        if label is not None:
            table = rows
            notes.append(f"the last row, '{label}', excluded as totals")
    return header.of(cells.loc, cells.shape[1]), table, notes


def _is_text(cell: object) -> bool:
    return isinstance(cell, str)


def _others(names: Sequence[str], chosen: str) -> str:
    """Format a hint on how to read another sheet."""
    others = [name for name in names if name != chosen]
    return f" (others, by sheet=...: {listing(others)})" if others else ""


def without_gaps(cells: pd.DataFrame) -> pd.DataFrame:
    """Mask the words for a missing value in a file."""
    return cells.mask(cells.isin(FILE_GAPS))
