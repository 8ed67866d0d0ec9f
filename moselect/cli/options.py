"""Options shared by several commands, each declared once with its parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

import moselect
from moselect.cli.parsers import (
    binning,
    limit,
    missing_codes,
    number,
    numbers,
    reading,
    referral,
)
from moselect.datasets.sources import OPENML, list_datasets
from moselect.listing import names
from moselect.tables.reading import Reading, TableOptions

if TYPE_CHECKING:  # slow to import
    from moselect._types import Document

# typer has public names for some of its usage errors, but not for all of them together.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


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


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn errors of settings, which need no data, into those of the command line."""
    try:
        yield
    except ValueError as error:
        raise UsageError(str(error)) from None


def limits_of(limits: Sequence[tuple[str, float]] | None) -> dict[str, float]:
    """Return limits by mistake; a mistake with two limits is an error."""
    rates = dict(limits or ())
    if len(rates) < len(limits or ()):
        raise UsageError("--limit is given twice for the same mistake: give one of them")
    return rates


def complete_data() -> list[str]:
    """Offer the names of data sets: the bundled ones and those in the folder MOSELECT_DATA."""
    return [*list_datasets(), OPENML]


def _existing(path: Path) -> Path:
    """Return the path of a model; without slow imports, ValueError if there is no file."""
    if not path.is_file():
        raise ValueError(f"there is no model '{path}'")
    return path


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
Seconds = Annotated[
    float | None,
    option(
        "Time limit: no further fits begin.",
        read=number(float, lambda seconds: seconds > 0.0, "a number above 0"),
        metavar="FLOAT",
    ),
]
Jobs = Annotated[
    int | None,
    option(
        "Processes to fit with, or -1 for all processors.",
        read=number(int, bool, "a number, or -1 for all processors"),
        metavar="INTEGER",
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
        callback=_existing,
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
    with usage_errors():
        return moselect.Costs(
            class_costs, loss or "absolute", matrix, priors, refer, metric
        )
