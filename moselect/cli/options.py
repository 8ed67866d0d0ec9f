"""Options shared by several commands, each declared once with its parser."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_type_hints

import typer

import moselect
from moselect.datasets.reading import Reading, TableOptions
from moselect.datasets.sources import OPENML, list_datasets
from moselect.listing import names

if TYPE_CHECKING:  # slow to import
    from moselect._types import Document

Value = TypeVar("Value")


def option(
    text: str, *flags: str, read: Callable[[str], object] | None = None, **more: Any
) -> Any:
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


def numbers(text: str) -> list[float]:
    """Parse a list of numbers."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{text}: give numbers with commas between them") from None


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
    label, costs = pair(text, ":", numbers, "a cost, or a label and a cost: person:2.5")
    return {label or "refer": costs[0] if len(costs) == 1 else costs}


def renaming(text: str) -> dict[str, str]:
    """Parse names of columns in a table, and their names in the model."""
    return by_name(text, "=", str, "name in the table=name in the model")


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


def complete_data() -> list[str]:
    """Offer the names of data sets: the bundled ones and those in the folder MOSELECT_DATA."""
    return [*list_datasets(), OPENML]


def data_argument(text: str, metavar: str = "DATA") -> Any:
    """Return an argument that names a table."""
    return typer.Argument(
        metavar=metavar, help=text, show_default=False, autocompletion=complete_data
    )


Names = Sequence[str] | None
Numbers = Sequence[float] | None
Growth = Literal["absolute", "squared", "zero_one"] | None
Review = Mapping[str, float | list[float]] | None
ClassCosts = Annotated[
    Numbers,
    option("Misclassification cost per true class, lowest first: 1,1,5", read=numbers),
]
CostMatrix = Annotated[
    Path | None,
    option(
        "Cost matrix, .csv or .xlsx: a row per true class, a column per predicted class. Cells "
        "may be expressions of columns: 0.3 * amount + 50."
    ),
]
Metric = Annotated[
    str | None,
    option(
        "Metric to optimise instead of costs: quadratic_kappa, linear_kappa, kappa, f1:severe or "
        "jaccard:severe (class severe and above), minimum_sensitivity or maximum_mae (of a class)."
    ),
]
Limits = Annotated[
    list[Any] | None,
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
    Review,
    option(
        "Cost of a manual review, or one per true class, with an optional label for the rows "
        "that are referred: 2.5 or person:2.5.",
        read=referral,
    ),
]
Dialect = Annotated[
    str | None,
    option(
        "SQL dialect: bigquery or snowflake; by default one for SQLite, PostgreSQL and DuckDB."
    ),
]
Force = Annotated[bool, option("Replace the file if it exists.", "--force")]
Quiet = Annotated[
    bool,
    option(
        "No messages, progress or tables; errors are still shown.",
        *("--quiet", "-q"),
    ),
]
Json = Annotated[
    bool, option("Print the result as one JSON document, for scripts.", "--json")
]
Moved = Annotated[
    str | None,
    option(
        "Path of the data, if they have moved since the search.",
        "--data",
        autocompletion=complete_data,
    ),
]
By = Annotated[
    Names,
    option(
        "Columns of groups to compare by cost and error rates: sex,region. They need not be "
        "features.",
        read=names,
    ),
]
RunFolder = Annotated[
    Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)
]
ModelPath = Annotated[
    Path,
    typer.Argument(
        metavar="MODEL",
        help="A model.json or model.npz.",
        show_default=False,
        exists=True,
        dir_okay=False,
    ),
]
Data = Annotated[
    str | None,
    data_argument("A bundled name (boston), openml:ID, or a CSV, .xlsx or Parquet file."),
]

_ABOUT = {
    name: field.__metadata__[0].description
    for name, field in get_type_hints(TableOptions, include_extras=True).items()
}
Target = Annotated[str | None, option(_ABOUT["target"])]
Order = Annotated[Names, option(_ABOUT["order"], read=names)]
Bins = Annotated[int | None, option(_ABOUT["bins"], min=2)]
# A name or priors: typer takes no unions.
Binning = Annotated[Any, option(_ABOUT["binning"], read=binning)]
LeaveOut = Annotated[Names, option(_ABOUT["leave_out"], read=names)]
Categorical = Annotated[Names, option(_ABOUT["categorical"], read=names)]
Weight = Annotated[str | None, option(_ABOUT["weight"])]
WeightType = Annotated[
    Literal["counts", "sampling"] | None, option(_ABOUT["weight_type"])
]
Group = Annotated[str | None, option(_ABOUT["group"])]
Time = Annotated[str | None, option(_ABOUT["time"])]
Read = Annotated[
    Reading | None,
    option(
        f"{_ABOUT['reading'].rstrip('.')}: {', '.join(Reading.__struct_fields__)}.",
        "--read",
        read=reading,
        metavar="NAME=VALUE ...",
    ),
]
Drop = Annotated[Names, option("Columns to exclude, separated by commas.", read=names)]
Keep = Annotated[
    Names,
    option("Columns to keep although they are constant or look like keys.", read=names),
]
Missing = Annotated[
    Mapping[str, Sequence[float]] | None,
    option(
        "Codes of missing values in numeric columns: income=999,score=-9",
        read=missing_codes,
        metavar="COL=CODE,...",
    ),
]
Ignore = Annotated[
    Names, option("Codes of remarks to suppress, such as MS101,MS106.", read=names)
]


def table_of(options: Mapping[str, object]) -> Document:
    """Select the options of a table that are given, by their names in `TableOptions`."""
    return stated(**{name: options[name] for name in _ABOUT})


def stated(**options: object) -> Document:
    """Return the options that are given."""
    return {name: value for name, value in options.items() if value is not None}


def costs_of(
    classes: Sequence[object],
    class_costs: Numbers,
    cost_matrix: Path | None = None,
    loss: Growth = None,
    priors: Numbers = None,
    refer: Review = None,
    metric: str | None = None,
) -> moselect.Costs | None:
    """Return the misclassification costs given by options; None if there are none."""
    if class_costs is None and cost_matrix is None and metric is None:
        return None
    matrix = None
    if cost_matrix is not None:
        matrix = moselect.io.read_cost_matrix(cost_matrix, classes)
    return moselect.Costs(class_costs, loss or "absolute", matrix, priors, refer, metric)
