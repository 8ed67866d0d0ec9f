"""Predictions for raw tables: rows that cannot be scored get a reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from moselect._types import Array, Booleans, Floats, Labels
from moselect.datasets.feature_cells import with_parts
from moselect.preprocessing.cells import read_numbers
from moselect.preprocessing.steps import steps_of
from moselect.samples.features import column_places
from moselect.samples.labels import as_label_array

if TYPE_CHECKING:  # slow to import
    from moselect.predictor.model import Model


@dataclass(frozen=True, eq=False)
class RowPredictions:
    """Predictions of a model for each row of a table.

    Attributes
    ----------
    values : ndarray of shape (n, p)
        Preprocessed features; NaN in rows that have none.
    scores : ndarray of shape (n,)
        Scores; NaN for a row that cannot be scored.
    classes : ndarray of shape (n,)
        Class labels; None for a row that cannot be scored.
    reasons : ndarray of shape (n,)
        Why a row cannot be scored, or its missing values and unseen levels; else an empty
        text.
    """

    values: Floats
    scores: Floats
    classes: Labels
    reasons: Array

    @property
    def scored(self) -> Booleans:
        """Rows (n,) that have a score."""
        return np.isfinite(self.scores)

    def spread(self, known: Floats) -> Floats:
        """Return numbers (n, k) of all rows, NaN for those without a score."""
        values = np.full((len(self.scores), known.shape[1]), np.nan)
        values[self.scored] = known
        return values


def reason_remarks(scored: Booleans, reasons: Array) -> list[str]:
    """Count the rows that have a reason, and name the commonest one.

    These are rows with values that training did not have, or without any, and rows without
    a class.

    Examples
    --------
    >>> reason_remarks(np.array([True, True]), np.array(["", "estimated without 'age'"]))
    ["1 of 2 rows have a class with a caveat, see the column 'reason' \
(most often, as in row 2: estimated without 'age')"]
    """
    remarks = []
    explained = reasons != ""
    conditions = {
        "a class with a caveat": scored & explained,
        "no class": ~scored,
    }
    for text, applies in conditions.items():
        rows = np.flatnonzero(applies)
        if not len(rows):
            continue
        # The cell itself does not distinguish reasons.
        shortened = [
            re.sub(" (holds|is) .*, not ", " is not ", reason) for reason in reasons[rows]
        ]
        row = rows[shortened.index(Counter(shortened).most_common(1)[0][0])]
        remarks.append(
            f"{len(rows)} of {len(reasons)} rows have {text}, see the column 'reason' "
            f"(most often, as in row {row + 1}: {reasons[row]})"
        )
    return remarks


def predict_table(
    model: Model, table: pd.DataFrame, strict: bool = False
) -> RowPredictions:
    """Predict each row of a table that can be scored.

    Parameters
    ----------
    model : Model
        The model, which may include preprocessing (``columns``).
    table : DataFrame of shape (n, m)
        The rows, with at least the columns that the model needs, found by name, or by
        position if the model has no names. Text that is a number counts as one.
    strict : bool, default=False
        Whether rows without a value that all rows had in training are not scored.
        Otherwise it is the median, or an unknown level, and their reason says so.

    Returns
    -------
    RowPredictions
        For the rows that can be scored the same as ``model.predict``, to the last bit.

    Raises
    ------
    ValueError
        If a column is missing, or there twice.

    Examples
    --------
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([2.0], [3.0], ["low", "high"], ["speed"])
    >>> predictions = predict_table(model, pd.DataFrame({"speed": ["2.0", "fast", None]}))
    >>> predictions.classes.tolist(), predictions.reasons.tolist()
    (['high', None, None], ['', "'speed' is 'fast', not a finite number", "'speed' is missing"])
    """
    values, reasons, notes, unseen = _weighed(model, table)
    if model.row_costs is not None:
        reasons = np.where(reasons == "", model.row_costs.read(table)[1], reasons)
    if strict:
        reasons = np.where(reasons == "", notes, reasons)
    both = np.where((notes != "") & (unseen != ""), "; ", "")
    notes = notes + both + unseen
    usable = np.flatnonzero(reasons == "")
    scores = np.full(len(table), np.nan)
    classes = np.full(len(table), None, dtype=object)
    if len(usable):
        usable_scores, codes = model.scores_and_codes(values[usable], table.iloc[usable])
        reasons[usable] = "the score is too large for a floating-point number"
        finite = np.isfinite(usable_scores)
        scored = usable[finite]
        scores[scored], reasons[scored] = usable_scores[finite], notes[scored]
        classes[scored] = model.answers[codes[finite]].tolist()
        if len(scored) == len(table):
            classes = as_label_array(classes.tolist())
    return RowPredictions(values, scores, classes, reasons)


def _weighed(model: Model, table: pd.DataFrame) -> tuple[Floats, Array, Array, Array]:
    """Return features (n, p), NaN in unusable rows, and texts (n,).

    These are reasons, notes on imputation, and notes on unseen levels.
    """
    columns = model.columns
    notes = unseen = np.full(len(table), "", dtype=object)
    if columns is None:
        read = _read_features(table, model.feature_names, model.n_features_in_)
        return (*read, notes, unseen)
    first = steps_of(columns)[0]
    if hasattr(first, "problems"):
        reasons = np.array(first.problems(table), dtype=object)
        notes = first.estimated(table).to_numpy(dtype=object)
        unseen = first.unseen(table).to_numpy(dtype=object)
    else:
        names = getattr(first, "feature_names_in_", None)
        features, reasons = _read_features(table, names, first.n_features_in_)
        table = pd.DataFrame(features, columns=names)
    usable = reasons == ""
    values = np.full((len(table), model.n_features_in_), np.nan)
    if usable.any():
        values[usable] = np.asarray(columns.transform(table[usable]))
    return values, reasons, notes, unseen


def _read_features(
    table: pd.DataFrame, names: Sequence[str] | None, n_features: int
) -> tuple[Floats, Array]:
    """Return numbers (n, p), NaN where there is none, and the reason for each such row."""
    table = with_parts(table, () if names is None else names)
    places = column_places(table, () if names is None else names)
    if names is None:
        if len(places) != n_features:
            raise ValueError(
                f"the table has {len(places)} columns, but the model, which has no names, needs "
                f"{n_features}"
            )
        names = list(places)
    values = np.empty((len(table), len(names)))
    reasons = np.full(len(table), "", dtype=object)
    for j, name in reversed([*enumerate(names)]):  # the first reason stays
        column = table.iloc[:, places[name]]
        values[:, j], bad = read_numbers(column)
        reasons[np.isnan(values[:, j])] = f"{name!r} is missing"
        for row in np.flatnonzero(bad):
            cell = str(column.iloc[row])[:50]
            reasons[row] = f"{name!r} is {cell!r}, not a finite number"
    values[~np.isfinite(values)] = np.nan
    return values, reasons
