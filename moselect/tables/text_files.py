"""Delimited text files: detect the format and read the table."""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import chain, islice, zip_longest
from operator import itemgetter
from typing import Any

import pandas as pd

from moselect.budgets import MEMORY
from moselect.tables.amounts import read_all_amounts, read_amounts
from moselect.tables.reading import HEAD_ROWS, Names, Reading, find_names, label_of_sums

# From 3.1 on pandas always reads floats to the last bit, and warns if asked to.
OLD_PANDAS = tuple(int(part) for part in pd.__version__.split(".")[:2]) < (3, 1)
EXACT_FLOATS: dict[str, str] = {"float_precision": "round_trip"} if OLD_PANDAS else {}
HEAD = 2**20  # leading characters for format detection
LAST = 2**16  # trailing bytes searched for a row of sums
BLANK = " "  # runs of blanks: no such file has empty fields, so none is written
# The first of equally good separators is taken: in 0;1,5 the comma is a decimal mark.
SEPARATORS = {";": "semicolons", ",": "commas", "\t": "tabs", "|": "vertical bars"}
ENCODINGS = {"utf-8": "UTF-8", "utf-16": "UTF-16", "cp1252": "Windows-1252"}
DECIMAL_POINT = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")
ROW_NAMES = "rownames"  # of the first column, as R writes it
NUMBER = re.compile(r"[\W_]*\d[\d.,:/ 'T-]*([eE][+-]?\d+)?\W*")  # or date
POINT_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+")  # 1.234: thousands in German


@dataclass(frozen=True)
class TextFormat:
    """Format of a delimited text file.

    Names in the ``header`` are stripped, "" for unnamed columns. ``decimal`` is the mark of
    numbers, ``marks`` are tried in columns of text, the likelier first. The ``note``
    describes deviations from UTF-8 with a header, commas and decimal points.
    """

    encoding: str
    separator: str
    names: Names
    header: tuple[str, ...]
    decimal: str
    marks: str
    note: str


def recognise_format(content: bytes, reading: Reading) -> TextFormat:
    """Detect the format of a text file; given options override the detection."""
    encoding, head = decode_head(content, reading.encoding)
    lines = list(io.StringIO(head, newline=""))
    if len(head) == HEAD and len(lines) > 1:
        lines.pop()  # it may be truncated
    # Leading lines that are blank or begin with # come before the header.
    starts = (k for k, line in enumerate(lines) if line.strip() and line[0] != "#")
    n_skipped = next(starts, len(lines))
    n_comments = sum(line.startswith("#") for line in lines[:n_skipped])
    if reading.header not in (None, "none"):
        n_skipped = min(n_skipped, int(reading.header or 0) - 1)  # names may begin with #
    lines = lines[n_skipped:]
    separator = reading.separator or recognise_separator(lines)
    records = {n_skipped + k: fields for k, fields in split(lines, separator).items()}
    if not records:
        raise ValueError("the file is empty")
    first = dict(islice(records.items(), HEAD_ROWS))
    cells = pd.DataFrame(
        zip_longest(*first.values()), columns=list(first), dtype=object
    ).T
    names = find_names(cells.where(cells != ""), _is_text, reading.header)
    header = names.of(first, cells.shape[1])
    below = [fields for row, fields in records.items() if row > names.row]
    # R gives row names none themselves; beside commas the field more may be a decimal.
    is_longer = {len(fields) for fields in below} == {len(header) + 1}
    if names.given and separator != "," and is_longer:
        keys = [fields[0] for fields in below]
        header = [ROW_NAMES] * (len({*keys}) == len(keys)) + header
    if below and len(below[0]) > len(header):
        sizes = len(below[0]), len(header)
        raise too_many_fields("the first row", *sizes, separator, names.hint)
    decimal, marks = _find_marks(below, separator)
    decimal = reading.decimal or decimal
    marks = reading.decimal or marks
    # Points of all numbers may group thousands.
    points = list(filter(DECIMAL_POINT.fullmatch, chain(*below)))
    groups = separator != "," and all(map(POINT_GROUPS.fullmatch, points))
    doubtful = "".join(points[:1])
    is_of_numbers = any(map(DECIMAL_POINT.fullmatch, header))
    fields = (SEPARATORS | {BLANK: "blanks"}).get(separator, separator)
    parts = {
        f"fields separated by {fields}": separator != ",",
        "decimal comma": decimal == ",",
        f"encoding {ENCODINGS.get(encoding, encoding)}": encoding != "utf-8",
        f"{n_comments} lines that begin with # skipped": n_comments,
        **names.notes(sum(row < names.row for row in records), "line"),
        f"{doubtful} has a decimal point (if it groups thousands: decimal=,)": doubtful
        and groups
        and decimal == ".",
        "numbers in the first line read as names (no header? header=none)": is_of_numbers
        or not any(map(_is_text, header)),
    }
    note = ", ".join(part for part, is_so in parts.items() if is_so)
    return TextFormat(encoding, separator, names, tuple(header), decimal, marks, note)


def without_sums(content: bytes, separator: str) -> tuple[bytes, str | None]:
    """Strip trailing rows of sums from a UTF-8 file; return it with a note on them."""
    note = None
    while True:
        # Quoted text may break at a carriage return alone, which the csv module refuses.
        *_, line = b"", *content[-LAST:].rstrip().splitlines()
        (fields,) = csv.reader([line.decode(errors="replace")], delimiter=separator)
        label = label_of_sums(fields)
        # A word that begins several rows is a category, no label of sums.
        if label is None or content.count(f"\n{label}".encode()) > 1:
            return content, note
        content = content[: content.rindex(line)]
        note = f"the last row, '{label}', excluded as totals"


def decode_head(content: bytes, encoding: str | None = None) -> tuple[str, str]:
    """Return the encoding of a file, detected unless given, and its decoded head."""
    has_wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    recognised = ["utf-16"] if has_wide else ["utf-8", "cp1252"]
    candidates = [encoding] if encoding else recognised
    for candidate in candidates:
        try:
            text = content.decode(candidate).removeprefix("\ufeff")
        except UnicodeDecodeError:
            continue
        # Half the bytes of UTF-16 without a mark of its byte order are zeros.
        if "\0" not in text[:HEAD]:
            return candidate, text[:HEAD]
    names = " or ".join(ENCODINGS.get(candidate, candidate) for candidate in candidates)
    raise ValueError(
        f"its characters are not {names}: name the encoding (such as "
        "encoding=utf-16-le), or is it no text file?"
    )


def recognise_separator(lines: Sequence[str]) -> str:
    """Detect the separator that splits the most rows into the same number of fields."""
    best = ","
    most = (0.0, 0)
    for separator in SEPARATORS:
        records = split(lines, separator)
        counts = Counter(map(len, records.values()))
        for n_fields, count in counts.most_common(1):
            share = count / len(records)
            if n_fields > 1 and (share, n_fields) > most:
                best = separator
                most = (share, n_fields)
    # Blanks separate if they divide all lines alike, and names that nothing else divides.
    sizes = [len(fields) for fields in split(lines, BLANK).values()]
    names = next(iter(split(lines, best).values()), [])
    is_even = len(sizes) > 1 and sizes[0] > 1 and len({*sizes[1:]}) == 1
    if len(names) == 1 and is_even and sizes[1] - sizes[0] in (0, 1):
        return BLANK
    return best


def split(lines: Iterable[str], separator: str) -> dict[int, list[str]]:
    """Split lines into fields, keyed by record number, up to the first unbalanced quote.

    Empty lines are skipped.
    """
    records: dict[int, list[str]] = {}
    try:
        if separator == BLANK:
            lines = (" ".join(line.split()) for line in lines)
        is_padded = separator != BLANK
        reader = csv.reader(lines, delimiter=separator, skipinitialspace=is_padded)
        records.update(islice(filter(itemgetter(1), enumerate(reader)), MEMORY.head_rows))
    except csv.Error:
        pass  # an unclosed quotation mark: reported when the table is read
    return records


def too_many_fields(
    where: str, n_fields: int, expected: int, separator: str, hint: str
) -> ValueError:
    """Return the error for a row with more fields than the header."""
    separators = SEPARATORS.get(separator, f"'{separator}'")
    return ValueError(
        f"{where} has {n_fields} fields, but the header names {expected}: correct it, put fields "
        f"that hold {separators} into quotes, or name another separator (separator=...) or "
        f"the line of the header ({hint})"
    )


def _is_text(field: object) -> bool:
    return isinstance(field, str) and not NUMBER.fullmatch(field)


def _find_marks(rows: list[list[str]], separator: str) -> tuple[str, str]:
    """Return the decimal mark of the first rows, and the marks that text may have.

    It is a comma if that makes columns numeric, and no other columns are numeric with a point.
    """
    columns = [pd.Series(cells) for cells in zip_longest(*rows, fillvalue="")]
    # Beside other separators 1,234 is more often a decimal than a thousand.
    marks = ".," if separator == "," else ",."
    with_commas = (column for column in columns if column.str.contains(",").any())
    amounts = [read_amounts(column, marks) for column in with_commas]
    if not any(read is not None and read[1] == "," for read in amounts):
        # Without points either, the separator decides on text after the first rows.
        has_points = any(map(DECIMAL_POINT.fullmatch, chain(*rows)))
        return ".", ".," if has_points else marks
    needs_point = any(
        read_amounts(column, ".") is not None and read_amounts(column, ",") is None
        for column in columns
    )
    return (".", ".,") if needs_point else (",", ",")


def read_text(
    content: bytes, text_format: TextFormat, names: Sequence[str]
) -> pd.DataFrame:
    """Read a text file into a table with these names.

    In columns of text that are nearly all numbers these become floats, other cells stay as
    is. Their units are stored in ``table.attrs``.
    """
    exactly = EXACT_FLOATS | {"low_memory": False, "decimal": text_format.decimal}
    try:
        table = _read_csv(content, text_format, names, exactly)
    except pd.errors.ParserError as error:
        raise _in_plain_words(str(error), text_format) from None
    read_all_amounts(table, text_format.marks)
    if len(table) < table.shape[1]:
        table = table.copy()  # in one block: thousands of single columns are slow
    return table


def read_words(
    content: bytes, text_format: TextFormat, names: Sequence[str], column: str
) -> pd.Series:
    """Read one column of a text file verbatim; only empty fields are missing."""
    words = {"dtype": str, "na_values": [""], "keep_default_na": False}
    return _read_csv(content, text_format, names, words | {"usecols": [column]})[column]


def _read_csv(
    content: bytes,
    text_format: TextFormat,
    names: Sequence[str],
    options: dict[str, Any],
) -> pd.DataFrame:
    return pd.read_csv(
        BytesIO(content),
        sep=r"\s+" if text_format.separator == BLANK else text_format.separator,
        skiprows=text_format.names.skipped,
        header=None,
        names=list(names),
        skipinitialspace=True,
        **options,
    )


def _in_plain_words(message: str, text_format: TextFormat) -> ValueError:
    fields = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", message)
    if fields:
        expected, line, n_fields = map(int, fields.groups())
        hint = text_format.names.hint
        separator = text_format.separator
        return too_many_fields(f"line {line}", n_fields, expected, separator, hint)
    if "EOF inside string" in message:
        return ValueError("a quotation mark is opened and never closed")
    return ValueError(f"it is not a text table ({message})")
