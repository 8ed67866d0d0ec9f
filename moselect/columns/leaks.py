"""Signs that a table holds what is not known beforehand, or the same rows twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import f as f_distribution
from scipy.stats import rankdata
from sklearn.pipeline import Pipeline

from moselect._types import Floats, Integers
from moselect.columns.cells import as_frame, find_content, read_numbers
from moselect.columns.levels import read_levels
from moselect.columns.steps import steps_of
from moselect.features import holds_numbers
from moselect.listing import order_option, short

NEAR_CERTAIN = 0.98  # AUC of one column
NEARLY_ALL = 0.99  # accuracy
FEWEST = 10  # samples on either side of a split of the classes, and of each level
ENOUGH_ROWS = 20_000  # to tell an AUC from 1
MANY_REPEATED = 0.01  # of the rows
FEWEST_GROUPS = 10
ROWS_OF_A_GROUP = (2, 50)  # on average
ALIKE = 0.1  # intraclass correlation
SURE = 1e-6  # level of the test that there is none


def leak_remarks(
    X: Any, codes: Integers, columns: Pipeline | None = None, accuracy: float = 0.0
) -> list[str]:
    """Say which columns predict the classes almost perfectly alone, or number the rows.

    ``columns`` are those of a fitted front, and ``accuracy`` is the best that it expects.
    """
    frame = as_frame(X)
    used = list(frame.columns)
    for step in steps_of(columns):
        if hasattr(step, "left_out_"):
            used = [column.name for column in step.inputs]
    sampled = slice(None, None, 1 + len(frame) // ENOUGH_ROWS)
    values = np.column_stack([_cells(frame[name], codes) for name in used])
    aucs = _best_aucs(values[sampled], codes[sampled])
    near = np.ptp(values, axis=0) < 2 * len(frame)
    numbers_rows = near & (values == np.rint(values)).all(axis=0)
    remarks = []
    for j in np.flatnonzero((aucs > NEAR_CERTAIN) | numbers_rows):
        name, option = short(used[j]), order_option([used[j]], "--drop")
        if aucs[j] > NEAR_CERTAIN:
            what = f"tells classes apart almost perfectly (AUC {aucs[j]:.3f})"
            remarks.append(
                f"'{name}' alone {what}: if not known beforehand, leave it out ({option})"
            )
        if numbers_rows[j] and len(np.unique(values[:, j])) == len(frame):
            remarks.append(f"'{name}' numbers the rows: leave it out ({option})")
    if accuracy >= NEARLY_ALL:
        remarks.append(
            f"the accuracy to be expected is {accuracy:.3f}: if a column says the target in other "
            "words, leave it out (--drop COLUMN)"
        )
    alike = {name: class_likeness(frame[name], codes) for name in used}
    group = max(used, key=lambda name: alike[name])
    if alike[group] > ALIKE:
        remarks.append(
            f"rows of one '{short(group)}' tend to be of one class: if new rows are of others, "
            f"hold its rows out together ({order_option([group], '--group')}), or "
            "figures are too good"
        )
    repeated = int(frame[used].assign(**{"\0class": codes}).duplicated().sum())
    if repeated > MANY_REPEATED * len(frame):
        remarks.append(
            f"{repeated:,} of {len(frame):,} rows repeat others: if they are copies, take them out "
            "of the table (equal rows are held out together)"
        )
    return remarks


def class_likeness(column: pd.Series, codes: Integers) -> float:
    """Return how alike classes (n,) are in rows of one value, 0 if no more than others.

    It is the intraclass correlation of values of which each is there several times, taken
    from the differences between one value and the next, so that trends along a number do
    not count.
    """
    places, values = pd.factorize(column, sort=pd.api.types.is_numeric_dtype(column))
    n, g = len(places), len(values)
    fewest, most = (g * rows for rows in ROWS_OF_A_GROUP)
    if places.min() < 0 or g < FEWEST_GROUPS or not fewest <= n <= most:
        return 0.0
    sizes = np.bincount(places)
    means = np.bincount(places, codes) / sizes
    within = float(((codes - means[places]) ** 2).sum()) / (n - g)
    between = (np.diff(means) ** 2 / (1.0 / sizes[1:] + 1.0 / sizes[:-1])).mean()
    ratio = float(between) / max(within, np.finfo(float).tiny)
    degrees = 2.0 * (g - 1) / 3.0, n - g  # differences share values
    if f_distribution.sf(ratio, *degrees) > SURE:
        return 0.0
    return (ratio - 1.0) / (ratio - 1.0 + n / g)


def _best_aucs(values: Floats, codes: Integers) -> Floats:
    """Return the greatest AUC (p,) of columns (n, p), either way, for a split of classes.

    Either side of a split has at least a twentieth of the samples: of a few one column of
    many is often the greatest by chance.
    """
    ranks, best = rankdata(values, axis=0), np.full(values.shape[1], 0.5)
    for cut in range(1, int(codes.max()) + 1):
        upper = codes >= cut
        n_upper, n_lower = int(upper.sum()), int((~upper).sum())
        if min(n_upper, n_lower) >= max(FEWEST, len(codes) / 20):
            aucs = (ranks[upper].mean(axis=0) - (n_upper + 1) / 2) / n_lower
            best = np.maximum(best, np.maximum(aucs, 1.0 - aucs))
    return best


def _cells(column: pd.Series, codes: Integers) -> Floats:
    """Return numbers (n,), missing ones lowest, and other cells by their mean class.

    Levels of few samples, whose mean would tell their own classes, have the mean of all.
    """
    if holds_numbers(column.dtype) or find_content(column).kind == "number":
        return np.nan_to_num(read_numbers(column)[0], nan=-1e300)
    places = read_levels(column)[0] + 1
    sizes = np.bincount(places)
    means = np.bincount(places, codes) / np.maximum(sizes, 1)
    return np.asarray(np.where(sizes < FEWEST, codes.mean(), means)[places])
