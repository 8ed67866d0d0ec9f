"""How a table is read, each option declared once: for functions, commands and records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct


class Reading(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a file is written, where that is not to be recognised.

    ValueError for a separator of several characters, another decimal mark than a point or
    comma, or a header that is no line.
    """

    separator: Annotated[
        str | None, Meta(description="Separator of columns of text.")
    ] = None
    decimal: Annotated[str | None, Meta(description="Decimal mark of text.")] = None
    encoding: Annotated[str | None, Meta(description="Encoding of text.")] = None
    sheet: Annotated[str | None, Meta(description="Sheet of a workbook.")] = None
    header: Annotated[
        str | None,
        Meta(description="Line that names the columns, counted from 1, or none."),
    ] = None

    def __post_init__(self) -> None:
        separator, decimal = self.separator, self.decimal
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
    """What is the target of a table, its classes, and what is no feature.

    `load_dataset` takes these options and says what they are at length.
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
        Meta(description="Cut a numeric target into this many classes."),
    ] = None
    binning: Annotated[
        str | Sequence[float] | None,
        Meta(
            description="How to cut: uniform, quantile, or class priors such as 0.5,0.3,0.2."
        ),
    ] = None
    leave_out: Annotated[
        Sequence[bool | int | float | str] | None,
        Meta(description="Labels that are no classes, such as 9 for no answer: 7,9"),
    ] = None
    categorical: Annotated[
        Sequence[str] | None,
        Meta(description="Columns of numbers that are names of categories."),
    ] = None
    weight: Annotated[
        str | None,
        Meta(
            description="Column of weights: counts if all are whole, else relative ones."
        ),
    ] = None
    group: Annotated[
        str | None,
        Meta(
            description="Column of what rows belong to (a patient): never divided by a fold; none: "
            "equal rows are no copies."
        ),
    ] = None
    time: Annotated[
        str | None,
        Meta(description="Column of times: figures for new data are for later rows."),
    ] = None
    reading: Annotated[
        Reading | None,
        Meta(description="How the file is written, where that is not to be recognised."),
    ] = None
