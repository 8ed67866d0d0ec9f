"""What several commands take, and how it is read."""

from __future__ import annotations

import inspect
import shlex
import warnings
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from moselect.datasets.reading import Reading
from moselect.datasets.sources import OPENML, list_datasets
from moselect.search.settings import SETTINGS, SearchSettings

Command = Callable[..., None]


def complete_data() -> list[str]:
    """Offer the names of data sets: the bundled ones and those in the folder MOSELECT_DATA."""
    return [*list_datasets(), OPENML]


def _quieten(quiet: bool) -> bool:
    """Silence warnings too."""
    if quiet:
        warnings.simplefilter("ignore")
    return quiet


DATA = typer.Argument(
    metavar="DATA",
    help="A bundled name (boston), openml:ID, or a CSV, .xlsx or Parquet file.",
    show_default=False,
    autocompletion=complete_data,
)
MovedOption = Annotated[
    str | None,
    typer.Option(
        "--data",
        help="Where the data of the run are now, if they have moved.",
        autocompletion=complete_data,
    ),
]
OrderOption = Annotated[
    str | None, typer.Option(help="Labels of a text target, lowest first: low,mid,high")
]
ReadOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME=VALUE ...",
        help="How the file is read, where that is not to be recognised: separator (of columns of "
        "text), decimal (mark), encoding, sheet (of a workbook).",
        show_default=False,
    ),
]
TABLE_OPTIONS: dict[str, Any] = {
    "target": Annotated[
        str | None, typer.Option(help="Target column; by default a usual name or the last.")
    ],
    "order": OrderOption,
    "bins": Annotated[
        int | None, typer.Option(help="Cut a numeric target into this many classes.", min=2)
    ],
    "binning": Annotated[
        str | None,
        typer.Option(help="How to cut: uniform, quantile, or class priors such as 0.5,0.3,0.2."),
    ],
    "leave_out": Annotated[
        str | None,
        typer.Option(help="Labels that are no classes, such as 9 for no answer: 7,9"),
    ],
    "drop": Annotated[
        str | None, typer.Option(help="Columns to leave out, with commas between them.")
    ],
    "keep": Annotated[
        str | None,
        typer.Option(help="Columns that stay even if they are constant or look like keys."),
    ],
    "categorical": Annotated[
        str | None, typer.Option(help="Columns of numbers that are names of categories.")
    ],
    "weight": Annotated[
        str | None,
        typer.Option(help="Column of weights: counts if all are whole, else relative ones."),
    ],
    "group": Annotated[
        str | None,
        typer.Option(help="Column of what rows belong to (a patient): never divided by a fold."),
    ],
    "time": Annotated[
        str | None,
        typer.Option(help="Column of times: figures for new data are for later rows."),
    ],
    "read": ReadOption,
}
SETTING_OPTIONS: dict[str, Any] = {
    option.name: Annotated[option.kind | None, typer.Option(help=option.help, min=option.lowest)]
    for option in (setting.option for setting in SETTINGS.values())
    if option is not None
}
ClassCostsOption = Annotated[
    str | None,
    typer.Option(help="What a mistake costs on a row of each class, lowest first: 1,1,5"),
]
CostMatrixOption = Annotated[
    Path | None,
    typer.Option(help="File of all costs, .csv or .xlsx: true classes down, predicted across."),
]
LimitOption = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        help="Greatest share of a mistake on new data, may be repeated: severe<serious:0.2, "
        "slight>serious:0.1, 'called severe:0.05' or 'slight called severe:0.1'.",
    ),
]
ReferOption = Annotated[
    str | None,
    typer.Option(
        help="What it costs to leave a row to a person, for each class if there are several "
        "numbers, and what such a row is called: 2.5 or person:2.5."
    ),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")]
RunArgument = Annotated[
    Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)
]
QuietOption = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="No messages, no progress; errors are still told.",
        callback=_quieten,
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print the result as one JSON document, for scripts.")
]


def with_options(
    table: Mapping[str, Any], settings: Mapping[str, Any]
) -> Callable[[Command], Command]:
    """Return a decorator that gives a command of DATA more options, in place of ``**options``.

    Those of the ``table`` come behind DATA, ``settings`` at the end.
    """

    def add(command: Command) -> Command:
        data, *own, _ = inspect.signature(command, eval_str=True).parameters.values()
        first, last = (
            [data.replace(name=name, default=None, annotation=kind) for name, kind in more.items()]
            for more in (table, settings)
        )
        parameters = [data, *first, *own, *last]
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {one.name: one.annotation for one in parameters}
        return command

    return add


def table_of(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what options say of a table, as `load_dataset` and as `Preparation` takes it."""
    from moselect.listing import parse_order

    source = {
        "target": options["target"],
        "order": parse_order(options["order"]) if options["order"] else None,
        "bins": options["bins"],
        "binning": _binning_of(options["binning"]),
        "leave_out": parse_order(options["leave_out"]) if options["leave_out"] else None,
        **{name: options[name] for name in ("weight", "group", "time")},
        "reading": reading_of(options["read"]),
    }
    prepared = {name: split(options[name]) for name in ("drop", "keep", "categorical")}
    return source, {name: columns for name, columns in prepared.items() if columns is not None}


def reading_of(text: str | None) -> Reading | None:
    """Return how a file is to be read: separator=; decimal=, encoding=cp1252 sheet='May 2'."""
    if text is None:
        return None
    reading = dict(part.partition("=")[::2] for part in shlex.split(text))
    names = Reading.__struct_fields__
    if not (reading and all(name in names and reading[name] for name in reading)):
        raise ValueError(
            f"--read {text}: give some of {', '.join(f'{name}=' for name in names)} with a "
            "value, such as separator=tab decimal=,"
        )
    return Reading(**reading | ({"separator": "\t"} if reading.get("separator") == "tab" else {}))


def split(text: str | None) -> list[str] | None:
    """Return the parts of a list with commas."""
    return None if text is None else [part.strip() for part in text.split(",")]


def numbers(option: str, text: str | None) -> list[float] | None:
    """Return the numbers of a list with commas; an error names the option."""
    try:
        return None if text is None else [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{option} {text}: give numbers with commas between them") from None


def weights(option: str, text: str | None) -> dict[str, float] | None:
    """Return the weights of a list such as vus=2,accuracy=1; a name alone weighs 1."""
    if text is None:
        return None
    found: dict[str, float] = {}
    for part in text.split(","):
        name, _, weight = part.partition("=")
        if name.strip() in found:
            raise ValueError(f"{option} names {name.strip()} twice: give it one weight")
        try:
            found[name.strip()] = float(weight or 1)
        except ValueError:
            raise ValueError(
                f"{option} {text}: give names and weights, such as vus=2,accuracy=1"
            ) from None
    return found


def settings_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that options give; 0 stands for None where that is not the default."""
    settings: dict[str, Any] = {}
    for one in fields(SearchSettings):
        option = SETTINGS[one.name].option
        value = None if option is None else options[option.name]
        if value is None or option is None:
            continue
        if one.name == "class_costs":
            value = numbers("--class-costs", value)
        elif option.kind is str:
            value = split(value)
        elif value == 0 and one.default is not None:
            value = None
        settings[one.name] = value
    return settings


def _binning_of(text: str | None) -> str | list[float] | None:
    """Return the name of a binning, or its class priors."""
    is_name = text is None or not any(character.isdigit() for character in text)
    return text if is_name else numbers("--binning", text)
