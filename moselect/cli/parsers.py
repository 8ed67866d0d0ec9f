"""Parsers of the texts of options: a value, or ValueError with the form to give."""

import secrets
import shlex
from collections.abc import Callable
from typing import TypeVar

from moselect.listing import names
from moselect.tables.reading import Reading

Value = TypeVar("Value")


def numbers(text: str) -> list[float]:
    """Parse a list of numbers."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{text}: give numbers with commas between them") from None


def jobs(text: str) -> int:
    """Parse a number of processes, or -1."""
    if text.removeprefix("-").isdecimal() and int(text) != 0:
        return int(text)
    raise ValueError(f"{text}: give a number, or -1 for all processors")


def seed(text: str) -> int:
    """Parse a random seed, or draw one."""
    if text == "random":
        return secrets.randbits(32)
    if text.isdecimal():
        return int(text)
    raise ValueError(f"{text}: give a number of 0 or more, or random")


def pair(
    text: str, mark: str, read: Callable[[str], Value], example: str
) -> tuple[str, Value]:
    """Parse a name and its value, divided by the last mark."""
    name, _, value = text.rpartition(mark)
    try:
        return name.strip(), read(value.strip())
    except (ValueError, KeyError):
        raise ValueError(f"{text}: give {example}") from None


def by_name(
    text: str, mark: str, read: Callable[[str], Value], example: str
) -> dict[str, Value]:
    """Parse names with commas between them, each with one value."""
    found = [pair(part, mark, read, example) for part in names(text)]
    # A repeated name may be a mistake: neither of its values is taken silently.
    values = dict(found)
    if len(values) < len(found) or not all(values):
        raise ValueError(f"{text}: give {example}, each name once")
    return values


def weights(text: str) -> dict[str, float]:
    """Parse names and weights."""
    return by_name(text, "=", float, "names and weights, such as vus=2,accuracy=1")


def directions(text: str) -> dict[str, int]:
    """Parse names of columns and their directions, + or -."""
    signs = {"+": 1, "-": -1}
    example = "columns and directions, + (rising) or - (falling): age:+,income:-"
    return by_name(text, ":", signs.__getitem__, example)


def missing_codes(text: str) -> dict[str, list[float]]:
    """Parse codes of missing values: names of columns and a number each."""
    codes: dict[str, list[float]] = {}
    for part in names(text):
        example = "columns and codes, such as income=999,score=-9"
        name, code = pair(part, "=", float, example)
        codes.setdefault(name, []).append(code)
    return codes


def limit(text: str) -> tuple[str, float]:
    """Parse an error and its maximum rate."""
    return pair(text, ":", float, "an error and its maximum rate: 'severe<serious:0.2'")


def referral(text: str) -> dict[str, float | list[float]]:
    """Parse the cost and label of a referral: 2.5, person:2.5 or person:1,2,5."""
    example = "a cost, or a label and a cost: person:2.5"
    label, costs = pair(text, ":", numbers, example)
    if ":" in text and not label:
        raise ValueError(f"{text}: give {example}")
    return {label or "refer": costs[0] if len(costs) == 1 else costs}


def binning(text: str) -> str | list[float]:
    """Parse the name of a binning, or its class priors."""
    return numbers(text) if any(character.isdigit() for character in text) else text


def reading(text: str) -> Reading:
    """Parse how a file is read: separator=; decimal=, encoding=cp1252 sheet='May 2'."""
    settings = dict(part.partition("=")[::2] for part in shlex.split(text))
    known = Reading.__struct_fields__
    if not (settings and all(name in known and settings[name] for name in settings)):
        raise ValueError(
            f"{text}: give some of {', '.join(f'{name}=' for name in known)} with a value, such "
            "as separator=tab decimal=,"
        )
    if settings.get("separator") == "tab":
        settings["separator"] = "\t"
    return Reading(**settings)
