"""What the documents that moselect reads have in common: labels, and how they are checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from moselect._validation import shortened

MOST_CLASSES = 100_000

Document = TypeVar("Document", bound=Struct)
Seed = Annotated[int, Meta(ge=0)]
Label = bool | int | float | str
Labels = Annotated[list[Label], Meta(min_length=2, max_length=MOST_CLASSES)]


def check_different_labels(labels: Sequence[Label]) -> None:
    """Raise ValueError unless labels are all different and of one kind."""
    if len({type(label) for label in labels}) > 1 or len(set(labels)) < len(labels):
        raise ValueError("classes must be different labels of one kind")


def heading_of(content: bytes) -> tuple[Any, Any]:
    """Return the format and the version that a document says it has; None for what is not said."""
    try:
        heading = msgspec.json.decode(content, type=_Heading)
    except (ValueError, RecursionError):  # no JSON, or a list or a number
        heading = _Heading()
    return heading.format, heading.schema


def decoded(content: bytes, kind: type[Document]) -> Document:
    """Return a document of a kind; ValueError, with where and why, if it is none."""
    try:
        return msgspec.json.decode(content, type=kind)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except UnicodeDecodeError:
        raise ValueError("it is no text in UTF-8") from None
    except ValueError as error:  # which quotes values that may be long
        raise ValueError(shortened(error)) from None


class _Heading(Struct):
    format: Any = None
    schema: Any = None
