"""Output of commands: results to standard output, messages to standard error."""

from __future__ import annotations

import io
import math
import re
import sys
from collections.abc import Iterable, Mapping
from textwrap import fill
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from moselect.listing import in_one_line, shortened
from moselect.storage.documents import as_json

LONGEST_NAME = 16
OPTION = re.compile(r"--[\w-]+ ('[^']*'|\S+)")  # with its value, to be copied


class Terminal:
    """Where a command prints: ``results`` and ``messages`` take text as it is, without markup.

    ``quiet`` leaves out messages but errors; with ``json`` the result is one document for scripts.
    """

    def __init__(self, *, quiet: bool = False, json: bool = False) -> None:
        if isinstance(sys.stdout, io.TextIOWrapper):  # of a terminal that lacks a character
            sys.stdout.reconfigure(errors="backslashreplace")
        self.results = Console(markup=False, emoji=False, highlight=False)
        self.messages = Console(
            stderr=True, quiet=quiet, markup=False, emoji=False, highlight=False
        )
        self.json = json

    def say(self, message: str) -> None:
        """Print a message; a terminal breaks it between words, an option stays on one line."""
        self._tell("", "", message)

    def warn(self, message: str) -> None:
        """Print a warning."""
        self._tell("warning: ", "yellow", message)

    def table(self, first: str, *others: str) -> Table:
        """Return an empty table: names on the left, numbers on the right, no lines."""
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column(first, no_wrap=True)
        for other in others:
            table.add_column(other, justify="right", no_wrap=True)
        return table

    def progress(self, text: str) -> Progress:
        """Return a progress line; it shows nothing outside a terminal.

        ``text`` may name parts of a `rich.progress.Task`.
        """
        return Progress(
            SpinnerColumn(),
            BarColumn(bar_width=self.messages.width // 8),  # "^C" must fit at the end of the line
            TextColumn(text),
            TimeRemainingColumn(),
            console=self.messages,
            transient=True,
            disable=not self.messages.is_terminal,
        )

    def fail(self, message: str) -> None:
        """Print what ended a command."""
        self._tell("moselect: error: ", "red", message)

    def _tell(self, kind: str, colour: str, message: str) -> None:
        text = kind + in_one_line(message)
        if self.messages.is_terminal:
            whole = OPTION.sub(lambda option: option[0].replace(" ", "\0"), text)
            width = self.messages.width
            lines = fill(whole, width, break_long_words=False, break_on_hyphens=False)
            text = lines.replace("\0", " ")
        told = Text.assemble((kind, colour), text.removeprefix(kind))
        self.messages.print(told, soft_wrap=True)

    def print_json(self, record: Mapping[str, Any]) -> None:
        """Print the result of a command as one JSON document; NaN becomes null."""
        sys.stdout.buffer.write(as_json(record))


def short(name: object, longest: int = LONGEST_NAME) -> str:
    """Return a name that fits into a table: the middle of a long one is left out."""
    return shortened(in_one_line(str(name)), longest)


def decimals_of(errors: Iterable[float]) -> int:
    """Return to how many decimals values are written: two digits of the least standard error.

    One that is 0 but for rounding does not count.
    """
    known = [error for error in errors if error > 0.0]
    least = min((error for error in known if error > 1e-3 * max(known)), default=1.0)
    return max(0, 1 - math.floor(math.log10(least)))
