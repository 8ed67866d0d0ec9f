"""Options for reading tables, and their header and footer rows: titles, names and sums."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:  # slow to import
    import pandas as pd


class Reading(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Format of a file, to override auto-detection.

    Field ``separator``, ``decimal`` mark and ``encoding`` of a text file, ``sheet`` of a
    workbook, ``header``, the line that names the columns, counted from 1, or ``"none"``,
    ``dates``, whether 03/04/2024 has the ``"day"`` or the ``"month"`` first, and ``query``, the
    SQL query of a database.
    ValueError for a separator of several characters, a decimal mark other than point or
    comma, an invalid line number of the header, or other dates.
    """

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    header: str | None = None
    dates: str | None = None
    query: str | None = None

    def __post_init__(self) -> None:
        if self.separator is not None and len(self.separator) != 1:
            raise ValueError(
                "the separator must be one character such as ; or | but not "
                f"'{self.separator}'"
            )
        if self.decimal is not None and self.decimal not in {".", ","} - {self.separator}:
            raise ValueError(
                f"the decimal mark must be . or , and not '{self.decimal}', or the separator"
            )
        if not re.fullmatch("none|[1-9][0-9]{0,5}", str(self.header or "none")):
            raise ValueError(
                f"the header must be the number of a line or none, not '{self.header}'"
            )
        if self.dates not in (None, "day", "month"):
            raise ValueError(f"dates must be day or month first, not '{self.dates}'")


def is_url(name: str) -> bool:
    """Return whether a source is the connection URL of a database."""
    return "://" in name


def is_many_files(name: str) -> bool:
    """Return whether a source is a folder, or a pattern such as ``claims/*.parquet``."""
    path = Path(name)
    is_pattern = ("*" in name or "?" in name) and not path.exists()
    return bool(name) and (path.is_dir() or is_pattern)


def files_of(path: Path) -> list[Path]:
    """Return a file, or the files of a folder or a pattern in the order of their names."""
    if path.is_file():
        return [path]
    if path.is_dir():
        return sorted(path.rglob("*.parquet"))
    root = Path(path.anchor)
    return sorted(root.glob(str(path.relative_to(root))))


HEAD_ROWS = 50  # leading rows searched for column names
SUMS = set(
    """sum|sums|total|totals|grand total|average|mean|summe|summen|gesamt|gesamtsumme|insgesamt
    |mittelwert|durchschnitt|somme|total général|moyenne|suma|totale|media""".replace(
        "\n    ", ""
    ).split("|")
)


NO_NAMES = "header=none"  # the option for a file without column names


class Names(NamedTuple):
    """Position of the column names in a file, and the rows that are not data.

    Rows are counted from 0; without names, ``row`` is the last one before the data. Rows
    ``skipped`` are all up to this one, and further rows of names below. The ``hint`` is the
    option to try if this position turns out to be wrong.
    """

    row: int
    skipped: tuple[int, ...]
    hint: str = NO_NAMES
    given: bool = True

    def of(self, rows: Any, n_columns: int) -> list[str]:
        """Return the column names, stripped, or x1, x2 and so on without a header.

        ``rows`` maps a row number to its cells. A column without a name gets ``""``.
        """
        if not self.given:
            return [f"x{j + 1}" for j in range(n_columns)]
        return ["" if name != name else str(name).strip() for name in rows[self.row]]

    def notes(self, n_titles: int, row: str = "row") -> dict[str, object]:
        """Return possible notes on skipped rows, each with whether it applies."""
        rows = f"{n_titles} {row}{'s' * (n_titles > 1)}"
        n_extra = len(self.skipped) - self.row - 1
        return {
            f"{rows} above the names of columns skipped": n_titles > 0,
            f"further rows of names skipped: {n_extra}": n_extra > 0,
        }


def find_names(
    cells: pd.DataFrame, is_text: Callable[[object], bool], header: str | None = None
) -> Names:
    """Locate the column names in the first rows of a table, with empty cells as NaN.

    The index of ``cells`` are the row numbers of the file, from 0. Titles above the names
    have at most half as many cells as most rows; names are text. A given ``header``, as in
    `Reading`, overrides the detection.
    """
    if header == "none":
        before = tuple(range(cells.index[0]))
        return Names(len(before) - 1, before, given=False)
    counts = cells.count(axis=1)
    below = int((2 * counts > counts.mode().max()).to_numpy().argmax())
    hint = f"header={cells.index[below] + 1}" if below else NO_NAMES
    rows = cells.iloc[below:]
    if header is not None:
        rows = cells.loc[int(header) - 1 :]
        if rows.empty or rows.index[0] != int(header) - 1:
            raise ValueError(f"line {header} is none of names (header={header})")
    elif not rows.iloc[0].dropna().map(is_text).all():
        rows = cells
    n_extra = 0
    while _is_named_again(rows.drop(rows.index[1 : 1 + n_extra]), is_text):
        n_extra += 1
    row, *extra = rows.index[: 1 + n_extra].tolist()
    return Names(row, (*range(row + 1), *extra), hint)


def _is_named_again(cells: pd.DataFrame, is_text: Callable[[object], bool]) -> bool:
    """Return whether the second row is text where later rows have numbers or dates.

    A data row with words for missing values does not count: it shares cells with later
    rows.
    """
    texts = cells.map(is_text)
    rest = cells.iloc[2:]
    if rest.empty:
        return False
    typed = (rest.notna() & ~texts.iloc[2:]).any()
    second = cells.iloc[1]
    return bool(
        texts.iloc[0].all()
        and (texts.iloc[1] | second.isna()).all()
        and (texts.iloc[1] & typed).any()
        and not rest.eq(second).any(axis=None)
    )


def label_of_sums(cells: Iterable[object]) -> str | None:
    """Return the first cell of a row if it is a word for sums, totals or means."""
    texts = (str(cell).strip() for cell in cells if cell == cell)
    label = next(filter(None, texts), "")
    return label if label.rstrip(":").casefold() in SUMS else None
