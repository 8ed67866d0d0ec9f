"""`moselect predict`: scores and classes for the rows of a table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from moselect.cli.terminal import Terminal
from moselect.columns import (
    EncodedColumn,
    LevelColumns,
    Preparation,
    level_remarks,
    predict_pool,
    predict_table,
    table_range_remarks,
)
from moselect.datasets import Reading
from moselect.datasets.files.tables import Source
from moselect.datasets.sources import find_source
from moselect.models import OrdinalPool
from moselect.models.additive.shapes import term_contributions
from moselect.models.row_predictions import RowPredictions
from moselect.storage import (
    KeptModel,
    KeptPool,
    check_prediction_path,
    read_kept,
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
    model_path: Path,
    data: str,
    reading: Reading | None,
    out: Path | None,
    wanted: Wanted,
    force: bool,
    terminal: Terminal,
) -> None:
    """Write a score and a class for each row of ``data`` to a file or to the terminal."""
    if out is not None:
        check_prediction_path(out, overwrite=force)
    kept = read_kept(model_path)
    card = kept.document.card if isinstance(kept, KeptModel) else None
    if (
        wanted.probabilities
        and isinstance(kept, KeptModel)
        and (card is None or card.calibration is None)
    ):
        raise ValueError(
            f"'{model_path}' holds no calibration of its score, so it has no class probabilities: "
            "leave --proba out"
        )
    source = find_source(data, **(reading or {}))
    preparations = _preparations(kept)
    table = _with_written_levels(source, preparations)
    found = _predict(kept, table)
    if len(table) and not found.scored.any():
        raise ValueError(f"no row of '{data}' can be scored: in the first one {found.reasons[0]}")
    predictions = _table(kept, source, found, wanted)
    unscored = int((~found.scored).sum())
    if unscored:
        first = int(np.argmin(found.scored))
        terminal.warn(
            f"{unscored} of {len(table)} rows have no class, see the column 'reason' (first: row "
            f"{first + 1}, {found.reasons[first]})"
        )
    for preparation in preparations:
        for remark in level_remarks(preparation, table):
            terminal.warn(remark)
    if isinstance(kept, KeptModel) and card is not None:
        for remark in table_range_remarks(kept.model, card, found.values):
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


def _preparations(kept: KeptModel | KeptPool) -> list[Preparation]:
    """Return what turns the columns of a table into numbers: one preparation, or none."""
    if isinstance(kept, KeptPool):
        return [] if kept.preparation is None else [kept.preparation]
    steps = [] if kept.model.columns is None else kept.model.columns.named_steps.values()
    return [step for step in steps if isinstance(step, Preparation)]


def _with_written_levels(source: Source, preparations: list[Preparation]) -> pd.DataFrame:
    """Return the table with its columns of categories as they are written: 01 is not 1."""
    names = [
        column.name
        for preparation in preparations
        for column in preparation.columns_
        if isinstance(column, LevelColumns | EncodedColumn) and column.name in source.table
    ]
    return source.table.assign(**{name: source.as_text(name) for name in names})


def _predict(kept: KeptModel | KeptPool, table: pd.DataFrame) -> RowPredictions:
    if isinstance(kept, KeptModel):
        return predict_table(kept.model, table)
    return predict_pool(kept.pool, table, kept.preparation, kept.cost_matrix)


def _probabilities(kept: KeptModel | KeptPool, found: RowPredictions) -> pd.DataFrame:
    """Return the probabilities of the classes, NaN for rows that cannot be scored."""
    if isinstance(kept, KeptModel):
        assert kept.document.card is not None
        assert kept.document.card.calibration is not None
        labels = kept.model.classes_.tolist()
        values = found.probabilities(kept.document.card.calibration)
    else:
        labels = kept.pool.classes_.tolist()
        values = np.full((len(found.scores), len(labels)), np.nan)
        values[found.scored] = kept.pool.predict_proba(_features(kept.pool, found))
    return pd.DataFrame(values, columns=[f"P({label})" for label in labels])


def _contributions(kept: KeptModel | KeptPool, found: RowPredictions) -> pd.DataFrame:
    """Return what each term of a model, or each model of a pool, adds to the scores."""
    if isinstance(kept, KeptModel):
        parts = term_contributions(kept.model, found.values)
    else:
        names = [*kept.pool.model_names_, "intercept"]
        parts = pd.DataFrame(np.nan, index=range(len(found.scores)), columns=names)
        parts.loc[found.scored] = kept.pool.contributions(_features(kept.pool, found))
    return parts.add_prefix("part of ")


def _features(pool: OrdinalPool, found: RowPredictions) -> pd.DataFrame | np.ndarray:
    """Return the features of the rows that a pool has scored, by the names that it knows."""
    names = getattr(pool, "feature_names_in_", None)
    values = found.values[found.scored]
    return values if names is None else pd.DataFrame(values, columns=names)


def _table(
    kept: KeptModel | KeptPool, source: Source, found: RowPredictions, wanted: Wanted
) -> pd.DataFrame:
    table = source.table
    missing = [name for name in wanted.id_columns if name not in table.columns]
    if missing:
        raise ValueError(f"--id {missing[0]}: there is no such column")
    others = [name for name in table.columns if name not in wanted.id_columns]
    names = [*wanted.id_columns, *(others if wanted.keep_all else [])]
    copied = table[names].assign(**{name: source.as_written(name) for name in names})
    parts = [pd.DataFrame({"score": found.scores, "class": found.classes})]
    if wanted.probabilities:
        parts.append(_probabilities(kept, found))
    if wanted.contributions:
        parts.append(_contributions(kept, found))
    if not found.scored.all():
        parts.append(pd.DataFrame({"reason": found.reasons}))
    new = pd.concat(parts, axis=1).set_axis(copied.index)
    # A table with the true class, or with predictions of another model, keeps them.
    new = new.rename(columns={name: f"predicted_{name}" for name in new if name in copied.columns})
    again = [name for name in new if name in copied.columns]
    if again:
        raise ValueError(f"the table has a column '{again[0]}' already: choose columns with --id")
    return pd.concat([copied, new], axis=1)
