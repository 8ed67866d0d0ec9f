"""`moselect predict`: scores and classes for the rows of a table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import moselect
from moselect.cli.options import (
    Force,
    Json,
    ModelPath,
    Quiet,
    Read,
    data_argument,
    option,
    renaming,
)
from moselect.cli.terminal import Terminal
from moselect.datasets.sources import check_source

if TYPE_CHECKING:  # slow to import
    import pandas as pd

    from moselect.datasets.tables import Source
    from moselect.predictor.predictions import RowPredictions


def predict(
    model: ModelPath,
    data: Annotated[
        str,
        data_argument(
            "A table with the model's features, found by name; other columns are ignored."
        ),
    ],
    out: Annotated[
        Path | None,
        option(
            "New file: .csv, .parquet or .xlsx; by default the terminal.", "--out", "-o"
        ),
    ] = None,
    keep: Annotated[
        str | None,
        option("Columns of DATA to copy into the output: key,date", metavar="COLS|all"),
    ] = None,
    proba: Annotated[
        bool, option("Add the probability of each class.", "--proba")
    ] = False,
    coverage: Annotated[
        float | None,
        option(
            "Add the range of classes, lowest to highest, that holds the true class with this "
            "probability: 0.9."
        ),
    ] = None,
    coverage_by: Annotated[
        Literal["class"] | None,
        option("Hold the --coverage in each class instead of over all rows."),
    ] = None,
    explain: Annotated[
        bool, option("Add the contribution of each feature to the score.", "--explain")
    ] = False,
    reasons: Annotated[
        bool,
        option(
            "Add a sentence on the three largest contributions to the score.", "--reasons"
        ),
    ] = False,
    strict: Annotated[
        bool,
        option(
            "No class if a column that was complete in training is missing.", "--strict"
        ),
    ] = False,
    rename: Annotated[
        list[Any] | None,
        option(
            "A column of DATA and its name in the model, may be repeated.",
            read=renaming,
            metavar="OLD=NEW",
        ),
    ] = None,
    force: Force = False,
    reading: Read = None,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Write a score and a class for each row of DATA.

    Rows with unusable values get a reason in place of a class. The reasons also name
    imputed columns that were complete in training, and unknown levels. If a kept column
    has the name score or class, the new one is predicted_score or predicted_class.
    """
    if coverage_by is not None and coverage is None:
        raise ValueError("--coverage-by needs --coverage")
    check_source(data)
    terminal = Terminal(quiet=quiet, json=json)
    with terminal.progress(f"predicting the rows of {data}"):
        import pandas as pd

        from moselect.datasets.sources import find_blocks, row_blocks
        from moselect.datasets.text_files import SEPARATORS
        from moselect.io.tables import check_prediction_path, spreadsheet_csv
        from moselect.predictor.predictions import predict_table, reason_remarks
        from moselect.preprocessing.steps import read_rows
        from moselect.selection.profiles import range_counts, range_remarks

        if out is not None:
            check_prediction_path(out, overwrite=force)
        predictor = moselect.io.read_model(model)
        names = {old: new for each in rename or () for old, new in each.items()}
        sets = None if coverage is None else (coverage, coverage_by)
        profiles = predictor.reference.columns if predictor.reference else []
        features = predictor.feature_names or ()
        priced = () if predictor.row_costs is None else predictor.row_costs.columns
        notes = dict[str, None]()
        kept = []
        blocks = []
        counts = []
        for source in find_blocks(data, reading):
            notes |= dict.fromkeys(source.notes)
            kept.append(_kept_columns(source, keep))
            renamed = source.renamed(names)
            table = read_rows(renamed, predictor.columns, features, priced)
            counts.append(range_counts(profiles, table))
            for rows in row_blocks(table):
                block = table.iloc[rows]
                predicted = predict_table(predictor, block, strict)
                blocks.append(
                    _new_columns(
                        predictor, block, predicted, proba, sets, explain, reasons
                    )
                )
        new = pd.concat(blocks, ignore_index=True)
        explanations = new.pop("reason")
        scored = new["score"].notna().to_numpy()
        if len(new) and not scored.any():
            raise ValueError(
                f"no row can be scored: in the first one {explanations.iloc[0]}"
            )
        if (explanations != "").any():
            new["reason"] = explanations
        predictions = _joined(pd.concat(kept, ignore_index=True), new)
        for note in notes:
            terminal.inform(note)
        for remark in range_remarks(profiles, counts):
            terminal.warn(remark)
        separator = source.separator if source.separator in SEPARATORS else ";"
        if out is not None:
            form = {"separator": separator, "decimal": source.decimal}
            moselect.io.write_predictions(out, predictions, **form, overwrite=force)
            terminal.inform(f"Predictions: {out}")
    if terminal.json:
        where = (
            {"file": str(out)} if out else {"predictions": predictions.to_dict("records")}
        )
        about = {
            "model": str(model),
            "n_rows": len(predictions),
            "n_unscored": int((~scored).sum()),
        }
        terminal.print_json(about | where)
    elif out is None:
        shown_digits = 6
        shown = predictions.map(
            lambda cell: (
                float(f"{cell:.{shown_digits}g}") if type(cell) is float else cell
            )
        )
        sys.stdout.write(spreadsheet_csv(shown, separator, source.decimal))
    for remark in reason_remarks(scored, explanations.to_numpy()):
        terminal.warn(remark)


def _new_columns(
    model: moselect.predictor.Model,
    table: pd.DataFrame,
    predicted: RowPredictions,
    proba: bool,
    sets: tuple[float, Literal["class"] | None] | None,
    explain: bool,
    reasons: bool,
) -> pd.DataFrame:
    """Return scores, classes, the optional columns, and reasons."""
    import numpy as np
    import pandas as pd

    from moselect.predictor.contributions import reasons_of

    parts = [pd.DataFrame({"score": predicted.scores, "class": predicted.classes})]
    parts.append(pd.DataFrame({"reason": predicted.reasons}))
    if not predicted.scored.any():
        return pd.concat(parts, axis=1)
    if proba or sets is not None:
        shares = model.probabilities(predicted.values[predicted.scored])
        if proba:
            names = [f"P({label})" for label in model.classes_.tolist()]
            parts.append(pd.DataFrame(predicted.spread(shares), columns=names))
        if sets is not None:
            labels = np.array([*model.classes_.tolist(), None], dtype=object)
            codes = np.full((len(table), 2), -1)  # rows without a class have no set
            codes[predicted.scored] = model.set_ranges(shares, *sets)
            parts.append(pd.DataFrame(labels[codes], columns=["lowest", "highest"]))
    if explain or reasons:
        if model.reference is not None:  # of other models the terms are known
            known = model.contributions(table[predicted.scored])
            added = pd.DataFrame(
                predicted.spread(known.to_numpy()), columns=known.columns
            )
        else:
            added = model.parts(predicted.values)
        if explain:
            parts.append(added.add_prefix("part of "))
        if reasons:
            parts.append(pd.DataFrame({"because": reasons_of(added, table)}))
    return pd.concat(parts, axis=1)


def _kept_columns(source: Source, keep: str | None) -> pd.DataFrame:
    """Return columns of the table as they are written: all, or those that are named."""
    names = list(source.table.columns)
    if keep != "all":
        names = [name.strip() for name in keep.split(",")] if keep else []
    missing = [name for name in names if name not in source.table]
    if missing:
        raise ValueError(f"--keep {missing[0]}: unknown column")
    return source.table[names].assign(**{name: source.as_written(name) for name in names})


def _joined(copied: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """Return both; the true class, or predictions of another model, keep their names."""
    import pandas as pd

    new = new.set_axis(copied.index)
    new = new.rename(
        columns={name: f"predicted_{name}" for name in new if name in copied}
    )
    again = [name for name in new if name in copied]
    if again:
        raise ValueError(
            f"the table already has a column '{again[0]}': choose other columns to --keep"
        )
    return pd.concat([copied, new], axis=1)
