"""Target leakage and row numbers among the columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import rankdata
from sklearn.pipeline import Pipeline

from moselect._protocols import Table
from moselect._types import Floats, Integers
from moselect.diagnostics import Diagnostic
from moselect.listing import setting, short
from moselect.preprocessing.cells import as_frame, read_numbers
from moselect.preprocessing.levels import read_levels
from moselect.preprocessing.steps import steps_of
from moselect.samples.features import holds_numbers

FEWEST = 10  # samples on either side of a split of the classes, and of each level


def leak_remarks(X: Table, codes: Integers, columns: Pipeline | None = None) -> list[str]:
    """Report columns that alone predict the classes almost perfectly, or number the rows.

    ``columns`` is the fitted transformer of a front.
    """
    frame = as_frame(X)
    used = list(frame.columns)
    numbers = {name for name in used if holds_numbers(frame[name].dtype)}
    for step in steps_of(columns):
        if hasattr(step, "excluded_"):
            used = [column.name for column in step.inputs]
            numbers |= set(step.columns_of_numbers)
    # to tell an AUC from 1
    enough_rows = 20_000
    sampled = slice(None, None, 1 + len(frame) // enough_rows)
    values = np.column_stack(
        [_cells(frame[name], codes, name in numbers) for name in used]
    )
    aucs = _best_aucs(values[sampled], codes[sampled])
    is_narrow = np.ptp(values, axis=0) < 2 * len(frame)
    numbers_rows = is_narrow & (values == np.rint(values)).all(axis=0)
    remarks = []
    # AUC of a single column that suggests leakage
    min_leak_auc = 0.98
    for j in np.flatnonzero((aucs > min_leak_auc) | numbers_rows):
        name = short(used[j])
        option = setting("drop", [used[j]])
        if aucs[j] > min_leak_auc:
            finding = f"tells classes apart almost perfectly (AUC {aucs[j]:.3f})"
            advice = f"if not known at prediction time, exclude it ({option})"
            remarks.append(Diagnostic.LEAK.remark(f"'{name}' alone {finding}: {advice}"))
        if numbers_rows[j] and len(np.unique(values[:, j])) == len(frame):
            text = f"'{name}' numbers the rows: exclude it ({option})"
            remarks.append(Diagnostic.ROW_NUMBER.remark(text))
    return remarks


def _best_aucs(values: Floats, codes: Integers) -> Floats:
    """Return the greatest AUC (p,) of columns (n, p), in either direction, over class splits.

    Each side of a split has at least a twentieth of the samples: with a few samples, one of
    many columns often separates the classes by chance.
    """
    ranks = rankdata(values, axis=0)
    best = np.full(values.shape[1], 0.5)
    for cut in range(1, int(codes.max()) + 1):
        upper = codes >= cut
        n_upper = int(upper.sum())
        n_lower = int((~upper).sum())
        if min(n_upper, n_lower) >= max(FEWEST, len(codes) / 20):
            aucs = (ranks[upper].mean(axis=0) - (n_upper + 1) / 2) / n_lower
            best = np.maximum(best, np.maximum(aucs, 1.0 - aucs))
    return best


def _cells(column: pd.Series, codes: Integers, are_numbers: bool) -> Floats:
    """Return numbers (n,), missing ones lowest; levels are target-encoded.

    Rare levels get the overall mean: their own would leak the classes of their samples.
    """
    if are_numbers:
        return np.nan_to_num(read_numbers(column)[0], nan=-1e300)
    places = read_levels(column)[0] + 1
    sizes = np.bincount(places)
    means = np.bincount(places, codes) / np.maximum(sizes, 1)
    return np.where(sizes < FEWEST, codes.mean(), means)[places]
