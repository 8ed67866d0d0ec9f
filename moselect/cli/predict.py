"""`moselect predict`: scores and classes for the rows of a table."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

from moselect.cli.terminal import Terminal
from moselect.datasets import find_source
from moselect.storage import as_csv, check_file_path, read_model, replacing


def run_predict(
    model_path: Path, data: str, out: Path | None, force: bool, terminal: Terminal
) -> None:
    """Write a score and a class for each row of ``data`` to a file or to the terminal."""
    if out is not None:
        check_file_path(out, replace=force)
    model = read_model(model_path)
    table = find_source(data).table
    predictions = pd.DataFrame(
        {"score": model.decision_function(table), "class": model.predict(table)}
    )
    if out is not None:
        with replacing(out) as file:
            file.write(as_csv(predictions))
        terminal.say(f"Predictions: {out}")
    if terminal.json:
        found = {"file": str(out)} if out else {"predictions": predictions.to_dict("records")}
        terminal.print_json({"model": str(model_path), "n_objects": len(predictions), **found})
    elif out is None:
        sys.stdout.buffer.write(as_csv(predictions))
