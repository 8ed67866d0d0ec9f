"""Output of commands: results to standard output, messages to standard error."""

import io
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import EBADF, EPIPE
from typing import Literal

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from moselect.io.documents import as_json
from moselect.listing import in_one_line, shortened, visible
from moselect.tables.reading import Reading

# Options that have the names of parameters.
_SETTING = re.compile(
    r"\b(order|leave_out|bins|binning|target|weight|weight_type|group|time|holdout|drop|keep|categorical|missing|data"
    r"|model)=(?=\S)"
)
_READING = re.compile(rf"\b({'|'.join(Reading.__struct_fields__)})=(?=\S)")
_GROUPS = re.compile(r"""groups=X\[('[^']*'|"[^"]*")\]""")
# Parameters of another name or form.
_OTHERS = {
    "groups=range(len(X))": "--group none",
    "groups=cases": "--group COLUMN",
    "class_costs=1,1,5 or a cost_matrix": "--class-costs 1,1,5",
    "overwrite=True": "--force",
    "force=True": "--force",
    "resume=": "moselect search --resume ",
    "class_costs": "--class-costs",
    "by leave_out": "by --leave-out",
    "give by=": "the data have no such column",
}


def as_options(message: str) -> str:
    """Write the parameters that a message names as options.

    Examples
    --------
    >>> as_options("give the order (order=low,high), or another file (sheet=2)")
    'give the order (--order low,high), or another file (--read sheet=2)'
    """
    message = _GROUPS.sub(r"--group \1", message)
    for parameter, option in _OTHERS.items():
        message = message.replace(parameter, option)
    message = _SETTING.sub(lambda found: f"--{found[1].replace('_', '-')} ", message)
    return _READING.sub(r"--read \1=", message)


INTERRUPTED = 130  # exit code, as shells have it: 128 + SIGINT
LONGEST_NAME = 24  # "extremely dissatisfied" fits
STAGE = re.compile(r"[:,]| \(")  # what follows says how far a stage is
Show = Callable[..., None]  # task; and optionally the number of steps done and in all


class _Console(Console):
    """A console that states a closed pipe, as behind ``| head -1``, like other errors."""

    def on_broken_pipe(self) -> None:
        """Raise the error; rich would end the process."""
        raise BrokenPipeError(EPIPE, "Broken pipe")


class Terminal:
    """Where a command prints: ``results`` and ``messages`` take text verbatim, without markup.

    ``quiet`` leaves out all but errors; with ``json`` the result is one document for
    scripts.
    """

    def __init__(self, *, quiet: bool = False, json: bool = False) -> None:
        self._warned: set[str] = set()
        self.remarks: list[str] = []  # on the table
        if quiet:
            warnings.simplefilter("ignore")
        if isinstance(
            sys.stdout, io.TextIOWrapper
        ):  # of a terminal that lacks a character
            sys.stdout.reconfigure(errors="backslashreplace")
        self._errors, self.messages, self.results = (
            _Console(
                stderr=error, quiet=hidden, markup=False, emoji=False, highlight=False
            )
            for error, hidden in ((True, False), (True, quiet), (False, quiet))
        )
        self.json = json
        self.is_live = self.messages.is_terminal and not quiet  # progress is shown

    def print(self, what: object, *, soft_wrap: bool = False) -> None:
        """Print a part of the result, which a terminal does not break with ``soft_wrap``."""
        # Names in text must not steer a terminal, nor break its lines.
        if isinstance(what, str):
            what = "\n".join(map(visible, what.split("\n")))
        with _to_standard_output():
            self.results.print(what, soft_wrap=soft_wrap)

    def print_sentences(self, sentences: Iterable[object]) -> None:
        """Print each sentence on a line of its own, which a terminal breaks between words."""
        for sentence in sentences:
            self.print(in_one_line(sentence))

    def inform(self, *messages: str) -> None:
        """Print messages, a line each."""
        for message in messages:
            self._write(self.messages, "", "", message)

    def remark(self, message: str, *, recorded: bool = True) -> None:
        """Print a remark on the table, which steps of a longer command print, too.

        Those that are recorded stand on the pages of the result.
        """
        if recorded:
            self.remarks.append(message)
        Terminal.inform(self, message)

    def warn(self, *messages: str) -> None:
        """Print warnings, each once."""
        for message in messages:
            if message not in self._warned:
                self._warned.add(message)
                self._write(self.messages, "warning: ", "yellow", message)

    def fail(self, message: str, code: int) -> int:
        """Print the error that ended a command; return its exit code."""
        self._write(self._errors, "moselect: error: ", "red", message)
        return code

    def print_table(
        self,
        table: Sequence[Sequence[str]],
        *,
        justify: Literal["left", "right"] = "right",
        bold: str = "",
    ) -> None:
        """Print a table without lines: names on the left, then numbers; one row is bold.

        The first row has the headings. Without others, nothing is printed.
        """
        (first, *others), *rows = table
        shown = Table(box=None, pad_edge=False, header_style="bold")
        shown.add_column(first, no_wrap=True)
        for other in others:
            shown.add_column(other, justify=justify)
        for row in rows:
            shown.add_row(*row, style="bold" if row[0] == bold else "")
        if rows:
            self.print(shown)

    @contextmanager
    def progress(self, doing: str) -> Iterator[Show]:
        """Show progress on a line that is updated; outside a terminal, a line a stage.

        With ``json`` a log has none.

        Yields a callable: it takes the task, and the number of steps done and in all.
        """
        with Progress(
            SpinnerColumn(),
            BarColumn(self.messages.width // 8),  # "^C" must fit at the end of the line
            TextColumn("{task.description}", markup=False),
            TimeElapsedColumn(),
            TimeRemainingColumn(),  # of this stage
            console=self.messages,
            transient=True,
            disable=not self.is_live,
        ) as bar:
            task = bar.add_task(doing, total=None)
            stages = [""]

            def show(doing: str, done: float = 0, total: float | None = None) -> None:
                stage = STAGE.split(doing)[0]
                if stage != stages[-1]:
                    stages.append(stage)
                    bar.reset(task)  # of another stage nothing is known about the speed
                    if not (self.is_live or self.json):
                        self.inform(f"{stage} ...")
                bar.update(
                    task, description=in_one_line(doing), completed=done, total=total
                )

            yield show

    def print_json(self, record: Mapping[str, object]) -> None:
        """Print the result of a command as one JSON document; NaN becomes null."""
        self.write(as_json(record))

    def write(self, content: bytes) -> None:
        """Write bytes to standard output; OSError names it if that fails or it is closed."""
        with _to_standard_output():
            if sys.stdout is None:
                raise OSError(EBADF, "it is closed")
            sys.stdout.buffer.write(content)
            sys.stdout.flush()

    def _write(self, console: Console, heading: str, colour: str, message: str) -> None:
        line = Text.assemble((heading, colour), in_one_line(as_options(message)))
        # Of an error of standard error nobody can be told, but the work goes on.
        with suppress(OSError):
            console.print(line, soft_wrap=not console.is_terminal)


@contextmanager
def _to_standard_output() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None


def short(name: object) -> str:
    """Shorten a name to fit into a table, by the middle of a long one."""
    return shortened(in_one_line(name), LONGEST_NAME)
