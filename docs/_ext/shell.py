"""The directive ``shell``: commands that are run when the page is built, with their output.

A page's commands share one new folder, in which ``docs/data`` is found under its own files'
names. A line that ends with a backslash goes on in the next one. Long lines of output are broken as
a terminal breaks them. A command that ends with another exit code than ``:exit:`` (0) breaks the
build. ``:hidden:`` runs commands without a word about them, ``:lines:`` shows the first lines of
what they print.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

WIDTH = 80  # of the terminal


class Shell(SphinxDirective):
    """Show commands, one a line, each followed by its output."""

    has_content = True
    option_spec = {  # noqa: RUF012 - docutils wants it here
        "exit": directives.nonnegative_int,
        "lines": directives.positive_int,
        "hidden": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """Run the commands and return the text as one block."""
        shown = []
        for command in self._commands():
            lines = [
                part
                for line in self._output(command).splitlines()
                for part in broken(line)
            ]
            most = self.options.get("lines", len(lines))
            shown += [
                f"$ {command}",
                *lines[:most],
                *(["..."] if len(lines) > most else []),
            ]
        if "hidden" in self.options:
            return []
        text = "\n".join(shown)
        return [nodes.literal_block(text, text, language="console")]

    def _commands(self) -> Iterator[str]:
        """Yield the commands, each with all its lines."""
        lines: list[str] = []
        for line in self.content:
            lines.append(line)
            if not line.endswith("\\"):
                yield "\n".join(lines)
                lines = []

    def _output(self, command: str) -> str:
        ran = subprocess.run(
            command,
            shell=True,
            executable="/bin/bash",
            cwd=self._folder(),
            env=os.environ | {"COLUMNS": str(WIDTH), "NO_COLOR": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
        )
        if ran.returncode != self.options.get("exit", 0):
            raise ExtensionError(
                f"{self.env.docname}: '{command}' ended with {ran.returncode}:\n{ran.stdout}"
            )
        return ran.stdout

    def _folder(self) -> Path:
        """Return the folder of this page, made when its first command runs."""
        folders = self.env.temp_data.setdefault("shell_folders", {})
        if self.env.docname not in folders:
            folder = tempfile.TemporaryDirectory(prefix="moselect-docs-")
            shutil.copytree(
                Path(self.env.srcdir) / "data", folder.name, dirs_exist_ok=True
            )
            folders[self.env.docname] = (
                folder  # is removed with the page's temporary data
            )
        return Path(folders[self.env.docname].name)


def broken(line: str) -> list[str]:
    """Return a line as a terminal shows it, broken between words."""
    return textwrap.wrap(line, WIDTH) if len(line) > WIDTH else [line]


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("shell", Shell)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
