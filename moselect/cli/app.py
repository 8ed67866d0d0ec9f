"""The commands of `moselect`."""

from __future__ import annotations

import sys
import warnings
from typing import Annotated, Any

import typer
from rich.markup import escape

from moselect import __version__
from moselect.cli.commands.datasets import datasets
from moselect.cli.commands.evaluate import evaluate
from moselect.cli.commands.plot import plot
from moselect.cli.commands.predict import predict
from moselect.cli.commands.report import report
from moselect.cli.commands.search import search
from moselect.cli.commands.select import select
from moselect.cli.terminal import messages

app = typer.Typer(
    help="Choose a model for an ordinal target: see the whole trade-off, then pick.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"moselect {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


for command in (search, plot, report, select, predict, evaluate, datasets):
    app.command()(command)


def main() -> None:
    """Run the command line; what users can mend is told in one line, with exit code 2."""
    warnings.showwarning = _show_warning
    try:
        app()
    except (ValueError, TypeError, OSError) as error:
        messages.print(
            f"[red]moselect: error:[/] {escape(str(error))}", highlight=False, soft_wrap=True
        )
        sys.exit(2)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    messages.print(f"[yellow]warning:[/] {escape(str(message))}", highlight=False, soft_wrap=True)
