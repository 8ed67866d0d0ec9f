"""The command line: parse, call, print. Heavy imports wait until a command needs them."""

import os
import sys
import warnings
from typing import Annotated, Any

import typer

from moselect import __version__
from moselect._garbage import collect_seldom
from moselect.cli.model_requests import (
    CheckRequest,
    DiffRequest,
    EvaluateRequest,
    ExportRequest,
    PredictRequest,
    ThresholdsRequest,
)
from moselect.cli.requests import UsageError, command
from moselect.cli.run_requests import (
    PlotRequest,
    ReportRequest,
    SelectRequest,
    TakeRequest,
)
from moselect.cli.table_requests import (
    CompareRequest,
    DecideRequest,
    SearchRequest,
    TuneRequest,
)
from moselect.cli.terminal import INTERRUPTED, Terminal
from moselect.io.atomic import InUseError

__all__ = ["main"]

EXIT_CODES = (
    "Exit codes: 0; 1: nobody reads the output; 2: the command line is wrong; 3: a negative "
    "result (a limit that is not met, a cost above the estimate); 65: data, a model or a run "
    "cannot be used, or an option does not fit them; 74: reading or writing failed (a full or "
    "read-only disk, no memory); 75: another process is writing this file or folder; 130: "
    "interrupted."
)
# As of click, and as in sysexits.h: EX_DATAERR, EX_IOERR and EX_TEMPFAIL.
WRONG_USE = 2
UNUSABLE = 65
FAILED = 74
IN_USE = 75
RESEARCH = (TuneRequest, TakeRequest, EvaluateRequest, CompareRequest, PlotRequest)

app = typer.Typer(
    help="Select a model for an ordinal target: compare candidates by cost, then choose.",
    epilog=EXIT_CODES,
    invoke_without_command=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        typer.echo(f"moselect {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for request in (
    DecideRequest,
    SearchRequest,
    TuneRequest,
    ReportRequest,
    SelectRequest,
    TakeRequest,
    PredictRequest,
    CheckRequest,
    EvaluateRequest,
    DiffRequest,
    ThresholdsRequest,
    CompareRequest,
    PlotRequest,
    ExportRequest,
):
    panel = "For researchers" if request in RESEARCH else None
    app.command(rich_help_panel=panel)(command(request))


def main() -> None:
    """Run the command line; an error is one line, and its type the exit code."""
    # Threads of BLAS would wait for each other at each short sum, and the last digits of
    # sums depend on their number. Numpy, which reads this, is not imported yet.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    collect_seldom()
    terminal = Terminal()
    # Warnings of the library are lines for users, without the place in the code.
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: terminal.warn(str(message))
        try:
            code = app(prog_name="moselect", standalone_mode=False)
            if code == INTERRUPTED:
                raise KeyboardInterrupt
        except InUseError as error:
            code = terminal.fail(str(error), IN_USE)
        except UsageError as error:
            code = terminal.fail(_in_words(error), WRONG_USE)
        except OSError as error:
            name = f"'{error.filename}': " if error.filename else ""
            code = terminal.fail(f"{name}{error.strerror or error}", FAILED)
        except MemoryError as error:
            code = terminal.fail(f"there is not enough memory: {error}", FAILED)
        except (
            ArithmeticError,
            ImportError,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
        ) as error:
            code = terminal.fail(str(error), UNUSABLE)
        except (typer.Abort, KeyboardInterrupt):
            terminal.inform("moselect: interrupted")
            code = INTERRUPTED
    sys.exit(code)


def _in_words(error: Any) -> str:
    """Return a usage error as one sentence that names the help to read."""
    command = error.ctx.command_path if error.ctx else "moselect"
    return f"{error.format_message().rstrip('.')} (see {command} --help)"
