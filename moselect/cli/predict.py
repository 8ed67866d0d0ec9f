"""`moselect predict`: scores and classes for the rows of a table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from moselect.cli.terminal import Terminal
from moselect.columns import predict_table
from moselect.datasets import find_source
from moselect.models import ModelDocument, RowPredictions, range_remarks
from moselect.storage import (
    check_prediction_path,
    model_of,
    read_model_document,
    spreadsheet_csv,
    write_predictions,
)


@dataclass(frozen=True)
class Wanted:
    """What stands in the table of predictions beside score and class."""

    id_columns: Sequence[str]  # of the input, first
    keep_all: bool  # columns of the input
    probabilities: bool
    contributions: bool


def run_predict(
    model_path: Path, data: str, out: Path | None, wanted: Wanted, force: bool, terminal: Terminal
) -> None:
    """Write a score and a class for each row of ``data`` to a file or to the terminal."""
    if out is not None:
        check_prediction_path(out, overwrite=force)
    document = read_model_document(model_path)
    if wanted.probabilities and (document.card is None or document.card.calibration is None):
        raise ValueError(
            f"'{model_path}' holds no calibration of its score, so it has no class probabilities: "
            "leave --proba out"
        )
    table = find_source(data).table
    found = predict_table(model_of(document), table)
    if len(table) and not found.scored.any():
        raise ValueError(f"no row of '{data}' can be scored: in the first one {found.reasons[0]}")
    predictions = _table(document, table, found, wanted)
    unscored = int((~found.scored).sum())
    if unscored:
        first = int(np.argmin(found.scored))
        terminal.warn(
            f"{unscored} of {len(table)} rows have no class, see the column 'reason' (first: row "
            f"{first + 1}, {found.reasons[first]})"
        )
    if document.card is not None:
        for remark in range_remarks(document.card, found.values):
            terminal.warn(remark)
    if out is not None:
        write_predictions(out, predictions)
        terminal.say(f"Predictions: {out}")
    if terminal.json:
        where = {"file": str(out)} if out else {"predictions": predictions.to_dict("records")}
        counts = {"n_rows": len(predictions), "n_unscored": unscored}
        terminal.print_json({"model": str(model_path), **counts, **where})
    elif out is None:
        sys.stdout.write(spreadsheet_csv(predictions))


def _table(
    document: ModelDocument, table: pd.DataFrame, found: RowPredictions, wanted: Wanted
) -> pd.DataFrame:
    missing = [name for name in wanted.id_columns if name not in table.columns]
    if missing:
        raise ValueError(f"--id {missing[0]}: there is no such column")
    others = [name for name in table.columns if name not in wanted.id_columns]
    kept = table[[*wanted.id_columns, *(others if wanted.keep_all else [])]]
    model = document.model()
    columns = {"score": found.scores, "class": found.classes}
    if wanted.probabilities:
        assert document.card is not None
        assert document.card.calibration is not None
        probabilities = found.probabilities(document.card.calibration)
        columns |= {
            f"P({label})": column
            for label, column in zip(model.classes_.tolist(), probabilities.T, strict=True)
        }
    if wanted.contributions:
        names = model.feature_names or [f"x{j}" for j in range(model.n_features_in_)]
        parts = found.values * model.coef_
        columns |= {f"part of {name}": part for name, part in zip(names, parts.T, strict=True)}
    if not found.scored.all():
        columns["reason"] = found.reasons
    new = pd.DataFrame(columns, index=kept.index)
    # A table with the true class, or with predictions of another model, keeps them.
    new = new.rename(columns={name: f"predicted_{name}" for name in new if name in kept.columns})
    again = [name for name in new if name in kept.columns]
    if again:
        raise ValueError(f"the table has a column '{again[0]}' already: choose columns with --id")
    return pd.concat([kept, new], axis=1)
