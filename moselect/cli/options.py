"""What several commands take: each option declared once, with how its text is read."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import typer

import moselect
from moselect.cli.values import (
    READ_BY,
    binning,
    limit,
    names,
    numbers,
    reading,
    referral,
)
from moselect.datasets.reading import TableOptions
from moselect.datasets.sources import OPENML, list_datasets
from moselect.listing import in_one_line, parse_order
from moselect.search.settings import SETTINGS, SearchSettings

Command = Callable[..., None]


def option(
    text: str, *flags: str, read: Callable[[str], Any] | None = None, **more: Any
) -> Any:
    """Return an option; ``read`` turns its text into a value, or raises ValueError."""
    if read is None:
        return typer.Option(*flags, help=text, **more)

    @wraps(read)
    def parse(value: str) -> Any:
        try:
            return read(value)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    metavar = read.__name__.removeprefix("parse_").upper()
    about = {"metavar": metavar, "show_default": False, **more}
    return typer.Option(*flags, help=text, parser=parse, **about)


def complete_data() -> list[str]:
    """Offer the names of data sets: the bundled ones and those in the folder MOSELECT_DATA."""
    return [*list_datasets(), OPENML]


def data_argument(text: str, metavar: str = "DATA") -> Any:
    """Return an argument that names a table."""
    return typer.Argument(
        metavar=metavar, help=text, show_default=False, autocompletion=complete_data
    )


def _file_of_model(path: Path) -> Path:
    """Return a path; ValueError if there is no file."""
    if not path.is_file():
        raise ValueError(f"there is no model '{path}'")
    return path


def _quieten(quiet: bool) -> bool:
    """Silence warnings too."""
    if quiet:
        warnings.simplefilter("ignore")
    return quiet


Numbers = Sequence[float] | None
ClassCosts = Annotated[
    Numbers,
    option(
        "What a mistake costs on a row of each class, lowest first: 1,1,5", read=numbers
    ),
]
CostMatrix = Annotated[
    Path | None,
    option("File of all costs, .csv or .xlsx: true classes down, predicted across."),
]
Limits = Annotated[
    list[Any] | None,
    option(
        "Greatest share of a mistake on new data, may be repeated: severe<serious:0.2 (rows of "
        "class severe or above, predicted below serious), slight>serious:0.1 (slight or below, "
        "predicted above serious), 'called severe:0.05' or 'slight called severe:0.1'.",
        "--limit",
        read=limit,
    ),
]
Refer = Annotated[
    Mapping[str, Any] | None,
    option(
        "What it costs to leave a row to a person, for each class if there are several numbers, "
        "and what such a row is called: 2.5 or person:2.5.",
        read=referral,
    ),
]
Force = Annotated[bool, option("Replace the file if it exists.", "--force")]
Quiet = Annotated[
    bool,
    option(
        "No messages, progress or tables; errors are still told.",
        *("--quiet", "-q"),
        callback=_quieten,
    ),
]
Json = Annotated[
    bool, option("Print the result as one JSON document, for scripts.", "--json")
]
Moved = Annotated[
    str | None,
    option(
        "Where the data of the run are now, if they have moved.",
        "--data",
        autocompletion=complete_data,
    ),
]
RunFolder = Annotated[
    Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)
]
ModelPath = Annotated[
    Path,
    typer.Argument(
        metavar="MODEL",
        help="A model.json or model.skops.",
        show_default=False,
        callback=_file_of_model,
    ),
]
Data = Annotated[
    str | None,
    data_argument("A bundled name (boston), openml:ID, or a CSV, .xlsx or Parquet file."),
]

_READERS: dict[str, Callable[[str], Any]] = {
    "order": parse_order,
    "leave_out": parse_order,
    "binning": binning,
    "categorical": names,
    "reading": reading,
    "class_costs": numbers,
    "objectives": names,
}


def _table_option(name: str, kind: Any) -> Any:
    text, read = kind.__metadata__[0].description, _READERS.get(name)
    if name == "reading":
        text = f"{text.rstrip('.')}: {', '.join(READ_BY)}."
        return Annotated[Any, option(text, "--read", read=read, metavar="NAME=VALUE ...")]
    if name == "bins":
        return Annotated[int | None, option(text, min=2)]
    return Annotated[kind.__origin__ if read is None else Any, option(text, read=read)]


TABLE: dict[str, Any] = {
    name: _table_option(name, kind)
    for name, kind in get_type_hints(TableOptions, include_extras=True).items()
}
Order, Read = TABLE["order"], TABLE["reading"]
PREPARATION: dict[str, Any] = {
    name: Annotated[Any, option(text, read=names)]
    for name, text in {
        "drop": "Columns to leave out, with commas between them.",
        "keep": "Columns that stay even if they are constant or look like keys.",
    }.items()
}
SEARCH: dict[str, Any] = {
    about.name: Annotated[
        Any if about.name in _READERS else about.kind | None,
        option(about.help, min=about.lowest, read=_READERS.get(about.name)),
    ]
    for about in (setting.option for setting in SETTINGS.values())
    if about is not None
}


def with_options(*more: Mapping[str, Any]) -> Callable[[Command], Command]:
    """Return a decorator that gives a command more options, in place of its ``**options``.

    They are parameters, or annotations of parameters that are None by default.
    """

    def add(command: Command) -> Command:
        *stated, _ = inspect.signature(command, eval_str=True).parameters.values()
        for name, about in (item for options in more for item in options.items()):
            if not isinstance(about, inspect.Parameter):
                kind = inspect.Parameter.KEYWORD_ONLY
                about = inspect.Parameter(name, kind, default=None, annotation=about)
            stated.append(about)
        signature = inspect.Signature(stated)
        command.__signature__ = signature  # type: ignore[attr-defined]
        command.__annotations__ = {option.name: option.annotation for option in stated}
        return command

    return add


def table_of(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what options say of a table, as `load_dataset` and as `Preparation` takes it."""
    prepared = {name: options[name] for name in (*PREPARATION, "categorical")}
    return (
        {name: options[name] for name in TABLE},
        {name: columns for name, columns in prepared.items() if columns is not None},
    )


def settings_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that options give; 0 stands for None where that is not the default."""
    settings: dict[str, Any] = {}
    for setting in fields(SearchSettings):
        about = SETTINGS[setting.name].option
        value = None if about is None else options[about.name]
        if value is not None:
            is_none = value == 0 and setting.default is not None
            settings[setting.name] = None if is_none else value
    return settings


def costs_of(
    classes: Sequence[Any],
    class_costs: Sequence[float] | None,
    cost_matrix: Path | None = None,
    loss: Literal["absolute", "squared", "zero_one"] | None = None,
    priors: Sequence[float] | None = None,
    refer: Mapping[str, Any] | None = None,
) -> moselect.Costs | None:
    """Return what mistakes cost, by the options of a command; None if they do not say it."""
    if class_costs is not None and cost_matrix is not None:
        raise ValueError("give one of --class-costs and --cost-matrix")
    for flag, values in (("--class-costs", class_costs), ("--priors", priors)):
        if values is not None and len(values) != len(classes):
            raise ValueError(
                f"{flag} has {len(values)} numbers, but there are {len(classes)} classes: "
                f"{', '.join(in_one_line(label) for label in classes)}"
            )
    if cost_matrix is not None:
        matrix = moselect.storage.read_cost_matrix(cost_matrix, classes)
        return moselect.Costs(cost_matrix=matrix, priors=priors, refer=refer)
    if class_costs is None:
        return None
    return moselect.Costs(class_costs, loss or "absolute", priors=priors, refer=refer)
