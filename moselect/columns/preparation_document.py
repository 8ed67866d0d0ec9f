"""A fitted preparation as plain values, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from moselect._validation import shortened
from moselect.columns.prepared_columns import PreparedColumn

SCHEMA: Literal[1] = 1


class LeftOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column that is left out, and why.

    Examples
    --------
    >>> import pandas as pd
    >>> from moselect.columns import Preparation
    >>> table = pd.DataFrame({"claim": [f"C{i}" for i in range(20)], "age": range(20)})
    >>> [left.name for left in Preparation().fit(table).left_out_]
    ['claim']
    """

    name: str
    reason: str


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    schema: Literal[1]
    names: tuple[str, ...]
    columns: tuple[PreparedColumn, ...]
    left_out: tuple[LeftOut, ...]


def to_document(
    names: Sequence[str], columns: tuple[PreparedColumn, ...], left_out: tuple[LeftOut, ...]
) -> dict[str, Any]:
    """Return all columns of a table, and what is done to each, as values that JSON can hold."""
    plain: dict[str, Any] = msgspec.to_builtins(_Document(SCHEMA, tuple(names), columns, left_out))
    return plain


def from_document(
    document: Mapping[str, Any],
) -> tuple[tuple[str, ...], tuple[PreparedColumn, ...], tuple[LeftOut, ...]]:
    """Return what `to_document` was given; nothing is executed, and all of it is checked.

    Raises
    ------
    ValueError
        If the document is none of a preparation.
    """
    try:
        found = msgspec.convert(document, _Document)
    except (msgspec.ValidationError, ValueError, OverflowError) as error:
        raise ValueError(f"this is no preparation of columns: {shortened(error)}") from None
    names = [column.name for column in (*found.columns, *found.left_out)]
    if sorted(names) != sorted(found.names) or len(set(names)) < len(names):
        raise ValueError("this is no preparation of columns: names and columns do not agree")
    return found.names, found.columns, found.left_out
