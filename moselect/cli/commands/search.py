"""The options of `moselect search`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from moselect.cli.options import (
    DATA,
    SETTING_OPTIONS,
    TABLE_OPTIONS,
    JsonOption,
    QuietOption,
    settings_of,
    table_of,
    with_options,
)
from moselect.cli.terminal import Terminal
from moselect.datasets.sources import check_source
from moselect.search.settings import preset_settings


@with_options(TABLE_OPTIONS, SETTING_OPTIONS)
def search(
    data: Annotated[str | None, DATA] = None,
    preset: Annotated[
        Literal["waegeman2008"] | None, typer.Option(help="Settings of a publication.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Run folder; by default a new one in runs/.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the run folder.")] = False,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with the search in this run folder.")
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
    **options: Any,
) -> None:
    """Search the front of models of DATA, and keep it in a run folder."""
    if data is not None:
        check_source(data)
    elif resume is None:
        raise ValueError("say what to search: a file, or a name that moselect datasets lists")
    source, named = table_of(options)
    settings = ({} if preset is None else preset_settings(preset)) | settings_of(options)
    terminal = Terminal(quiet=quiet, json=json)

    if resume is not None:
        n_jobs = settings.pop("n_jobs", None)
        if settings or named or out or force or any(source.values()):
            raise ValueError(
                "--resume goes on as the search began: give it DATA, --jobs, --quiet or --json only"
            )

    from moselect._kernels import compile_ahead

    with compile_ahead():  # while the rest is imported
        from moselect.cli.search import resume_search, run_search

        if resume is not None:
            resume_search(resume, data, n_jobs, terminal)
        elif data is not None:
            run_search(data, source, settings, named, out, force, terminal)
