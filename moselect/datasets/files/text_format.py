"""How a text file writes a table: encoding, separator, decimal mark, and where its header is."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import BinaryIO

HEAD = 2**20  # characters from which the format is recognised
LONGEST_END = 2**16  # characters in which the last row is looked at
ROWS = 1000  # rows of the head that are split into fields
# Of separators that fit equally well the first is taken: in 0;1,5 the comma is a decimal one.
SEPARATORS = {";": "semicolons", ",": "commas", "\t": "tabs", "|": "vertical bars"}
ENCODINGS = {
    "utf-8": "UTF-8",
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

    Of the ``n_skipped`` lines before the header ``n_comments`` begin with ``#``. Names in the
    header have no blanks around them; a column without a name has ``""``. ``doubtful`` is a number
    whose point is taken for a decimal one, but might group thousands; "" if none is.
    """

    encoding: str
    separator: str
    decimal: str
    n_skipped: int
    n_comments: int
    header: tuple[str, ...]
    doubtful: str = ""

    def note(self) -> str | None:
        """Return what is unlike plain UTF-8 with names, commas and decimal points."""
        parts = []
        if self.separator != ",":
            parts.append(f"fields separated by {SEPARATORS.get(self.separator, self.separator)}")
        if self.decimal != ".":
            parts.append("decimal comma")
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

    ``open_file`` opens the file, decompressed, for reading bytes from its beginning.
    """
    encoding, head, end = decode(open_file, encoding)
    lines = list(io.StringIO(head, newline=""))
    if len(head) == HEAD and len(lines) > 1:
        lines.pop()  # it may go on behind the head
    n_skipped, n_comments, declared = _lines_before_header(lines)
    lines = lines[n_skipped:]
    separator = separator or declared or recognise_separator(lines)
    records = split(lines, separator)
    if not records:
        raise ValueError("the file is empty")
    header = [name.strip() for name in records[0]]
    header[0] = header[0].removeprefix("\ufeff").removeprefix("#").lstrip()
    if len(records) > 1 and len(records[1]) > len(header):
        raise too_many_fields("the first row", len(records[1]), len(header), separator)
    _check_end(end, separator, len(header))
    numbers = _numbers(records[1:])
    return TextFormat(
        encoding=encoding,
        separator=separator,
        decimal=decimal or recognise_decimal(numbers, separator),
        n_skipped=n_skipped,
        n_comments=n_comments,
        header=tuple(header),
        doubtful="" if decimal else _doubtful(numbers, separator),
    )


def decode(open_file: Callable[[], BinaryIO], encoding: str | None = None) -> tuple[str, str, str]:
    """Return the encoding of a file, which is recognised unless given, its first and last text."""
    with open_file() as file:
        candidates = [encoding] if encoding else _possible_encodings(file.read(HEAD))
    for candidate in candidates:
        try:
            with open_file() as file, io.TextIOWrapper(file, candidate, newline="") as text:
                head = end = text.read(HEAD)
                while block := text.read(HEAD):
                    end = (end + block)[-LONGEST_END:]
        except UnicodeDecodeError:
            continue
        if "\0" in head:
            raise ValueError("it holds zero bytes: it is no text file")
        return candidate, head, end[-LONGEST_END:]
    names = " or ".join(ENCODINGS.get(candidate, candidate) for candidate in candidates)
    raise ValueError(
        f"its characters are not {names}: name the encoding (--read encoding=...), or is it no "
        "text file?"
    )


def recognise_separator(lines: Sequence[str]) -> str:
    """Return the separator that splits the most rows into as many fields as the header has."""
    best, most = ",", (0.0, 0)
    for separator in SEPARATORS:
        records = split(lines, separator)
        n_fields = len(records[0]) if records else 0
        if n_fields > 1:
            share = sum(len(record) == n_fields for record in records) / len(records)
            if (share, n_fields) > most:
                best, most = separator, (share, n_fields)
    return best


def recognise_decimal(fields: Iterable[str], separator: str) -> str:
    """Return the decimal mark of numbers as they are written."""
    fields = list(fields)
    commas = [field for field in fields if DECIMAL_COMMA.fullmatch(field)]
    if not commas or (separator == "," and all(map(COMMA_GROUPS.fullmatch, commas))):
        return "."
    points = (field for field in fields if DECIMAL_POINT.fullmatch(field))
    return "," if all(map(POINT_GROUPS.fullmatch, points)) else "."


def split(lines: Iterable[str], separator: str) -> list[list[str]]:
    """Split lines into fields as far as quotes are in order; empty lines are left out."""
    records: list[list[str]] = []
    try:
        reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
        records.extend(islice((record for record in reader if record), ROWS))
    except csv.Error:
        pass  # a quotation mark is not closed, which reading reports
    return records


def too_many_fields(where: str, found: int, expected: int, separator: str) -> ValueError:
    """Return the error that a row has more fields than the header."""
    separators = SEPARATORS.get(separator, f"'{separator}'")
    return ValueError(
        f"{where} has {found} fields, but the header names {expected}: correct it, put fields "
        f"that hold {separators} into quotes, or name another separator (--read separator=...)"
    )


def _possible_encodings(head: bytes) -> list[str]:
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            return [encoding]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) > len(head) / 8:  # half of the bytes of western text in UTF-16 are zero
        return ["utf-16-le" if odd > even else "utf-16-be"]
    return ["utf-8", "cp1252"]


def _check_end(end: str, separator: str, n_fields: int) -> None:
    """Raise ValueError if a file ends in the middle of a row: it was not copied as a whole."""
    line = end.splitlines()[-1:]
    if line and not end.endswith(("\n", "\r")) and '"' not in line[0] and line[0].strip():
        found = len(split(line, separator)[0])
        if len(end) > len(line[0]) and found < n_fields:
            raise ValueError(
                f"it is cut off: its last row has {found} of {n_fields} fields and no end of line"
            )


def _lines_before_header(lines: Sequence[str]) -> tuple[int, int, str | None]:
    """Return the lines to skip, the comments among them, and the separator that Excel declares."""
    n_skipped = n_comments = 0
    separator = None
    for line in lines:
        declared = re.fullmatch(r"sep=(.)", line.strip("\r\n"))
        if declared:
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
    separator = recognise_separator(lines[1:])
    names, values = (split([line], separator)[0] for line in lines)
    return (
        len(names) == len(values) > 1
        and any(map(_is_number, values))
        and not any(map(_is_number, names))
    )


def _numbers(records: Sequence[Sequence[str]]) -> list[str]:
    """Return the fields of columns that hold numbers: 1,5 says nothing among other words."""
    found: list[str] = []
    for column in zip_longest(*records, fillvalue=""):
        filled = [field.strip() for field in column if field.strip()]
        if 2 * sum(map(_is_number, filled)) > len(filled):
            found += filled
    return found


def _is_number(text: str) -> bool:
    """Return whether text is a number, of whatever decimal mark."""
    if DECIMAL_COMMA.fullmatch(text) or DECIMAL_POINT.fullmatch(text):
        return True
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _doubtful(numbers: Sequence[str], separator: str) -> str:
    """Return the first of numbers that all have groups of three digits; "" if others tell more."""
    points = [number for number in numbers if DECIMAL_POINT.fullmatch(number)]
    if separator == "," or any(map(DECIMAL_COMMA.fullmatch, numbers)):
        return ""
    return points[0] if points and all(map(POINT_GROUPS.fullmatch, points)) else ""
