"""Columns that are no features: weights, counts, row numbers and leaks of the target.

Remarks begin with a code, under which the reference explains them.
"""

import re
from collections.abc import Collection
from itertools import compress

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype
from scipy.stats import rankdata

from moselect._types import Floats, Integers
from moselect.budgets import INSPECTION
from moselect.datasets.target import COUNTS, letters_of
from moselect.listing import listing, setting, short
from moselect.samples.weights import are_cells
from moselect.tables.cells import read_content
from moselect.tables.features import ColumnContent, Schema
from moselect.tables.gap_codes import gap_codes
from moselect.tables.levels import read_levels
from moselect.tables.schema import are_integers

CASES = re.compile("(n|num|number)(of)?(case|control)s?")  # whatever stands beside them
WEIGHT = "(wt|wgt|wght|weight|weighting)s?"
SURVEYS = (
    "samp(le|ling)?|survey|svy|fi?nl?|final|per(s|son)?|p|d|design|psp|post|pop(ulation)?|anal(ysis)?"
    "|hh|household|prob(ability)?|respondent|inv(erse)?|norm(alised|alized)?|adj(usted)?|row"
)
BOUNDS = ("<", ">", "\N{LESS-THAN OR EQUAL TO}", "\N{GREATER-THAN OR EQUAL TO}")
SURVEY_WEIGHTS = re.compile(
    f"({SURVEYS}){WEIGHT}|weights|wts|{WEIGHT}({SURVEYS}|ss(all|ps)?|factor|var|mec|int)"
)


def role_remarks(
    frame: pd.DataFrame,
    codes: Integers,
    roles: Collection[str] = (),
    coded: Collection[str] = (),
) -> list[str]:
    """Report columns that seem to have another role than a feature, with the option for it.

    ``roles`` are the parameters of ``fit`` that are known; of ``coded`` columns the codes for
    gaps are known.
    """
    numbers = frame.select_dtypes("number", "timedelta").astype("float64")
    remarks = []
    counts = _columns_of_counts(frame, numbers, codes)
    if counts:
        seem = "seems to count" if len(counts) == 1 else "seem to count"
        ways = setting("drop", counts)
        if "sample_weight" not in roles:
            weigh = setting("weight", counts[:1])
            if counts[1:]:
                weigh = f"{weigh} {setting('drop', counts[1:])}"
            ways = f"weight rows by it ({weigh}), or exclude it ({ways})"
        listed = listing(map(repr, map(short, counts)))
        remarks.append(f"MS104: {listed} {seem} the cases of each row: if so, {ways}")
    if "sample_weight" not in roles:
        remarks += [
            f"MS105: '{short(name)}' seems to hold survey weights: if so, weight rows by it "
            f"({setting('weight', [name])}); now it is a feature"
            for name in numbers
            if _weights_rows(str(name), numbers[name])
        ]
    for name, column in numbers.drop(columns=[*coded], errors="ignore").items():
        values = column.to_numpy()
        found = gap_codes(values)
        if found:
            shown = [f"{code:.12g}" for code in found]
            option = setting("missing", [f"{name}={code}" for code in shown])
            share = np.isin(values, found).mean()
            remarks.append(
                f"MS106: '{short(name)}' has {listing(shown)} in {share:.1%} of rows, apart from "
                f"its other values: if it stands for a missing value, {option}"
            )
    return remarks


def bound_remarks(contents: Schema) -> list[str]:
    """Report bounds, such as <5 below a limit of detection, that are read as missing."""
    bounds = {
        name: [word for word in content.words if word.startswith(BOUNDS)]
        for name, content in contents.items()
    }
    return [
        f"MS106: {listing(map(repr, words))} of '{short(name)}' count as missing, although low and "
        "high values differ: write numbers in their place, such as the bounds"
        for name, words in bounds.items()
        if words
    ]


# of a designed experiment, which has a class of each combination, hardly any
MIN_REPEATED = 1 / 3


def _columns_of_counts(
    frame: pd.DataFrame, numbers: pd.DataFrame, codes: Integers
) -> list[str]:
    """Return columns of whole numbers that count the cases of a table's cells.

    They are named like counts, and no two rows agree in their class and in all other
    columns, which have few values each. Or it is the one of most values, whatever its name, and
    the others repeat, each time with another class.
    """
    integers = [
        str(name)
        for name in numbers
        if np.isfinite(numbers[name]).all()
        and numbers[name].min() >= 0.0
        and are_integers(numbers[name].to_numpy())
    ]
    named = [name for name in integers if COUNTS.fullmatch(letters_of(name))]
    if named and are_cells(frame.drop(columns=named), codes):
        return named
    if not named and integers:
        counts = max(integers, key=lambda name: frame[name].nunique())
        factors = frame.drop(columns=counts)
        is_repeated = factors.duplicated().mean() > MIN_REPEATED
        if is_repeated and are_cells(factors, codes):
            return [counts]
    return [name for name in integers if CASES.fullmatch(letters_of(name))]


# Distance of the mean of normalised weights from 1, and greatest weight of a survey in medians.
MEAN_TOLERANCE = 0.1
SURVEY_SKEWNESS = 5.0


def _weights_rows(name: str, values: pd.Series) -> bool:
    """Return whether a column is named like survey weights, or has values like them.

    ``weight`` alone may be a body's.
    """
    letters = letters_of(name)
    if not (values.min() >= 0.0 and values.nunique() > 1 and np.isfinite(values).all()):
        return False
    middle = values.median()
    alone = re.fullmatch(WEIGHT, letters) and middle > 0.0
    like = (
        abs(values.mean() - 1.0) < MEAN_TOLERANCE
        or values.max() > SURVEY_SKEWNESS * middle
    )
    return bool(SURVEY_WEIGHTS.fullmatch(letters) or (alone and like))


FEWEST = 10  # samples on either side of a split of the classes, and of each level
# AUC of a single column that suggests leakage
MIN_LEAK_AUC = 0.98


def leak_remarks(frame: pd.DataFrame, codes: Integers, contents: Schema) -> list[str]:
    """Report columns that alone predict the classes almost perfectly, or number the rows.

    ``contents`` are those of the columns in use.
    """
    sampled = slice(None, None, 1 + len(frame) // INSPECTION.leak_rows)
    values = np.column_stack(
        [_cells(frame[name], codes, content) for name, content in contents.items()]
    )
    aucs = best_aucs(values[sampled], codes[sampled])
    is_narrow = np.ptp(values, axis=0) < 2 * len(frame)
    numbers_rows = is_narrow & (values == np.rint(values)).all(axis=0)
    remarks = []
    for j, name in enumerate(contents):
        advice = f"exclude it ({setting('drop', [name])})"
        if aucs[j] > MIN_LEAK_AUC:
            finding: str | None = (
                f"'{short(name)}' alone tells classes apart almost perfectly (AUC "
                f"{aucs[j]:.3f})"
            )
        else:
            level = _telling_level(frame[name], codes)
            finding = level and (
                f"nearly all rows with '{short(name)}' = {short(level)} are of one class"
            )
        if finding:
            remarks.append(f"MS101: {finding}: if not known at prediction time, {advice}")
        if numbers_rows[j] and len(np.unique(values[:, j])) == len(frame):
            remarks.append(f"MS103: '{short(name)}' numbers the rows: {advice}")
    return remarks


def _telling_level(column: pd.Series, codes: Integers) -> str | None:
    """Return a level that identifies a class, of a column of categories or two numbers.

    At least 30 rows have it, 98 % of them in one class that is less common in the table.
    """
    if is_numeric_dtype(column.dtype) and column.nunique() > 2:
        return None
    places, levels = read_levels(column)
    counts = np.zeros((len(levels) + 1, codes.max() + 1))
    np.add.at(counts, (places, codes), 1.0)
    sizes = counts.sum(axis=1)
    share = counts.sum(axis=0)[counts.argmax(axis=1)] / len(codes)
    # so many rows of one class have a probability of one in a thousand by chance
    tells = (sizes >= 30) & (counts.max(axis=1) >= 0.98 * sizes) & (share**sizes < 1e-3)
    return next(compress(levels, tells), None)


def best_aucs(values: Floats | Integers, codes: Integers) -> Floats:
    """Return the greatest AUC (p,) of columns (n, p), in either direction, over class splits.

    Each side of a split has at least a twentieth of the samples: with a few samples, one of
    many columns often separates the classes by chance.
    """
    ranks = rankdata(values, axis=0)
    best = np.full(values.shape[1], 0.5)
    for cut in range(1, codes.max() + 1):
        upper = codes >= cut
        n_upper = upper.sum()
        n_lower = len(codes) - n_upper
        if min(n_upper, n_lower) >= max(FEWEST, len(codes) / 20):
            aucs = (ranks[upper].mean(axis=0) - (n_upper + 1) / 2) / n_lower
            best = np.maximum(best, np.maximum(aucs, 1.0 - aucs))
    return best


def _cells(column: pd.Series, codes: Integers, content: ColumnContent) -> Floats:
    """Return numbers (n,), missing ones lowest; levels and dates are target-encoded.

    Rare levels get the overall mean: their own would leak the classes of their samples.
    """
    if content.content_type not in ("levels", "date"):
        return np.nan_to_num(read_content(column, content)[0], nan=-1e300)
    places = read_levels(column)[0] + 1
    sizes = np.bincount(places)
    means = np.bincount(places, codes) / np.maximum(sizes, 1)
    return np.where(sizes < FEWEST, codes.mean(), means)[places]
