"""How a setting of a search is declared, and put into a docstring."""

from __future__ import annotations

import textwrap
from dataclasses import field, fields
from numbers import Number
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct


class Option(NamedTuple):
    """The option of ``moselect search`` that gives a setting."""

    name: str  # without the two hyphens
    kind: Any  # what is read; for a sequence, text with commas
    help: str  # one line
    # least value; 0 stands for None where that is not the default
    lowest: int | None = None


class Setting(NamedTuple):
    """What is known of a setting besides its default."""

    accepts: str  # its type, as docstrings say it
    description: str  # what it does
    recorded: Any  # its type and range in ``run.json``
    # in words, if ``recorded`` says it; others are checked where used
    range: str | None = None
    option: Option | None = None  # by which the command line gives it

    def checked(self, name: str, value: Any) -> Any:
        """Return a value as it is recorded; ValueError if it is out of range."""
        if isinstance(value, Number) and hasattr(value, "item"):
            value = value.item()  # of numpy's numbers
        try:
            return msgspec.convert(value, self.recorded)
        except msgspec.ValidationError:
            raise ValueError(f"{name} is {value!r}: give {self.range}") from None


class PreparationRecord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of `moselect.columns.Preparation`."""

    drop: list[str]
    keep: list[str]
    categorical: list[str]
    random_state: Annotated[int, Meta(ge=0)] | None
    further: bool = False


def setting(default: Any, *about: Any, **more: Any) -> Any:
    """Return the field of a setting, of which `Setting` says what there is to know."""
    return field(default=default, metadata={"setting": Setting(*about, **more)})


def parameters_section(settings: Any) -> str:
    """Return the settings of a dataclass as docstrings list parameters."""
    lines, indent = [], " " * 8
    for declared in fields(settings):
        about = declared.metadata["setting"]
        default = (
            "optional" if declared.default is None else f"default={declared.default!r}"
        )
        lines += [f"    {declared.name} : {about.accepts}, {default}"]
        lines += [
            textwrap.fill(
                about.description, 98, initial_indent=indent, subsequent_indent=indent
            )
        ]
    return "\n".join(lines)
