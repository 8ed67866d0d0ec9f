"""The command line: parse, call, print. Heavy imports wait until a command needs them."""

import gc
import sys
import warnings
from typing import Annotated, Any

import typer

from moselect import __version__
from moselect.cli.check import check
from moselect.cli.compare import compare
from moselect.cli.evaluate import evaluate
from moselect.cli.predict import predict
from moselect.cli.report import export, plot, report
from moselect.cli.search import search
from moselect.cli.select import select
from moselect.cli.terminal import INTERRUPTED, Terminal, as_options, short
from moselect.cli.tune import tune
from moselect.datasets.sources import list_datasets

__all__ = ["main"]

# typer has public names for some of its usage errors, but not for all of them together.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]
FORMS = {"openml:ID": "data set of openml.org", "FILE": "CSV, .xlsx or Parquet file"}

app = typer.Typer(
    help="Select a model for an ordinal target: compare candidates by cost, then choose.",
    invoke_without_command=True,
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
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version."
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def datasets() -> None:
    """List the data sets that can be loaded by name, and other sources."""
    known = list_datasets() | FORMS
    rows = [(short(name), description) for name, description in known.items()]
    Terminal().print_table(["DATA", ""], rows, justify="left")


for command in (
    search,
    tune,
    plot,
    report,
    select,
    predict,
    check,
    export,
    evaluate,
    compare,
    datasets,
):
    app.command()(command)


def main() -> None:
    """Run the command line; errors of the user are one line, with exit code 2."""
    gc.set_threshold(50_000)  # imported modules are never garbage: scan them less often
    terminal = Terminal()
    # Warnings of the library are lines for users, without the place in the code.
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: terminal.warn(str(message))
        try:
            code = app(prog_name="moselect", standalone_mode=False)
            if code == INTERRUPTED:
                raise KeyboardInterrupt
            sys.exit(code)
        except UsageError as error:
            terminal.fail(_in_words(error))
        except OSError as error:
            terminal.fail(
                f"'{error.filename}': {error.strerror}"
                if error.filename
                else as_options(str(error))
            )
        except (ValueError, TypeError, ImportError) as error:
            terminal.fail(as_options(str(error)))
        except MemoryError as error:
            terminal.fail(f"there is not enough memory: {error}")
        except (typer.Abort, KeyboardInterrupt):
            terminal.inform("moselect: interrupted")
            sys.exit(INTERRUPTED)
    # exit code
    wrong_use = 2
    sys.exit(wrong_use)


def _in_words(error: Any) -> str:
    """Return a usage error as one sentence that names the help to read."""
    command = error.ctx.command_path if error.ctx else "moselect"
    return f"{error.format_message().rstrip('.')} (see {command} --help)"
