"""`moselect export`: a model's file as SQL, ONNX or a page."""

from pathlib import Path
from typing import Annotated

import typer

import moselect
from moselect.cli.options import Dialect, Force, ModelPath, option
from moselect.cli.terminal import Terminal


def export(
    model: ModelPath,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="New file: .sql, .onnx, or .html or .txt for the model card. For a scorecard, the "
            "card is the scorecard itself, and summary.html the model card.",
            show_default=False,
        ),
    ],
    dialect: Dialect = None,
    table: Annotated[str, option("Name of the table in SQL.")] = "data",
    force: Force = False,
) -> None:
    """Export a model as SQL, ONNX or a printable page, without selecting again."""
    from moselect.export.export_model import export_model

    terminal = Terminal()
    with terminal.progress(f"exporting {model}"):
        predictor = moselect.io.read_model(model)
        export_model(predictor, file, table=table, dialect=dialect, overwrite=force)
    terminal.print(f"Exported: {file}", soft_wrap=True)
