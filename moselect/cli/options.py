"""What several commands take, and how it is read."""

from __future__ import annotations

import shlex
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from moselect.cli import completion

if TYPE_CHECKING:
    from moselect.datasets.files.tables import Reading


READ_BY = ("separator", "decimal", "encoding", "sheet")


def _quieten(quiet: bool) -> bool:
    """Silence warnings too."""
    if quiet:
        warnings.simplefilter("ignore")
    return quiet


DataArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="DATA",
        help="A bundled name (boston), openml:ID, or a CSV or Parquet file.",
        show_default=False,
        autocompletion=completion.data_sets,
    ),
]
TargetOption = Annotated[
    str | None, typer.Option(help="Target column; by default a usual name or the last.")
]
OrderOption = Annotated[
    str | None, typer.Option(help="Labels of a text target, lowest first: low,mid,high")
]
BinsOption = Annotated[
    int | None, typer.Option(help="Cut a numeric target into this many classes.", min=2)
]
BinningOption = Annotated[
    str | None,
    typer.Option(
        help="How to cut: uniform, quantile, or class priors such as 0.5,0.3,0.2.",
        autocompletion=completion.binnings,
    ),
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
ClassCostsOption = Annotated[
    str | None,
    typer.Option(help="What a mistake costs on a row of each class, lowest first: 1,1,5"),
]
LossOption = Annotated[
    Literal["absolute", "squared", "zero_one"],
    typer.Option(help="How the cost grows with the distance between classes."),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")]
RunArgument = Annotated[
    Path,
    typer.Argument(
        metavar="RUN",
        help="A run folder.",
        show_default=False,
        autocompletion=completion.run_folders,
    ),
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


def split(text: str | None) -> list[str] | None:
    """Return the parts of a list with commas."""
    return None if text is None else [part.strip() for part in text.split(",")]


def reading_of(text: str | None) -> Reading | None:
    """Return how a file is to be read: separator=; decimal=, encoding=cp1252 sheet='May 2'."""
    if text is None:
        return None
    parts = shlex.shlex(text, posix=True)
    parts.whitespace_split, parts.commenters, parts.escape = True, "", ""
    reading: dict[str, str] = {}
    for part in parts:
        name, _, value = part.partition("=")
        if name not in READ_BY or not value:
            raise ValueError(
                f"--read {text}: give some of {', '.join(f'{name}=' for name in READ_BY)} with a "
                "value, such as separator=tab decimal=,"
            )
        is_tab = name == "separator" and value in ("tab", "\\t")
        reading[name] = "\t" if is_tab else value
    return cast("Reading", reading)


def binning_of(text: str | None) -> str | list[float] | None:
    """Return the name of a binning, or its class priors."""
    if text is None or not any(character.isdigit() for character in text):
        return text
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(
            f"--binning {text} is neither a name nor numbers such as 0.5,0.3,0.2"
        ) from None


def numbers(option: str, text: str | None) -> list[float] | None:
    """Return the numbers of a list with commas; an error names the option."""
    if text is None:
        return None
    try:
        return [float(part) for part in text.split(",")]
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
