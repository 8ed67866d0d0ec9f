"""How a text file writes a table: encoding, separator, decimal mark, and where its header is."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import BinaryIO

HEAD = 2**20  # bytes from which the format is recognised
LONGEST_LINE = 128 * 2**20  # bytes
LONGEST_END = 2**16  # bytes in which the last row is looked at
ROWS = 1000  # rows of it that are split into fields
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
ENCODINGS = {
    "utf-8-sig": "UTF-8 with a byte order mark",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "cp1252": "Windows-1252",
}
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?|[+-]?[1-9]\d{0,2}(\.\d{3})+,\d+")
DECIMAL_POINT = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?|[+-]?[1-9]\d{0,2}(,\d{3})+\.\d+")
COMMA_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")  # 1,234: thousands in English
POINT_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+")  # 1.234: thousands in German


@dataclass(frozen=True)
class TextFormat:
    """How a text file writes a table.

    Attributes
    ----------
    encoding : str
        As Python calls it.
    separator, decimal : str
        One character each.
    n_skipped : int
        Lines before the header.
    n_comments : int
        Those of them that begin with ``#``.
    header : tuple of str
        Names of the columns without blanks around them; ``""`` for a column that has none.
    first_row : tuple of str
        Fields of the first row below the header; empty if there is none.
    doubtful : str
        A number whose point is taken for a decimal one, but might group thousands; "" if none is.
    """

    encoding: str
    separator: str
    decimal: str
    n_skipped: int
    n_comments: int
    header: tuple[str, ...]
    first_row: tuple[str, ...]
    doubtful: str = ""

    def note(self) -> str | None:
        """Return what is unlike plain UTF-8 with names, commas and decimal points."""
        parts = []
        if self.separator != ",":
            parts.append(f"fields separated by {SEPARATORS.get(self.separator, self.separator)}")
        if self.decimal != ".":
            parts.append("decimal comma" if self.decimal == "," else f"decimal {self.decimal}")
        if self.encoding != "utf-8":
            parts.append(f"encoding {ENCODINGS.get(self.encoding, self.encoding)}")
        if self.n_comments:
            lines = "line that begins" if self.n_comments == 1 else "lines that begin"
            parts.append(f"{self.n_comments} {lines} with # skipped")
        if self.doubtful:
            parts.append(
                f"{self.doubtful} has a decimal point (if it groups thousands: --read decimal=,)"
            )
        if any(DECIMAL_POINT.fullmatch(name) for name in self.header):
            parts.append("numbers in the first line taken for names of columns")
        return ", ".join(parts) or None


def recognise_format(
    open_file: Callable[[], BinaryIO],
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> TextFormat:
    """Recognise how a text file writes a table; what is given is taken as it is.

    Parameters
    ----------
    open_file : callable
        Opens the file, decompressed, for reading bytes from its beginning.
    separator, decimal, encoding : str, optional
        Parts of the format that are given.

    Raises
    ------
    ValueError
        If the file is empty, the encoding is unknown or not that of the file, or a line is longer
        than any of a table.
    """
    end = _check_lines(open_file)
    encoding = _checked_encoding(encoding, open_file) if encoding else _encoding(open_file)
    lines = list(_first_lines(open_file, encoding))
    n_skipped, n_comments, separator_line = _lines_before_header(lines)
    lines = lines[n_skipped:]
    separator = separator or separator_line or _separator(lines)
    records = _records(lines, separator)
    if not records:
        raise ValueError("the file is empty")
    _check_end(end.decode(encoding, errors="ignore"), separator, len(records[0]))
    header = [name.strip() for name in records[0]]
    header[0] = header[0].removeprefix("#").lstrip()
    fields = _numeric_fields(records[1:])
    return TextFormat(
        encoding=encoding,
        separator=separator,
        decimal=decimal or _decimal(fields, separator),
        n_skipped=n_skipped,
        n_comments=n_comments,
        header=tuple(header),
        first_row=tuple(records[1]) if len(records) > 1 else (),
        doubtful="" if decimal else _doubtful(fields, separator),
    )


def _check_end(end: str, separator: str, n_fields: int) -> None:
    """Raise ValueError if a file ends in the middle of a row: it was not copied as a whole."""
    line = end.splitlines()[-1:]
    if line and not end.endswith(("\n", "\r")) and '"' not in line[0] and line[0].strip():
        found = len(_records(line, separator)[0])
        if len(end) > len(line[0]) and found < n_fields:
            raise ValueError(
                f"it is cut off: its last row has {found} of {n_fields} fields and no end of line"
            )


def _check_lines(open_file: Callable[[], BinaryIO]) -> bytes:
    """Return the end of the file; ValueError if a line, which readers hold often, is too long."""
    length, last = 0, b""
    with open_file() as file:
        for block in iter(lambda: file.read(HEAD), b""):
            end = max(block.rfind(b"\n"), block.rfind(b"\r"))
            length = len(block) - 1 - end if end >= 0 else length + len(block)
            if length > LONGEST_LINE:
                raise ValueError(f"a line has more than {LONGEST_LINE >> 20} MB: it is no table")
            last = last[-LONGEST_END:] + block
    return last[-LONGEST_END:]


def _encoding(open_file: Callable[[], BinaryIO]) -> str:
    with open_file() as file:
        head = file.read(HEAD)
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            return encoding
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) > len(head) / 8:  # half of the bytes of western text in UTF-16 are zero
        return "utf-16-le" if odd > even else "utf-16-be"
    for encoding in ("utf-8", "cp1252"):
        if _can_be_decoded(open_file, encoding):
            return encoding
    raise ValueError(
        "its characters are neither UTF-8 nor UTF-16 nor Windows-1252: name the encoding "
        "(--read encoding=...), or is it no text file?"
    )


def _can_be_decoded(open_file: Callable[[], BinaryIO], encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    with open_file() as file:
        try:
            for block in iter(lambda: file.read(HEAD), b""):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def _checked_encoding(encoding: str, open_file: Callable[[], BinaryIO]) -> str:
    try:
        "".encode(encoding)  # LookupError also for codecs of other things than text
        name = codecs.lookup(encoding).name
    except LookupError:
        raise ValueError(
            f"there is no encoding '{encoding}': known are utf-8, utf-16, windows-1252, latin-1 ..."
        ) from None
    with open_file() as file:
        marked = file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8
    return "utf-8-sig" if marked and name == "utf-8" else name


def _first_lines(open_file: Callable[[], BinaryIO], encoding: str) -> Iterator[str]:
    """Yield the complete lines at the beginning of the file, with their ends."""
    with open_file() as file:
        head = file.read(HEAD)
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        text = decoder.decode(head, final=len(head) < HEAD)
    except UnicodeDecodeError:
        raise ValueError(
            f"its characters are not {ENCODINGS.get(encoding, encoding)}: correct the file or the "
            "encoding (--read encoding=...)"
        ) from None
    if "\0" in text:
        raise ValueError("it holds zero bytes: it is no text file")
    lines = list(io.StringIO(text, newline=""))
    yield from lines[:-1] if len(head) == HEAD and len(lines) > 1 else lines


def _lines_before_header(lines: Sequence[str]) -> tuple[int, int, str | None]:
    """Return the lines to skip, the comments among them, and the separator that Excel declares."""
    n_skipped = n_comments = 0
    separator = None
    for line in lines:
        declared = re.fullmatch(r"sep=(.)", line.strip("\r\n"))
        if declared and separator is None:
            separator = declared.group(1)
        elif line.startswith("#"):
            n_comments += 1
        elif line.strip():
            break
        n_skipped += 1
    if n_comments and _is_header(lines[n_skipped - 1 : n_skipped + 1]):
        return n_skipped - 1, n_comments - 1, separator
    return n_skipped, n_comments, separator


def _is_header(lines: Sequence[str]) -> bool:
    """Return whether the first of two lines, a comment, names the columns of the second."""
    if len(lines) < 2 or not lines[0].startswith("#"):
        return False
    separator = _separator(lines[1:])
    names, values = (_records([line], separator)[0] for line in lines)
    return (
        len(names) == len(values) > 1
        and any(_is_number(value) for value in values)
        and not any(_is_number(name) for name in names)
    )


def _separator(lines: Sequence[str]) -> str:
    """Return the separator that splits the most rows into as many fields as the header has."""
    best, most = ",", (0.0, 0)
    for separator in SEPARATORS:
        records = _records(lines, separator)
        n_fields = len(records[0]) if records else 0
        if n_fields > 1:
            share = sum(len(record) == n_fields for record in records) / len(records)
            if (share, n_fields) > most:
                best, most = separator, (share, n_fields)
    return best


def _records(lines: Sequence[str], separator: str) -> list[list[str]]:
    """Split lines into fields as far as quotes are in order; empty lines are left out."""
    records: list[list[str]] = []
    try:
        reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
        records.extend(islice((record for record in reader if record), ROWS))
    except csv.Error:
        pass  # a field of more than 128 KiB: a quotation mark is not closed, which reading reports
    return records


def _numeric_fields(records: Sequence[Sequence[str]]) -> list[str]:
    # Words such as 1,5 say nothing among other words: only columns of numbers do.
    by_column = zip_longest(*records, fillvalue="")
    columns = ([field.strip() for field in column] for column in by_column)
    return [field for column in columns if _is_numeric(column) for field in column]


def _doubtful(fields: Sequence[str], separator: str) -> str:
    """Return the first of numbers that all have groups of three digits; "" if others tell more."""
    points = [field for field in fields if DECIMAL_POINT.fullmatch(field)]
    doubtful = separator != "," and not any(map(DECIMAL_COMMA.fullmatch, fields))
    return points[0] if points and doubtful and all(map(POINT_GROUPS.fullmatch, points)) else ""


def _decimal(fields: Sequence[str], separator: str) -> str:
    commas = [field for field in fields if "," in field and DECIMAL_COMMA.fullmatch(field)]
    if not commas or (separator == "," and all(map(COMMA_GROUPS.fullmatch, commas))):
        return "."
    points = (field for field in fields if DECIMAL_POINT.fullmatch(field))
    return "," if all(map(POINT_GROUPS.fullmatch, points)) else "."


def _is_numeric(column: Sequence[str]) -> bool:
    """Return whether most fields that are not empty are numbers, of whatever decimal mark."""
    filled = [field for field in column if field]
    numbers = (
        _is_number(field) or DECIMAL_COMMA.fullmatch(field) or DECIMAL_POINT.fullmatch(field)
        for field in filled
    )
    return 2 * sum(map(bool, numbers)) > len(filled)


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True
