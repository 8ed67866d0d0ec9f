"""Split a table into target, features and columns with other roles."""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from pandas.api.types import is_float_dtype, is_numeric_dtype

from moselect._types import Label, LabelOrder
from moselect.labels.labels import BLANKS, level_text
from moselect.labels.scales import MERGE
from moselect.listing import comma_separated, listing, short
from moselect.tables.amounts import GAPS
from moselect.tables.cells import distinct_cells
from moselect.tables.features import are_finite_numbers
from moselect.tables.tables import Source, check_column

USUAL_TARGETS = {"response", "target", "label", "class", "y"}
# Names of columns that count the cases of a row.
COUNTED = (
    "case|control|person|people|subject|patient|respondent|trial|event|death|observation"
)
COUNTS = re.compile(
    f"(n|num|number|count|freq)?(of)?({COUNTED})s?|n?obs|n|cnt|(cell)?(counts?|freqs?)|(frequenc|tall)(y|ies)"
)
# In place of an order that is not known: labels by the alphabet would be copied as they
# are.
ORDER_TO_FILL = "order=LOWEST,...,HIGHEST"


class OrderError(ValueError):
    """The order of the labels of a target is unknown, or does not fit them.

    Examples
    --------
    >>> issubclass(OrderError, ValueError)
    True
    """


EACH_ROW = "none"  # as the column of groups: every row is a group of its own


def choose_target(source: Source, target: str | None) -> str:
    """Return the target column: the given one, one with a usual name, or the last.

    The last of a contingency table mostly holds counts: then it is the one before.
    """
    columns = source.table.columns.tolist()
    if target is None:
        usual = [column for column in columns if column.lower() in USUAL_TARGETS]
        others = [
            column for column in columns if not COUNTS.fullmatch(letters_of(column))
        ]
        return str(usual[0] if len(usual) == 1 else (others or columns)[-1])
    if target not in columns:
        target = str(target).strip()  # column names are stripped when a file is read
    check_column(target, columns, source.notes)
    return target


def letters_of(name: object) -> str:
    """Return the letters of a name of a column, in small."""
    return re.sub("[^a-z]", "", str(name).lower())


def target_values(source: Source, column: str, order: LabelOrder) -> pd.Series:
    """Return a target column, missing where rows have no label.

    Words that otherwise count as missing are labels if ``order`` lists them; without an
    order, None is a label. Decimals that may be versions, such as 5.9 and 5.10, stay text.
    ValueError if the file has lost the order of an ordered category of numbers.
    """
    values = source.table[column]
    if order is None and column in source.unordered:
        labels = sorted(values.dropna().unique().tolist())
        raise OrderError(
            f"target '{short(column)}' is an ordered category of numbers, whose order the file "
            f"does not keep: give it, lowest first ({ORDER_TO_FILL}): {comma_separated(labels)}"
        )
    if source.holds_versions(column, list(map(str, order or ()))):
        values = source.read_words(column).astype(str).where(values.notna())
    named = (
        {str(label).strip() for label in order}
        if isinstance(order, list | tuple)
        else {"None"}
    )
    if values.isna().any():
        # cells of workbooks may be numbers
        words = source.read_words(column)
        words = words.map(lambda word: str(word).strip(), na_action="ignore")
        if words.isin(named & set(words[values.isna()])).any():
            values = words.where(words.isin(named) | values.notna())
    return values


def target_classes(
    source: Source, column: str, classes: list[Label], leave_out: Sequence[object] = ()
) -> pd.Series:
    """Return a target column as the classes of a model, merged as in training.

    Labels in ``leave_out`` are masked; others of no class stay as they are.
    """
    class_of: dict[str, Label] = {}
    for label in classes:
        class_of |= dict.fromkeys(level_text(label).split(MERGE), label)
    # a class of its own counts before a part of another one
    class_of |= {level_text(label): label for label in classes}
    values = _without(target_values(source, column, classes), leave_out)
    codes, levels = distinct_cells(values)
    found = pd.Series([class_of.get(level_text(level), level) for level in levels])
    return found.reindex(codes).set_axis(values.index)


def _without(values: pd.Series, labels: Sequence[object]) -> pd.Series:
    """Mask labels, whether or not rows have them."""
    codes, levels = distinct_cells(values)
    texts = pd.Series([*map(level_text, levels), None])  # the last one is of gaps
    return values.mask(texts.isin([*map(level_text, labels)]).to_numpy()[codes])


def target_numbers(source: Source, column: str) -> pd.Series:
    """Return a numeric target column, with numbers written as text parsed."""
    values = source.as_numbers(column)
    if is_numeric_dtype(values.dtype):
        return values
    is_gap = values.astype(str).str.strip(BLANKS).str.lower().isin(GAPS)
    return values.mask(is_gap).infer_objects()


def target_bins(
    source: Source, column: str, edges: ArrayLike, leave_out: Sequence[object] = ()
) -> pd.Series:
    """Return the classes 1, ..., r of a numeric target, NaN where it is missing.

    ``edges`` (r - 1,) are cut points, each of the lower class; values in ``leave_out``
    are masked.
    """
    numbers = _without(target_numbers(source, column), leave_out)
    values = numbers.to_numpy(float, na_value=np.nan)
    classes = 1.0 + np.searchsorted(np.asarray(edges), values, side="left")
    return pd.Series(classes, numbers.index).mask(np.isnan(values))


def without_labels(
    values: pd.Series, leave_out: Sequence[object]
) -> tuple[pd.Series, tuple[str, ...]]:
    """Mask excluded labels of a target column; return it with a note on their counts.

    ValueError if no row has one of them.
    """
    if not leave_out:
        return values, ()
    counts = values.astype(object).map(level_text, na_action="ignore").value_counts()
    texts = dict.fromkeys(map(level_text, leave_out))
    for text in texts:
        if text not in counts:
            raise ValueError(
                f"no row has the label '{short(text)}' to be excluded by leave_out: "
                f"labels of '{short(values.name)}' are {listing(sorted(counts.index), 20)}"
            )
    shown = listing([f"'{short(text)}' ({counts[text]:,})" for text in texts], 20)
    return _without(values, leave_out), (
        f"excluded rows of '{short(values.name)}': {shown}",
    )


def role_values(source: Source, role: str, column: str, target: str) -> pd.Series:
    """Return the column of sample weights, groups or times; weights as numbers.

    With the group "none" each row is a group of its own.
    """
    if role == "groups" and column == EACH_ROW and column not in source.table:
        return pd.Series(range(len(source.table)), source.table.index, name=column)
    name = choose_target(source, column)
    if name == target:
        raise ValueError(f"'{short(name)}' is the target: it cannot hold {role}, too")
    if role != "sample_weight":
        return source.table[name]
    values = source.as_numbers(name)
    if not is_numeric_dtype(values.dtype):
        raise ValueError(f"not every cell of '{short(name)}' is a number: fix the column")
    return values


def check_finite(values: pd.Series) -> None:
    """Raise ValueError if a target value is infinite."""
    if is_float_dtype(values.dtype) and np.isinf(values.astype("float64")).any():
        raise ValueError(f"target '{short(values.name)}' has infinite values: drop them")


def features_of(table: pd.DataFrame, target: str) -> pd.DataFrame:
    """Return all columns but the target, as floats if all are finite numbers.

    Booleans are not converted: other tables may spell them as words.
    """
    features = table.drop(columns=target)
    if features.columns.empty:
        raise ValueError(
            f"there are no features: '{short(target)}' is the only column (another separator of "
            "fields, separator=..., or sheet, sheet=...?)"
        )
    return features.astype("float64") if are_finite_numbers(features) else features
