"""Files of a model that a command takes from a run: the model, its exported form, a summary."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import moselect
from moselect.cli.files import check_output
from moselect.cli.options import Dialect, Force, RunFolder, option
from moselect.cli.requests import Request, UsageError, usage_errors
from moselect.cli.terminal import Terminal

CHOICES = (None, "cheapest", "simple")
# Candidates that are sums of terms, which every file holds.
SUMS = ("scorecard", "linear", "additive", "proportional odds", "best member")

SUMMARY = "summary.html"

if TYPE_CHECKING:  # slow to import
    from collections.abc import Callable

    from moselect._types import Document
    from moselect.io import Run
    from moselect.predictor import Model


class ModelRequest(Request, frozen=True, kw_only=True):
    """Options of a command that writes a model of a run, and its exported form."""

    run: RunFolder
    out: Annotated[
        Path | None,
        option(
            "File for the model: .json, or .npz for an ensemble; by default model.json.",
            *("--out", "-o"),
        ),
    ] = None
    export: Annotated[
        Path | None,
        option(
            "Also write the model as .sql or .onnx, or a printable page as .html or .txt."
        ),
    ] = None
    dialect: Dialect = None
    force: Force = False

    def __post_init__(self) -> None:
        if self.dialect is not None and self.export is None:
            raise ValueError("--dialect needs --export FILE.sql")

    @property
    def inputs(self) -> tuple[object, ...]:
        """Files and run folders that the command reads."""
        return (self.run,)

    def path(self, suffix: str) -> Path:
        """Return the file of the model, by default with the suffix that it needs."""
        return self.out or Path(f"model{suffix}")

    def check_early(self, name: str | None, member: Model) -> None:
        """Raise ValueError if a file cannot be written, before anything is fitted.

        A member of the front stands for all sums of terms.
        """
        from moselect.io.model_file import suffix_of

        # Linear models of the scores of other models need arrays, too.
        suffixes = [suffix_of(member)]
        if name in CHOICES:  # the fits decide
            suffixes = [".json", ".npz"]
        elif name not in SUMS:
            suffixes = [".npz"]
            for file in (self.out, self.export):
                if file is not None and file.suffix in (".json", ".sql"):
                    raise UsageError(
                        f"'{file}' cannot hold {name}: write a .npz file, or give --model linear "
                        "or --model additive"
                    )
        for path in filter(None, [*map(self.path, suffixes), self.export]):
            check_output(path, self.force, *self.inputs)
        with usage_errors():
            self.check(member)

    def check(self, model: Model) -> None:
        """Raise ValueError if a file cannot hold a model."""
        from moselect.export.exporting import check_export
        from moselect.io.model_file import check_model_path, suffix_of

        check_model_path(self.path(suffix_of(model)), model)
        if self.export is not None:
            check_export(model, self.export, self.dialect, overwrite=self.force)

    def write(self, model: Model, about: Document) -> dict[str, str]:
        """Write the model and its exported form; return the names of the files."""
        from moselect.export.exporting import export_model
        from moselect.io.model_file import suffix_of

        path = self.path(suffix_of(model))
        files = {"file": str(path)}
        if self.export is not None:
            files["export"] = str(self.export)
            export_model(model, self.export, dialect=self.dialect, overwrite=self.force)
        moselect.io.write_model(path, model, about, overwrite=self.force)
        return files


def write_summary(
    run: Run,
    model: Model,
    files: dict[str, str],
    terminal: Terminal,
    draw: Callable[[Path], None] | None = None,
) -> None:
    """Write a summary, and figures, into a new folder of a run; add it to the ``files``."""
    from moselect.export.exporting import export_model
    from moselect.io.run_file import write_selection

    def write(folder: Path) -> None:
        export_model(model, folder / SUMMARY)
        if draw is not None:
            draw(folder)

    try:
        files["summary"] = str(write_selection(run.path, write) / SUMMARY)
    except OSError as error:  # the model is written: figures are no reason to fail
        terminal.warn(
            f"no summary and figures could be written to '{run.path}' ({error.strerror})"
        )


def print_files(files: dict[str, str], terminal: Terminal) -> None:
    """Print the names of the files of a model, and the next command."""
    for name, path in files.items():
        terminal.print(f"{name.capitalize()}: {path}", soft_wrap=True)
    terminal.print(
        f"Next: moselect predict {shlex.quote(files['file'])} NEW_ROWS -o classes.csv",
        soft_wrap=True,
    )
