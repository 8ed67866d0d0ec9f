"""Predictions for raw tables, reasons for rows without one, and prediction sets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Array, Booleans, Floats, Integers, Labels, record
from moselect.labels.labels import as_label_array
from moselect.preprocessing.columns import read_features
from moselect.tables.features import with_values

if TYPE_CHECKING:  # slow to import
    from moselect.predictor.model import Model
    from moselect.tables.tables import Source


class SetWeights(msgspec.Struct, frozen=True):
    """Calibrated weights of the classes in prediction sets, by coverage.

    The set of a row with class probabilities p is the range I of consecutive classes with
    the greatest sum of w_k p_k - 1 over k in I. Each class in the set costs 1,
    and its probability is worth w_k: among the contiguous sets of equal
    coverage these have the least mean size (Lagrangian relaxation; Sadinle, Lei &
    Wasserman 2019, Journal of the American Statistical Association 114, 223-234, without
    the order of the classes).

    Attributes
    ----------
    coverages : list of float
        Probabilities that a set holds the true class, ascending.
    overall : list of float
        For each coverage, the common weight that meets it over all rows.
    by_class : list of list of float
        For each coverage, the weights (r,) that meet it in each class.
    """

    coverages: list[float]
    overall: list[float]
    by_class: list[list[float]]

    def ranges(
        self, proba: Floats, coverage: float, by: Literal["class"] | None = None
    ) -> Integers:
        """Compute the codes (n, 2) of the lowest and highest class of each set.

        The coverage is met over all rows, or with ``by="class"`` in each class.

        Raises
        ------
        ValueError
            If the coverage is no number, or outside the calibrated range.
        """
        if by not in (None, "class"):
            raise ValueError(f"by is {by!r}: choose from None and 'class'")
        least = self.coverages[0]
        most = self.coverages[-1]
        if not isinstance(coverage, float | np.floating) or not least <= coverage <= most:
            raise ValueError(
                f"coverage {coverage!r}: give a probability from {least:g} to {most:g}"
            )
        known = np.array(self.overall if by is None else self.by_class)
        # Weights are positive, and interpolate as logarithms.
        logs = np.log(known.reshape(len(self.coverages), -1))
        # Close to linear in the logarithm of the probability of an error.
        errors = np.log(1.0 - np.array(self.coverages))
        log_error = np.log(1.0 - coverage)
        weights = np.exp([np.interp(-log_error, -errors, column) for column in logs.T])
        return heaviest_ranges(proba * weights)


def heaviest_ranges(values: Floats) -> Integers:
    """Find in each row of values v (n, r) the range with the greatest sum of v_k - 1.

    The range is not empty; of several such ranges the first and shortest is taken (the
    maximum subarray by cumulative sums: Kadane's algorithm).

    Returns
    -------
    ndarray of int, shape (n, 2)
        First and last column of the range.

    Examples
    --------
    >>> heaviest_ranges(np.array([[0.2, 3.0, 0.9, 2.0], [0.1, 0.6, 0.2, 0.1]]))
    array([[1, 3],
           [1, 1]])
    """
    sums, best = _cumulative(values)
    last = best.argmax(axis=1)
    before = np.arange(values.shape[1]) <= last[:, None]
    # Among equal starts the first, so that the range is as wide as its sum allows.
    first = np.where(before, sums[:, :-1], np.inf).argmin(axis=1)
    return np.column_stack([first, last])


def heaviest_sums(values: Floats) -> Floats:
    """Compute the greatest sum (n,) of v_k - 1 over a range, at least -1."""
    return _cumulative(values)[1].max(axis=1, initial=-1.0)


def _cumulative(values: Floats) -> tuple[Floats, Floats]:
    """Sum v_k - 1: over the first 0 .. r columns (n, r + 1), and over the best range (n, r).

    The best range that ends in each column begins at the least cumulative sum before.
    """
    sums = np.pad((values - 1.0).cumsum(axis=1), ((0, 0), (1, 0)))
    return sums, sums[:, 1:] - np.minimum.accumulate(sums[:, :-1], axis=1)


@record
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
    proba : ndarray of shape (n, r) or None
        Class probabilities of a classifier. None for a weighted sum, whose probabilities are
        a function of the score.
    numbers : dict of str to ndarray of shape (n,)
        Numbers read from the columns, NaN for missing ones.
    """

    values: Floats
    scores: Floats
    classes: Labels
    reasons: Array
    proba: Floats | None
    numbers: dict[str, Floats]

    @property
    def scored(self) -> Booleans:
        """Rows (n,) that have a score."""
        return np.isfinite(self.scores)


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
    if model.columns.steps:
        rows = model.columns.read(table)
    else:
        rows = read_features(table, model.feature_names, model.n_features_in_)
    reasons = rows.unreadable.copy()
    notes = rows.estimated
    if model.row_costs is not None:
        reasons = np.where(reasons == "", model.row_costs.read(table)[1], reasons)
    if strict:
        reasons = np.where(reasons == "", notes, reasons)
    both = np.where((notes != "") & (rows.unseen != ""), "; ", "")
    notes = notes + both + rows.unseen
    n_rows = len(table)
    values = np.full((n_rows, model.scorer.n_features), np.nan)
    if len(rows.features):
        values[rows.unreadable == ""] = rows.features
    usable = np.flatnonzero(reasons == "")
    scores = np.full(n_rows, np.nan)
    proba = None
    classes = np.full(n_rows, None, object)
    if len(usable):
        scores[usable], shares = model.scorer.outputs(values[usable])
        codes = model.codes(scores[usable], shares, table.iloc[usable])
        reasons[usable] = notes[usable]
        classes[usable] = model.answers[codes]
        if shares is not None:
            proba = np.full((n_rows, shares.shape[1]), np.nan)
            proba[usable] = shares
        if len(usable) == n_rows:
            classes = as_label_array(classes.tolist())
    return RowPredictions(values, scores, classes, reasons, proba, rows.numbers)


def read_rows(model: Model, source: Source) -> pd.DataFrame:
    """Return a table as in training: categories as written, amounts as numbers."""
    units: Mapping[str, str | None] = dict.fromkeys(model.feature_names or (), "")
    if model.columns.steps:
        units = model.columns.first.units
    table = source.table
    columns = {
        name: source.as_text(name) if unit is None else source.as_numbers(name, unit)
        for name, unit in units.items()
        if name in table
    }
    if model.row_costs is not None:  # costs take numbers in any unit
        for name in table.columns.intersection(model.row_costs.columns):
            columns[name] = source.as_numbers(name)
    return with_values(table, columns)
