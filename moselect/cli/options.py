"""Options shared by several commands, and parsers, which raise ValueError with a form to give."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import typer

from moselect.datasets.sources import check_source
from moselect.io.run_record import read_record
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
    values = dict(found)  # of a repeated name no value is taken silently
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
        name, code = pair(part, "=", float, "columns and codes: income=999,score=-9")
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


def option(
    text: str, *flags: str, read: Callable[[str], object] | None = None, **more: Any
) -> object:
    """Return an option; ``read`` turns its text into a value, or raises ValueError."""
    if read is None:
        return typer.Option(*flags, help=text, **more)

    @wraps(read)
    def parse(value: str) -> object:
        try:
            return read(value)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    about = {"metavar": read.__name__.upper(), "show_default": False, **more}
    return typer.Option(*flags, help=text, parser=parse, **about)


def names_option(text: str, **more: Any) -> object:
    """Return an option that takes names with commas between them."""
    return option(text, read=names, **more)


def argument(
    text: str, check: Callable[[Value], object] | None = None, **more: Any
) -> object:
    """Return an argument; ``check`` raises ValueError, before slow imports."""

    def checked(value: Value) -> Value:
        if check is not None and value is not None:
            check(value)
        return value

    return typer.Argument(help=text, show_default=False, callback=checked, **more)


def data_argument(text: str, metavar: str = "DATA") -> object:
    """Return an argument that names a table."""
    return argument(text, check_source, metavar=metavar)


def check_file(path: Path) -> None:
    """Raise ValueError if there is no such file; "-" is standard input."""
    if str(path) != "-" and not path.exists():
        raise ValueError(f"there is no file '{path}'")


Names = Sequence[str] | None
Numbers = Sequence[float] | None
ClassCosts = Annotated[
    Numbers,
    option(
        "Cost of missing a case of each class, lowest first; a mistake of two classes costs twice "
        "as much: 1,2,5,10",
        "--costs",
        "--class-costs",
        read=numbers,
    ),
]
CostMatrix = Annotated[
    Path | None,
    option(
        "Cost matrix, .csv or .xlsx: a row per true class, a column per predicted class. Cells "
        "may be expressions of columns: 0.3 * amount + 50."
    ),
]
Loss = Annotated[
    Literal["absolute", "squared", "zero_one"] | None,
    option("How the cost grows with the distance between classes: absolute by default."),
]
Metric = Annotated[
    str | None,
    option(
        "Metric to optimise instead of costs: quadratic_kappa, linear_kappa, kappa, f1:severe or "
        "jaccard:severe (class severe and above), minimum_sensitivity or maximum_mae (of a class)."
    ),
]
Priors = Annotated[
    Numbers,
    option(
        "Class prevalence in production, if it differs from the data: 0.9,0.1",
        read=numbers,
    ),
]
Limits = Annotated[
    list[object] | None,
    option(
        "Maximum error rate, may be repeated: severe<serious:0.2 (rows of class severe or "
        "above, predicted below serious), slight>serious:0.1 (slight or below, "
        "predicted above serious), 'predicted severe:0.05' (all rows) or 'slight predicted "
        "severe:0.1'; with 'by sex' after the error, in each group of a column.",
        "--limit",
        read=limit,
    ),
]
Refer = Annotated[
    Mapping[str, float | list[float]] | None,
    option(
        "Cost of a manual review, or one per true class, with an optional label for the rows "
        "that are referred: 2.5 or person:2.5.",
        read=referral,
    ),
]
Seconds = Annotated[
    float | None,
    option("Time limit: no further fits begin.", "--seconds", min=0.0),
]
Jobs = Annotated[
    int | None,
    option(
        "Processes to fit with, or -1 for all processors.",
        "--jobs",
        read=jobs,
        metavar="INTEGER",
    ),
]
Seed = Annotated[
    int | None,
    option("Random seed: a number, 0 by default, or random.", "--seed", read=seed),
]
DEFAULT_SEED = 0  # the same table gives everybody the same model
Force = Annotated[bool, option("Replace the file if it exists.", "--force")]
Quiet = Annotated[
    bool,
    option("No messages, progress or tables; errors are still shown.", "--quiet", "-q"),
]
Json = Annotated[
    bool, option("Print the result as one JSON document, for scripts.", "--json")
]
By = Annotated[
    Names,
    names_option(
        "Columns of groups to compare by cost and error rates: sex,region. They need not be "
        "features.",
    ),
]
RunFolder = Annotated[Path, argument("A run folder.", read_record, metavar="RUN")]
ModelPath = Annotated[
    Path, argument("A model.json or model.npz.", check_file, metavar="MODEL")
]
Order = Annotated[
    Names,
    names_option("All labels, lowest first: low,mid,high; 'mid + high' is one class."),
]
LeaveOut = Annotated[
    Names,
    names_option("Codes of the target to exclude, such as 9 for no answer: 7,9"),
]
Time = Annotated[
    str | None, option("Column of times: models are evaluated on later rows.")
]
Weight = Annotated[
    str | None,
    option("Column of sample weights, such as survey weights, or of counts of rows."),
]
WeightType = Annotated[
    Literal["counts", "sampling"] | None,
    option(
        "Whether weights are counts of equal rows, or sampling weights of any scale; by default "
        "counts only for the cells of a contingency table."
    ),
]
Group = Annotated[
    str | None,
    option(
        "Column of group IDs, such as patients, each kept in one fold; none: all rows are "
        "independent, duplicates included."
    ),
]
Read = Annotated[
    Reading | None,
    option(
        f"File format, to override auto-detection: {', '.join(Reading.__struct_fields__)}.",
        "--read",
        read=reading,
        metavar="NAME=VALUE ...",
    ),
]
