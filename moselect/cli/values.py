"""From the text of an option to its value; ValueError says how it is written."""

import csv
import shlex

from moselect.datasets.reading import Reading
from moselect.listing import parse_order

READ_BY = Reading.__struct_fields__


def numbers(text: str) -> list[float]:
    """Read a list of numbers."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{text}: give numbers with commas between them") from None


def names(text: str) -> list[str]:
    """Read a list of names, in double quotes if they hold a comma."""
    return [part.strip() for part in next(csv.reader([text], skipinitialspace=True))]


def weights(text: str) -> dict[str, float]:
    """Read names and weights; a name alone weighs 1."""
    by_name: dict[str, float] = {}
    for part in text.split(","):
        name, _, weight = part.partition("=")
        if name.strip() in by_name:
            raise ValueError(f"names {name.strip()} twice: give it one weight")
        try:
            by_name[name.strip()] = float(weight or 1)
        except ValueError:
            raise ValueError(
                f"{text}: give names and weights, such as vus=2,accuracy=1"
            ) from None
    return by_name


def missing_codes(text: str) -> dict[str, list[float]]:
    """Read codes that stand for a missing value: columns, = and a number."""
    codes: dict[str, list[float]] = {}
    for part in parse_order(text):
        name, _, code = part.rpartition("=")
        try:
            codes.setdefault(name.strip(), []).append(float(code))
        except ValueError:
            raise ValueError(
                f"{text}: give columns and codes, such as income=999,score=-9"
            ) from None
    return codes


def directions(text: str) -> dict[str, int]:
    """Read names of columns and their directions, + or -."""
    signs = {"+": 1, "-": -1}
    by_name: dict[str, int] = {}
    for part in text.split(","):
        name, _, sign = part.rpartition(":")
        if sign.strip() not in signs:
            raise ValueError(
                f"{text}: give columns and directions, + (rising) or - (falling), such as "
                "age:+,income:-"
            )
        if by_name.setdefault(name.strip(), signs[sign.strip()]) != signs[sign.strip()]:
            raise ValueError(f"{text}: column {name.strip()!r} has two directions")
    return by_name


def renaming(text: str) -> tuple[str, str]:
    """Read the name of a column in a table, and in the model."""
    old, _, new = text.partition("=")
    if not (old.strip() and new.strip()) or "=" in new:
        raise ValueError(
            f"{text}: write 'name in the table=name in the model', and the option again for another"
        )
    return old.strip(), new.strip()


def limit(text: str) -> tuple[str, float]:
    """Read a mistake and its greatest share."""
    words, _, share = text.rpartition(":")
    try:
        return words, float(share)
    except ValueError:
        raise ValueError(f"{text}: write 'severe<serious:0.2'") from None


def referral(text: str) -> dict[str, float | list[float]]:
    """Parse the cost and label of a referral: 2.5, person:2.5 or person:1,2,5."""
    label, _, costs = text.rpartition(":")
    class_costs = numbers(costs)
    cost = class_costs[0] if len(class_costs) == 1 else class_costs
    return {label.strip() or "refer": cost}


def binning(text: str) -> str | list[float]:
    """Read the name of a binning, or its class priors."""
    return numbers(text) if any(character.isdigit() for character in text) else text


def reading(text: str) -> Reading:
    """Read how a file is to be read: separator=; decimal=, encoding=cp1252 sheet='May 2'."""
    settings = dict(part.partition("=")[::2] for part in shlex.split(text))
    if not (settings and all(name in READ_BY and settings[name] for name in settings)):
        raise ValueError(
            f"{text}: give some of {', '.join(f'{name}=' for name in READ_BY)} with a value, such "
            "as separator=tab decimal=,"
        )
    if settings.get("separator") == "tab":
        settings["separator"] = "\t"
    return Reading(**settings)
