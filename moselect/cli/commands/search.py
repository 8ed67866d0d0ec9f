"""The options of `moselect search`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from moselect.cli import completion
from moselect.cli.options import (
    BinningOption,
    BinsOption,
    DataArgument,
    JsonOption,
    OrderOption,
    QuietOption,
    ReadOption,
    TargetOption,
    binning_of,
    reading_of,
    split,
)
from moselect.cli.setting_options import settings_of, with_settings
from moselect.cli.terminal import Terminal
from moselect.search.settings import preset_settings


@with_settings
def search(
    data: DataArgument = None,
    target: TargetOption = None,
    order: OrderOption = None,
    bins: BinsOption = None,
    binning: BinningOption = None,
    drop: Annotated[
        str | None, typer.Option(help="Columns to leave out, with commas between them.")
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(help="Columns that stay even if they are constant or look like keys."),
    ] = None,
    categorical: Annotated[
        str | None, typer.Option(help="Columns of numbers that are names of categories.")
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help="Settings of a publication: waegeman2008.", autocompletion=completion.presets
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Run folder; by default a new one in runs/.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the run folder.")] = False,
    resume: Annotated[
        Path | None,
        typer.Option(
            help="Go on with the search in this run folder.",
            autocompletion=completion.run_folders,
        ),
    ] = None,
    read: ReadOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
    **options: Any,
) -> None:
    """Search the front of models of DATA, and keep it in a run folder."""
    from moselect.cli.search import resume_search, run_search
    from moselect.columns import Preparation
    from moselect.datasets.orders import parse_order

    settings = ({} if preset is None else preset_settings(preset)) | settings_of(options)
    prepared = {"drop": drop, "keep": keep, "categorical": categorical}
    named: Any = {name: split(text) for name, text in prepared.items() if text is not None}
    if named:
        settings["prepare"] = Preparation(random_state=settings.get("random_state"), **named)
    source: dict[str, Any] = {
        "target": target,
        "order": parse_order(order) if order else None,
        "bins": bins,
        "binning": binning_of(binning),
        "reading": reading_of(read),
    }
    if "categorical" in named:
        source["categorical"] = named["categorical"]
    terminal = Terminal(quiet=quiet, json=json)
    if resume is None:
        run_search(data, source, settings, out, force, terminal)
    elif out is not None or force:
        raise ValueError("--out and --force are for a new search: leave them out with --resume")
    else:
        resume_search(resume, data, source, settings, terminal)
