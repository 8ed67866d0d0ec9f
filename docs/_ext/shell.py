"""The directive ``shell``: commands that are run when the page is built, with what they print.

A page's commands share one new folder, in which ``docs/data`` is found under its own files' names.
A command that ends with another exit code than ``:exit:`` (0) breaks the build. ``:hidden:`` runs
commands without a word about them, ``:lines:`` shows the first lines of what they print.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

WIDTH = 88  # of the terminal


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
        for command in self.content:
            lines = self._output(command).rstrip().splitlines()
            most = self.options.get("lines", len(lines))
            shown += [f"$ {command}", *lines[:most], *(["..."] if len(lines) > most else [])]
        if "hidden" in self.options:
            return []
        text = "\n".join(shown)
        return [nodes.literal_block(text, text, language="console")]

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
            shutil.copytree(Path(self.env.srcdir) / "data", folder.name, dirs_exist_ok=True)
            folders[self.env.docname] = folder  # is removed with the page's temporary data
        return Path(folders[self.env.docname].name)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("shell", Shell)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
