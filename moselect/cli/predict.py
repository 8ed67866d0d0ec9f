"""`moselect predict`: scores and classes for the rows of a table."""

from collections.abc import Callable

import numpy as np
import pandas as pd

import moselect
from moselect._types import Document
from moselect.cli.model_requests import PredictRequest
from moselect.cli.options import Names
from moselect.cli.requests import check_output
from moselect.datasets.source_tables import find_blocks
from moselect.io.tables import SUFFIXES, as_csv
from moselect.models.scorecard.sheet import is_scorecard, points_by_column
from moselect.predictor.contributions import points_in_words, reasons_of
from moselect.predictor.predictions import (
    RowPredictions,
    predict_table,
    read_rows,
    reason_remarks,
)
from moselect.predictor.reference import range_counts, range_remarks
from moselect.tables.blocks import row_blocks
from moselect.tables.tables import Source, check_column
from moselect.tables.text_files import SEPARATORS
from moselect.validation import at_rows

SHOWN_DIGITS = 6


def predict(request: PredictRequest) -> None:
    """Predict the rows of a table."""
    terminal = request.terminal()
    with terminal.progress(f"predicting the rows of {request.data}"):
        check_output(
            request.out, request.force, request.model, request.data, suffixes=SUFFIXES
        )
        predictor = moselect.io.read_model(request.model)
        profiles = predictor.reference.columns if predictor.reference else []
        # Blocks of a large file repeat their notes, which are printed once.
        notes = dict[str, None]()
        kept = []
        blocks = []
        counts = []
        for block_of_rows in find_blocks(request.data, request.reading):
            source = block_of_rows.source
            notes |= dict.fromkeys(source.notes)
            kept.append(_kept_columns(source, request.keep, predictor.columns.first.key))
            table = read_rows(predictor, source)
            for rows in row_blocks(table):
                block = table.iloc[rows]
                predicted = predict_table(predictor, block, request.strict)
                counts.append(range_counts(profiles, predicted.numbers))
                blocks.append(_new_columns(predictor, block, predicted, request))
        new = pd.concat(blocks, ignore_index=True)
        explanations = new.pop("reason")
        scored = new["score"].notna().to_numpy()
        if len(new) and not scored.any():
            raise ValueError(
                f"no row can be scored: in the first one {explanations.iloc[0]}"
            )
        # A column of reasons in a table without any would be empty.
        if (explanations != "").any():
            new["reason"] = explanations
        predictions = _joined(pd.concat(kept, ignore_index=True), new)
        terminal.inform(*notes)
        terminal.warn(*range_remarks(profiles, counts))
        separator = source.separator if source.separator in SEPARATORS else ";"
        if request.out is not None:
            moselect.io.write_predictions(
                request.out,
                predictions,
                separator=separator,
                decimal=source.decimal,
                overwrite=request.force,
            )
            terminal.inform(f"Predictions: {request.out}")
    if terminal.json:
        where: Document = {"file": str(request.out)}
        if request.out is None:
            where = {"predictions": predictions.to_dict("records")}
        about = {
            "model": str(request.model),
            "n_rows": len(predictions),
            "n_unscored": int((~scored).sum()),
        }
        terminal.print_json(about | where)
    elif request.out is None:
        # Labels beside blanks are objects, and stay as they are.
        numbers = predictions.select_dtypes("float")
        shown = predictions.assign(
            **numbers.map(lambda cell: float(f"{cell:.{SHOWN_DIGITS}g}"))
        )
        terminal.write(as_csv(shown, separator, source.decimal))
    terminal.warn(*reason_remarks(scored, explanations.to_numpy()))


def _new_columns(
    model: moselect.predictor.Model,
    table: pd.DataFrame,
    predicted: RowPredictions,
    request: PredictRequest,
) -> pd.DataFrame:
    """Return scores, classes, the optional columns, and reasons."""
    columns = {"score": predicted.scores, "class": predicted.classes}
    parts = [pd.DataFrame(columns | {"reason": predicted.reasons})]
    scored = np.flatnonzero(predicted.scored)
    if not len(scored):
        return parts[0]
    # The optional columns are empty in rows without a score.
    if request.proba or request.coverage is not None:
        known = at_rows(predicted.proba, scored)
        shares = model.probabilities(predicted.scores[scored], known)
        if request.proba:
            names_of = [f"P({label})" for label in model.classes_.tolist()]
            parts.append(pd.DataFrame(model.in_use(shares), scored, names_of))
        if request.coverage is not None:
            ends = model.set_ranges(shares, request.coverage, request.coverage_by)
            labels = model.classes_.astype(object)[ends]
            parts.append(pd.DataFrame(labels, scored, ["lowest", "highest"]))
    if request.explain or request.reasons:
        rows = table.iloc[scored]
        words: Callable[[pd.DataFrame, pd.DataFrame], list[str]] = reasons_of
        if is_scorecard(model):
            added = points_by_column(model, predicted.values[scored])
            words = points_in_words
        elif model.reference is not None:
            added = model.contributions(rows)
        else:  # the terms of a sum are known
            added = model.parts(predicted.values[scored])
        added = added.set_axis(scored)
        if request.explain:
            parts.append(added.add_prefix("part of "))
        if request.reasons:
            parts.append(pd.DataFrame({"because": words(added, rows)}, scored))
    return pd.concat(parts, axis=1)


def _kept_columns(source: Source, keep: Names, key: str | None) -> pd.DataFrame:
    """Return columns of the table as written: all, or the key and the named ones."""
    columns = list(source.table.columns)
    kept = list(keep or ())
    if kept == ["all"]:
        kept = columns
    else:
        for name in kept:
            check_column(name, columns)
        if key in columns:
            kept.insert(0, key)
    columns_as_written = {name: source.as_written(name) for name in kept}
    return pd.DataFrame(columns_as_written, source.table.index)


def _joined(copied: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """Return both; the true class, or predictions of another model, keep their names."""
    names = {name: f"predicted_{name}" for name in new if name in copied}
    new = new.set_axis(copied.index).rename(columns=names)
    again = [name for name in new if name in copied]
    if again:
        raise ValueError(
            f"the table already has a column '{again[0]}': choose other columns to --keep"
        )
    return pd.concat([copied, new], axis=1)
