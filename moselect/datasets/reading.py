"""Options for reading tables, declared once for functions, commands and records."""

import re
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct


class Reading(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Format of a file, to override auto-detection.

    Field ``separator``, ``decimal`` mark and ``encoding`` of a text file, ``sheet`` of a
    workbook, and ``header``, the line that names the columns, counted from 1, or ``"none"``.
    ValueError for a separator of several characters, a decimal mark other than point or
    comma, or an invalid line number of the header.
    """

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    header: str | None = None

    def __post_init__(self) -> None:
        separator = self.separator
        decimal = self.decimal
        if separator is not None and not (len(separator) == 1 and separator.isascii()):
            raise ValueError(
                f"the separator must be one character such as ; or | but not '{separator}'"
            )
        if decimal not in (None, ".", ",") or (
            decimal is not None and decimal == separator
        ):
            raise ValueError(
                f"the decimal mark must be . or , and not '{decimal}', or the separator"
            )
        if not re.fullmatch("none|[1-9][0-9]{0,5}", str(self.header or "none")):
            raise ValueError(
                f"the header must be the number of a line or none, not '{self.header}'"
            )


class TableOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Target, classes, and columns other than features of a table.

    The options are documented in `load_dataset`.
    """

    target: Annotated[
        str | None,
        Meta(description="Target column; by default a usual name or the last."),
    ] = None
    order: Annotated[
        Sequence[bool | int | float | str] | None,
        Meta(
            description="All labels, lowest first: low,mid,high; 'mid + high' is one class."
        ),
    ] = None
    bins: Annotated[
        Annotated[int, Meta(ge=2)] | None,
        Meta(description="Number of classes into which a numeric target is binned."),
    ] = None
    binning: Annotated[
        str | Sequence[float] | None,
        Meta(
            description="Bins of a numeric target: uniform, quantile or priors such as 0.5,0.3,0.2."
        ),
    ] = None
    leave_out: Annotated[
        Sequence[bool | int | float | str] | None,
        Meta(description="Codes of the target to exclude, such as 9 for no answer: 7,9"),
    ] = None
    categorical: Annotated[
        Sequence[str] | None,
        Meta(description="Numeric columns to treat as categorical."),
    ] = None
    weight: Annotated[
        str | None,
        Meta(
            description="Column of sample weights: counts if all are integers, else relative."
        ),
    ] = None
    group: Annotated[
        str | None,
        Meta(
            description="Column of group IDs, such as patients, each kept in one fold; none: all "
            "rows are independent, duplicates included."
        ),
    ] = None
    time: Annotated[
        str | None,
        Meta(description="Column of times: models are evaluated on later rows."),
    ] = None
    reading: Annotated[
        Reading | None,
        Meta(description="File format, to override auto-detection."),
    ] = None
