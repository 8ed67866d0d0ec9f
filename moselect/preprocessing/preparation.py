"""`Preparation`: encode and impute a table with columns of any type."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, Self

import msgspec
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers, Labels, Table
from moselect.labels.labels import class_labels, encode_labels
from moselect.listing import listing, suggestion
from moselect.preprocessing.columns import Columns, PreparedRows, TakesTables
from moselect.preprocessing.date_columns import DateColumns
from moselect.preprocessing.extra_columns import (
    CodeColumn,
    ExtraColumn,
    PairColumn,
    WordsColumn,
)
from moselect.preprocessing.integer_columns import IntegerColumn, identify_things
from moselect.preprocessing.learning import ExcludedColumn, PreparedColumn, learn_columns
from moselect.preprocessing.level_columns import EncodedColumn, encode_across_folds
from moselect.preprocessing.number_columns import Column, NumberColumn
from moselect.preprocessing.remarks import (
    Gaps,
    describe_estimated,
    describe_unreadable,
    describe_unseen,
)
from moselect.preprocessing.terms import TableTerms, Term
from moselect.samples.duplicates import duplicate_groups
from moselect.tables.amounts import column_of_part, with_parts
from moselect.tables.cells import as_frame
from moselect.tables.features import (
    ColumnContent,
    Schema,
    are_finite_numbers,
    column_places,
    feature_names,
)
from moselect.tables.schema import find_schema

SHOWN_NAMES = 8
TARGET_ENCODED = (EncodedColumn, IntegerColumn, PairColumn)


class PreparationDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fitted preparation as plain values."""

    schema: Literal[1]
    names: tuple[str, ...]
    columns: tuple[PreparedColumn, ...]
    excluded: tuple[ExcludedColumn, ...]


class Preparation(TakesTables, Columns):
    """Encode and impute a table with columns of any type as finite numbers.

    Numbers stay as they are; a few words among them count as missing. Text and categories
    are one-hot encoded, without the most frequent level and with rare levels merged;
    columns of more than 15 levels are target-encoded (scikit-learn's `TargetEncoder`), and
    so are integers that identify things: the numbers stay, and a column of their mean
    classes follows if these differ beyond a trend along the numbers.
    Levels that differ in case or blanks are one, as are yes and y; levels of a well-known
    scale, bands such as 18-34 and ordered categories become their place in the order, and
    "don't know" beside them is missing.
    Booleans become 0 and 1; dates their month, weekday and hour, and the days between
    consecutive dates of a row. Missing values are imputed by the median, with an indicator
    column if there are at least 5 and 1 %; missing categories are a level. Columns that are
    empty or constant, and keys (named like ``id`` and integers, or text; all values
    different) are excluded.

    Parameters
    ----------
    drop : sequence of str, default=()
        Columns to leave out.
    keep : sequence of str, default=()
        Columns that stay even if they are constant or look like keys, integers without their
        mean classes. Days since the first date become a column even if the classes show no
        trend.
    categorical : sequence of str, default=()
        Columns of numbers that are names of categories, or of categories that have no
        order and differ in case.
    missing : dict of str to number or sequence of numbers, optional
        Codes that stand for a missing value in columns of numbers, such as
        ``{"income": 999, "score": [-8, -9]}``.
    random_state : int or None, default=0
        Seed of the folds in which `fit_transform` encodes levels.
    extra : bool, default=False
        Whether columns without a formula follow the ``n_plain`` others: directions of the
        words of text, mean classes of pairs of categories, and, after ``n_shared``, codes
        of categories.

    Attributes
    ----------
    columns_ : tuple
        Fitted transformation of each column in use.
    excluded_ : tuple
        The other columns, each with its ``name`` and ``reason``.
    n_features_in_, feature_names_in_
        Number of columns of the table, and their names.

    See Also
    --------
    sklearn.preprocessing.TargetEncoder : The encoding of many levels, and how it shrinks means.

    Notes
    -----
    As in scikit-learn, `fit_transform` target-encodes training samples out of fold, so that
    a model fitted to them does not overfit the encoding; `transform` uses all training
    samples. Otherwise the two are the same.

    Examples
    --------
    >>> X = pd.DataFrame({"age": [31, None, 45, 28], "smoker": ["no", "yes", "no", "yes"]})
    >>> preparation = Preparation().fit(X)
    >>> preparation.transform(X)
        age  smoker=yes
    0  31.0         0.0
    1  31.0         1.0
    2  45.0         0.0
    3  28.0         1.0
    >>> print(preparation.summary)
    2 of 2 columns are used. Prepared: age (1 missing value imputed by the median),
    smoker (one-hot encoded but for the most frequent level).
    """

    def __init__(
        self,
        *,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical: Sequence[str] = (),
        missing: Mapping[str, float | Sequence[float]] | None = None,
        random_state: int | None = 0,
        extra: bool = False,
    ) -> None:
        self.drop = drop
        self.keep = keep
        self.categorical = categorical
        self.missing = missing
        self.random_state = random_state
        self.extra = extra

    document_name = "preparation"
    columns_: tuple[PreparedColumn, ...]
    excluded_: tuple[ExcludedColumn, ...]
    # Schema of the whole table; None: found in the rows at hand.
    _schema: Schema | None = None
    _takes_arrays: bool = False

    def with_schema(self, schema: Schema | None) -> Self:
        """Return an unfitted copy that fits to parts of a table by the schema of the whole.

        The content of a column may not be evident from a part, such as the samples outside
        a fold, and other contents would make the other rows unreadable.
        """
        copy = type(self)().set_params(**self.get_params())
        copy._schema = schema
        return copy

    def schema_of(self, X: Table) -> Schema:
        """Return the content of each column: as it was given, or found in a table."""
        if self._schema is not None:
            return self._schema
        frame = as_frame(X)
        self._check_names(frame)
        return find_schema(frame, self.drop, self.keep, self.categorical, self.missing)

    def __sklearn_clone__(self) -> Self:
        return self.with_schema(self._schema)

    def fit(
        self,
        X: Table,
        y: ArrayLike | pd.Series | None = None,
        groups: Integers | None = None,
    ) -> Self:
        """Learn how to prepare each column.

        Parameters
        ----------
        X : DataFrame of shape (n, p)
            A table of pandas, polars or another library that narwhals knows, or an array.
        y : array-like of shape (n,), optional
            Class labels, for target encoding. Without them columns of many levels are
            one-hot encoded, with rare levels merged.
        groups : ndarray of int, shape (n,), optional
            Groups that the folds of `fit_transform` keep together; by default duplicates.

        Returns
        -------
        Preparation
            Itself.

        Raises
        ------
        TypeError
            If ``drop``, ``keep`` or ``categorical`` is no list of names.
        ValueError
            If one of them names no column, no column is left, numbers are infinite, or y
            does not fit X.
        """
        self._fit(X, y)
        return self

    def fit_transform(
        self,
        X: Table,
        y: ArrayLike | pd.Series | None = None,
        groups: Integers | None = None,
        **_: object,
    ) -> pd.DataFrame | Floats:
        """Fit, and transform the training samples.

        Parameters as in `fit`. The result equals `transform`, except that target encoding
        is out of fold.
        """
        table, codes = self._fit(X, y)
        frame = table.frame
        features = [column.evaluate(table) for column in self.columns_]
        encoded = {
            place: column.encoded_cells(table)
            for place, column in enumerate(self.columns_)
            if isinstance(column, TARGET_ENCODED)
        }
        if codes is not None and encoded:
            if groups is None:
                groups = duplicate_groups(frame[self.used], codes)
            cells = [*encoded.values()]
            means = encode_across_folds(cells, codes, groups, self.random_state)
            for place, column in zip(encoded, means.T, strict=True):
                features[place] = column[:, None]
        return self.named(np.hstack(features), frame.index)

    def transform(self, X: Table) -> pd.DataFrame | Floats:
        """Return columns of finite numbers, matched by name.

        Parameters
        ----------
        X : DataFrame of shape (m, p)
            A table with at least the columns in use, in any order. Levels not seen in
            training and missing values are allowed.

        Returns
        -------
        DataFrame of shape (m, k) of float64
            With the index of X. An array if an array was fitted.

        Raises
        ------
        ValueError
            If a column is missing, or a cell does not have the type of its column (text
            among numbers).
        """
        table, features, gaps = self._evaluate(self._checked(X))
        unreadable = describe_unreadable(table, gaps)
        if unreadable.any():
            row, *others = np.flatnonzero(unreadable).tolist()
            of_rows = f"{1 + len(others)} of {len(unreadable)} rows"
            raise ValueError(f"{unreadable[row]} (row {row + 1}; {of_rows})")
        return self.named(features, table.frame.index)

    def named(
        self, features: Floats, index: pd.Index | None = None
    ) -> pd.DataFrame | Floats:
        """Return features (m, k) with their names, unless an array was fitted."""
        if self._takes_arrays:
            return features
        return pd.DataFrame(features, index, self.get_feature_names_out().astype(str))

    def read(self, X: Table) -> PreparedRows:
        """Compute the columns of all rows that can be read, with remarks on each row.

        Cells of each column are parsed once. Numbers and dates are estimated by the median,
        categories as unknown levels; new levels of columns with one or two rows a level,
        such as names of people, are not remarked.
        """
        table, features, gaps = self._evaluate(X)
        unreadable = describe_unreadable(table, gaps)
        return PreparedRows(
            features[unreadable == ""],
            unreadable,
            describe_estimated(gaps),
            describe_unseen(table, [each.column for each in gaps]),
            table.parsed,
        )

    def _evaluate(self, X: Table) -> tuple[TableTerms, Floats, list[Gaps]]:
        """Compute the output columns (m, k) of all rows, and the gaps of each column in use."""
        frame = as_frame(X)
        if feature_names(X) is None:  # an array: by place
            frame = frame.set_axis(self.feature_names_in_, axis="columns")
        inputs = self.inputs
        needed = [source.name for source in inputs]
        # Two numbers in a cell are one column of the table.
        columns = [n if n in frame else column_of_part(n) for n in needed]
        column_places(frame, list(dict.fromkeys(columns)))
        table = TableTerms(with_parts(frame, needed)[needed])
        features = np.hstack([column.evaluate(table) for column in self.columns_])
        return table, features, [Gaps(each, *each.gaps(table)) for each in inputs]

    def get_feature_names_out(self, input_features: object = None) -> Labels:
        """Return the names of the output columns, shape (k,)."""
        names = [each.name + ending for each in self.columns_ for ending in each.endings]
        return np.array(names, object)

    @property
    def inputs(self) -> tuple[Column, ...]:
        """Source columns in use, each once."""
        by_name = dict[str, Column]()
        for column in self.columns_:
            for source in column.inputs:
                by_name.setdefault(source.name, source)  # levels, before their words
        return tuple(by_name.values())

    @property
    def used(self) -> list[str]:
        """Names of the source columns in use."""
        return [source.name for source in self.inputs]

    @property
    def summary(self) -> str:
        """Description of the transformation of each column, a paragraph."""
        notes = [
            f"{column.name} ({column.note})" for column in self.columns_ if column.note
        ]
        excluded = [f"{column.name} ({column.reason})" for column in self.excluded_]
        n_used = len(self.used)
        n_plain = len(self.columns_) - len(notes)
        sentences = {
            f"{n_used} of {n_used + len(excluded)} columns are used.": n_used,
            f"Numeric columns used as they are: {n_plain}.": n_plain,
            f"Prepared: {listing(notes, limit=SHOWN_NAMES)}.": len(notes),
            f"Excluded: {listing(excluded, limit=SHOWN_NAMES)}.": len(excluded),
        }
        return " ".join(text for text, number in sentences.items() if number)

    @property
    def readings(self) -> pd.DataFrame:
        """How each column was read: ``column``, ``read as``, and the ``setting`` to change it.

        The columns of the table in their order, those left out included; two numbers in a
        cell are two columns.
        """
        rows = dict[str, tuple[str, str]]()
        for column in self.columns_:
            if isinstance(column, WordsColumn) or not isinstance(column, ExtraColumn):
                before = f"{rows[column.name][0]}; " if column.name in rows else ""
                rows[column.name] = (before + column.content, column.setting)
        for excluded in self.excluded_:
            rows[excluded.name] = (f"excluded: {excluded.reason}", excluded.setting)
        order = {name: place for place, name in enumerate(self.feature_names_in_)}
        names = sorted(rows, key=lambda name: order.get(name, len(order)))
        table = [(name, *rows[name]) for name in names]
        return pd.DataFrame(table, columns=["column", "read as", "setting"])

    @property
    def only_selects(self) -> bool:
        """Whether all columns in use are numbers that are passed through."""
        return all(
            isinstance(column, NumberColumn)
            and column.written == "number"
            and not column.n_missing
            for column in self.columns_
        )

    @property
    def units(self) -> dict[str, str | None]:
        """Units of the columns of numbers, "" without one; None for text, where 01 is not 1."""
        units: dict[str, str | None] = {}
        for column in self.inputs:
            if not isinstance(column, NumberColumn | DateColumns):
                units[column.name] = None
            elif isinstance(column, NumberColumn) and column.written == "number":
                units[column.name] = column.unit
        return units

    @property
    def key(self) -> str | None:
        """First column that identifies the rows and is no feature; None without one."""
        return next((each.name for each in self.excluded_ if each.is_key), None)

    @property
    def n_plain(self) -> int:
        """Number of leading output columns that have formulas."""
        return self._width(ExtraColumn)

    @property
    def n_shared(self) -> int:
        """Number of output columns before the codes of categories."""
        return self._width(CodeColumn)

    def _width(self, but: type[ExtraColumn]) -> int:
        return sum(
            len(column.endings) for column in self.columns_ if not isinstance(column, but)
        )

    def terms(self, features: tuple[Term, ...] = ()) -> tuple[Term, ...]:
        """Return the output columns as formulas; the features are the table itself."""
        return tuple(term for column in self.columns_ for term in column.terms())

    def to_document(self) -> PreparationDocument:
        """Serialise the fitted preparation, to the last bit."""
        return PreparationDocument(
            1, tuple(self.feature_names_in_), self.columns_, self.excluded_
        )

    @classmethod
    def from_document(cls, document: object) -> Self:
        """Return the preparation that a document describes; nothing in it is executed."""
        read = msgspec.convert(document, PreparationDocument)
        preparation = cls()
        preparation._take(read.names, read.columns, read.excluded)
        return preparation

    def _take(
        self,
        names: Sequence[str],
        columns: tuple[PreparedColumn, ...],
        excluded: tuple[ExcludedColumn, ...],
    ) -> None:
        self.feature_names_in_ = np.array(names, object)
        self.n_features_in_ = len(names)
        self.columns_ = columns
        self.excluded_ = excluded

    def _fit(
        self, X: Table, y: ArrayLike | pd.Series | None
    ) -> tuple[TableTerms, Integers | None]:
        from sklearn.utils import check_array  # slow, and predictions do without

        frame = as_frame(X)
        # An array of the shape of the table: scikit-learn names what is too small.
        check_array(np.empty(frame.shape, bool), ensure_min_samples=2)
        codes = None
        if y is not None:
            shape = np.asarray(y).shape
            if shape != (len(frame),):
                raise ValueError(f"y has shape {shape}, but X has {len(frame)} rows")
            codes = encode_labels(y, class_labels(y))
        schema = self.schema_of(frame)
        table = TableTerms(frame)
        columns, excluded = learn_columns(table, codes, schema, self.extra)
        if not columns and self._schema is not None:
            # Constant in these folds only: a model of the class shares takes their place.
            kept = {name: content._replace(keep=True) for name, content in schema.items()}
            columns, excluded = learn_columns(table, codes, kept, self.extra)
        if not columns:
            reasons = listing([f"{column.name} ({column.reason})" for column in excluded])
            raise ValueError(f"no column is left to learn from: {reasons}")
        self._take(frame.columns.tolist(), columns, excluded)
        outputs = pd.Index(self.get_feature_names_out())
        if not outputs.is_unique:
            repeated = outputs[outputs.duplicated()][0]
            raise ValueError(
                f"two prepared columns have the name {repeated!r}: rename or drop one"
            )
        self._takes_arrays = feature_names(X) is None
        return table, codes

    def _check_names(self, frame: pd.DataFrame) -> None:
        columns = frame.columns.tolist()
        named = {
            "drop": self.drop,
            "keep": self.keep,
            "categorical": self.categorical,
            "missing": list(self.missing or ()),
        }
        for role, names in named.items():
            if isinstance(names, str) or not isinstance(names, Sequence):
                raise TypeError(
                    f"{role} must be a list of names of columns, not {names!r}"
                )
            for name in names:
                if name not in columns:
                    raise ValueError(
                        f"there is no column {name!r} ({role}){suggestion(str(name), columns)} "
                        f"(columns: {listing(columns, limit=20)})"
                    )
        for name in self.drop:
            if name in {*self.keep, *self.categorical}:
                raise ValueError(
                    f"column {name!r} is to be dropped and to be used: choose one"
                )


def schema_of(
    table: Table,
    prepare: bool | Preparation = True,
    monotone: Collection[str] = (),
    codes: Integers | None = None,
) -> Schema | None:
    """Find the content of each column of a table; None if it needs no preparation.

    Arrays, and DataFrames of numbers without missing values, units or keys, need none,
    unless by the class codes (n,) some integers identify things. Columns with a
    ``monotone`` direction stay as they are.
    """
    if not isinstance(prepare, Preparation | bool | None):
        raise TypeError(f"prepare is {prepare!r}: give True, False or a Preparation()")
    if isinstance(prepare, Preparation):
        schema = prepare.schema_of(table)
    elif prepare and isinstance(table, pd.DataFrame):
        schema = Preparation().schema_of(table)
        are_plain = all(content == ColumnContent() for content in schema.values())
        if are_plain and are_finite_numbers(table):
            columns = (column.to_numpy(float) for _, column in table.items())
            if codes is None or not any(identify_things(x, codes) for x in columns):
                return None
    else:
        return None
    # The mean class of an integer would turn the direction of its column.
    return {
        name: content._replace(keep=content.keep or name in monotone)
        for name, content in schema.items()
    }


def preparation_for(
    schema: Schema | None, prepare: bool | Preparation, random_state: int | None
) -> Preparation | None:
    """Return an unfitted preparation for a table of a schema, all or part; None for None."""
    if schema is None:
        return None
    if not isinstance(prepare, Preparation):
        prepare = Preparation(random_state=random_state)
    return prepare.with_schema(schema)
