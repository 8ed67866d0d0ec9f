"""`moselect predict`: scores and classes for the rows of a table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from moselect._types import Floats
from moselect.cli.terminal import Terminal
from moselect.columns.predictions import RowPredictions, predict_table, range_remarks
from moselect.columns.steps import steps_of
from moselect.datasets.reading import Reading
from moselect.datasets.sources import find_source
from moselect.datasets.tables import Source
from moselect.datasets.text_files import SEPARATORS
from moselect.models.model import Model
from moselect.storage import read_model, write_predictions
from moselect.storage.tables import check_prediction_path, spreadsheet_csv


def run_predict(
    model_path: Path,
    data: str,
    reading: Reading | None,
    out: Path | None,
    terminal: Terminal,
    keep: str | None,
    proba: bool,
    explain: bool,
    strict: bool,
    force: bool,
) -> None:
    """Write a score and a class for each row of ``data`` to a file or to the terminal."""
    if out is not None:
        check_prediction_path(out, overwrite=force)
    model = read_model(model_path)
    card, columns = model.card, model.columns
    source = find_source(data, reading)
    for note in source.notes:
        terminal.say(note)
    table = as_in_training(source, steps_of(columns), model.feature_names or ())
    predicted = predict_table(model, table, strict)
    scored = predicted.scored
    if len(table) and not scored.any():
        first = predicted.reasons[0]
        raise ValueError(f"no row of '{data}' can be scored: in the first one {first}")
    parts = [pd.DataFrame({"score": predicted.scores, "class": predicted.classes})]
    if proba:
        names = [f"P({label})" for label in model.classes_.tolist()]
        parts.append(pd.DataFrame(_probabilities(model, predicted), columns=names))
    if explain:
        parts.append(_contributions(model, table, predicted).add_prefix("part of "))
    if (predicted.reasons != "").any():
        parts.append(pd.DataFrame({"reason": predicted.reasons}))
    if not scored.all():
        row = int(np.argmin(scored))
        terminal.warn(
            f"{(~scored).sum()} of {len(table)} rows have no class, see the column 'reason' "
            f"(first: row {row + 1}, {predicted.reasons[row]})"
        )
    predictions = _beside(_kept_columns(source, keep), pd.concat(parts, axis=1))
    remarks = [
        remark
        for step in steps_of(columns)
        if hasattr(step, "remarks")
        for remark in step.remarks(table)
    ]
    if card is not None:
        remarks += range_remarks(card, predicted.values, columns)
    for remark in remarks:
        terminal.warn(remark)
    separator = source.separator if source.separator in SEPARATORS else ";"
    if out is not None:
        form = {"separator": separator, "decimal": source.decimal}
        write_predictions(out, predictions, **form, overwrite=force)
        terminal.say(f"Predictions: {out}")
    if terminal.json:
        where = {"file": str(out)} if out else {"predictions": predictions.to_dict("records")}
        counts = {"n_rows": len(predictions), "n_unscored": int((~scored).sum())}
        terminal.print_json({"model": str(model_path), **counts, **where})
    elif out is None:
        shown = predictions.map(lambda cell: float(f"{cell:.6g}") if type(cell) is float else cell)
        sys.stdout.write(spreadsheet_csv(shown, separator, source.decimal))


def as_in_training(
    source: Source, steps: Sequence[object], features: Sequence[str]
) -> pd.DataFrame:
    """Return the table with its categories as they are written, and amounts as numbers.

    ``features`` are the numbers of a model without such steps.
    """
    texts = [name for step in steps for name in getattr(step, "columns_of_text", ())]
    units = dict.fromkeys(features, "")
    for step in steps:
        units = getattr(step, "columns_of_numbers", units)
    return source.table.assign(
        **{name: source.as_text(name) for name in texts if name in source.table},
        **{name: source.as_numbers(name, units[name]) for name in units if name in source.table},
    )


def _probabilities(model: Model, predicted: RowPredictions) -> Floats:
    """Return the class probabilities (n, r), NaN for rows that have no score."""
    try:
        return predicted.spread(model.probabilities(predicted.values[predicted.scored]))
    except ValueError as error:
        raise ValueError(f"{error}: leave --proba out") from None


def _contributions(model: Model, table: pd.DataFrame, predicted: RowPredictions) -> pd.DataFrame:
    """Return what columns add to the scores; of models that were not selected, their terms."""
    if model.promise is not None:
        known = model.contributions(table[predicted.scored])
        return pd.DataFrame(predicted.spread(known.to_numpy()), columns=known.columns)
    try:
        return model.parts(predicted.values)
    except ValueError as error:
        raise ValueError(f"{error}: leave --explain out") from None


def _kept_columns(source: Source, keep: str | None) -> pd.DataFrame:
    """Return columns of the table as they are written: all, or those that are named."""
    names = list(source.table.columns)
    if keep != "all":
        names = [name.strip() for name in keep.split(",")] if keep else []
    missing = [name for name in names if name not in source.table]
    if missing:
        raise ValueError(f"--keep {missing[0]}: there is no such column")
    return source.table[names].assign(**{name: source.as_written(name) for name in names})


def _beside(copied: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """Return both; the true class, or predictions of another model, keep their names."""
    new = new.set_axis(copied.index)
    new = new.rename(columns={name: f"predicted_{name}" for name in new if name in copied})
    again = [name for name in new if name in copied]
    if again:
        raise ValueError(f"the table has a column '{again[0]}' already: name those to --keep")
    return pd.concat([copied, new], axis=1)
