"""A table of any columns as columns of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from moselect._types import Floats
from moselect.columns.preparation_document import LeftOut, from_document, to_document
from moselect.columns.preparation_fitting import class_codes, find_contents, learn_columns
from moselect.columns.preparation_input import as_frame
from moselect.columns.preparation_learning import Content, cross_fitted
from moselect.columns.preparation_summary import summarise
from moselect.columns.prepared_columns import EncodedColumn, NumberColumn, PreparedColumn
from moselect.listing import listing, suggestion


class Preparation(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn a table of any columns into columns of finite numbers.

    Numbers stay as they are. Text and categories become one column a level, except for the most
    frequent one, with rare levels together; more than 15 levels become one column, the mean class
    of each level (scikit-learn's `TargetEncoder`). Booleans become 0 and 1, durations such as
    3:25:59 seconds, dates the days since the first one, month, weekday and hour. Missing values
    are filled with the median, with a column that marks them if there are at least 5 and 1 %;
    missing categories are a level. Columns that are empty or constant, and keys (named like ``id``
    and whole numbers, or text; all values different) are left out.

    Parameters
    ----------
    drop : sequence of str, default=()
        Columns to leave out.
    keep : sequence of str, default=()
        Columns that stay even if they are constant or look like keys.
    categorical : sequence of str, default=()
        Columns of numbers that are names of categories.
    random_state : int or None, default=0
        Seed of the folds in which `fit_transform` encodes levels.

    Attributes
    ----------
    columns_ : tuple
        What is done to each column in use: `NumberColumn`, `LevelColumns`, `EncodedColumn` or
        `DateColumns`.
    left_out_ : tuple of LeftOut
        The other columns, each with its reason.
    n_features_in_ : int
        Number of columns of the table.
    feature_names_in_ : ndarray of str
        Their names.

    See Also
    --------
    sklearn.preprocessing.TargetEncoder : The encoding of many levels, and how it shrinks means.

    Notes
    -----
    `fit_transform` encodes each sample by the classes of other samples, as scikit-learn's does, so
    that a model learns what the encoding is worth on new samples; `transform` uses all classes.
    All else is the same in both.

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
    Both columns are used. A column for each level except the most frequent: smoker.
    Missing values filled with the median: age (1).
    """

    def __init__(
        self,
        *,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical: Sequence[str] = (),
        random_state: int | None = 0,
    ) -> None:
        self.drop = drop
        self.keep = keep
        self.categorical = categorical
        self.random_state = random_state

    # What columns hold in the table of which parts are fitted; None: what they hold in the part.
    _contents: Mapping[str, Content] | None = None

    def for_parts_of(self, X: Any) -> Self:
        """Return an unfitted copy for parts of a table, such as the samples outside a fold.

        Whether a column holds numbers, dates, truths or text, and how dates are written, is taken
        from the whole table: a part need not show it, and the rest could not be read otherwise.
        All else is learnt from the part.

        Parameters
        ----------
        X : DataFrame of shape (n, p)
            The whole table.

        Raises
        ------
        ValueError
            As `fit`, if the table cannot be read.

        Examples
        --------
        >>> X = pd.DataFrame({"size": ["8", "9", "8", "8", "9", "XL"], "age": [4, 7, 3, 5, 6, 9]})
        >>> Preparation().for_parts_of(X).fit(X[:5]).transform(X[4:])
           size=9  age
        4     1.0  6.0
        5     0.0  9.0
        """
        copy: Self = clone(self)
        if copy._contents is None:  # else X is itself a part
            copy._contents = find_contents(
                as_frame(X), drop=self.drop, categorical=self.categorical
            )
        return copy

    def __sklearn_clone__(self) -> Self:
        copy: Self = super().__sklearn_clone__()
        copy._contents = self._contents
        return copy

    def fit(self, X: Any, y: ArrayLike | pd.Series | None = None) -> Self:
        """Learn what to do to each column.

        Parameters
        ----------
        X : DataFrame of shape (n, p)
            A table of pandas, polars or another library that narwhals knows, or an array.
        y : array-like of shape (n,), optional
            Class labels, by which many levels are encoded. Without it only the most frequent
            levels of such a column are told apart.

        Returns
        -------
        Preparation
            Itself.

        Raises
        ------
        TypeError
            If ``drop``, ``keep`` or ``categorical`` is no list of names.
        ValueError
            If one of them names no column, no column is left, numbers are infinite, or y does not
            fit X.
        """
        self._fit(as_frame(X), y)
        self._takes_arrays = _is_array(X)
        return self

    def fit_transform(
        self, X: Any, y: ArrayLike | pd.Series | None = None, **_: Any
    ) -> pd.DataFrame | Floats:
        """Fit, and return the columns of numbers of the training samples.

        The parameters are those of `fit`; the result is that of `transform` but for columns of many
        levels, which are encoded by the classes of samples in other folds.
        """
        frame = as_frame(X)
        codes = self._fit(frame, y)
        self._takes_arrays = _is_array(X)
        prepared = self._transform(frame)
        for column in self.columns_:
            if isinstance(column, EncodedColumn) and codes is not None:
                encoded = cross_fitted(frame[column.name], codes, self.random_state)
                prepared[column.output_names[0]] = encoded
        return prepared.to_numpy() if self._takes_arrays else prepared

    def transform(self, X: Any) -> pd.DataFrame | Floats:
        """Return columns of finite numbers, matched by name.

        Parameters
        ----------
        X : DataFrame of shape (m, p)
            A table with at least the columns in use, in any order. Levels not seen in training and
            missing values are allowed.

        Returns
        -------
        DataFrame of shape (m, k) of float64
            With the index of X. An array if an array was fitted.

        Raises
        ------
        ValueError
            If a column is missing, or a cell is not what its column holds (text among numbers).
        """
        check_is_fitted(self)
        prepared = self._transform(as_frame(X))
        return prepared.to_numpy() if self._takes_arrays else prepared

    def problems(self, X: Any) -> pd.Series:
        """Return for each row why it cannot be prepared, ``""`` if it can.

        Raises
        ------
        ValueError
            If a column is missing.

        Examples
        --------
        >>> preparation = Preparation().fit(pd.DataFrame({"age": [31, 52]}))
        >>> preparation.problems(pd.DataFrame({"age": ["47", "old", None]})).tolist()
        ['', "column 'age' holds 'old', not a finite number", '']
        """
        check_is_fitted(self)
        frame = self._matched(as_frame(X))
        reasons = pd.Series("", index=frame.index, dtype=object)
        for column in self.columns_:
            _, bad = column.read(frame[column.name])
            for row in np.flatnonzero(bad).tolist():
                reasons.iloc[row] = reasons.iloc[row] or _problem(column, frame, row)
        return reasons

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns of numbers, shape (k,).

        Parameters
        ----------
        input_features : ignored
            There for scikit-learn.
        """
        check_is_fitted(self)
        return np.array([name for column in self.columns_ for name in column.output_names], object)

    @property
    def summary(self) -> str:
        """One paragraph on what is done to which column."""
        check_is_fitted(self)
        return summarise(self.columns_, {left.name: left.reason for left in self.left_out_})

    @property
    def changes_nothing(self) -> bool:
        """Whether all columns are numbers and stay as they are."""
        check_is_fitted(self)
        return not self.left_out_ and all(
            isinstance(column, NumberColumn) and column.written == "number" and not column.indicator
            for column in self.columns_
        )

    def to_document(self) -> dict[str, Any]:
        """Return what was learnt as plain values that JSON can hold, to the last bit."""
        check_is_fitted(self)
        return to_document(self.feature_names_in_.tolist(), self.columns_, self.left_out_)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """Return the fitted preparation that a document describes; all of it is checked.

        Raises
        ------
        ValueError
            If it describes none.
        """
        preparation = cls()
        preparation._take(*from_document(document))
        preparation._takes_arrays = False
        return preparation

    def _fit(
        self, frame: pd.DataFrame, y: ArrayLike | pd.Series | None
    ) -> NDArray[np.int64] | None:
        for size, what, fewest in zip(frame.shape, ("sample", "feature"), (2, 1), strict=True):
            if size < fewest:
                raise ValueError(
                    f"{size} {what}(s) (shape={frame.shape}) while a minimum of {fewest} is "
                    "required to learn how to prepare columns"
                )
        codes = None if y is None else class_codes(y, len(frame))
        columns, left_out = learn_columns(
            frame,
            codes,
            drop=self.drop,
            keep=self.keep,
            categorical=self.categorical,
            contents=self._contents,
        )
        self._take(frame.columns.tolist(), columns, left_out)
        return codes

    def _take(
        self,
        names: Sequence[str],
        columns: tuple[PreparedColumn, ...],
        left_out: tuple[LeftOut, ...],
    ) -> None:
        outputs = [name for column in columns for name in column.output_names]
        repeated = next((name for name in outputs if outputs.count(name) > 1), None)
        if repeated is not None:
            raise ValueError(
                f"two prepared columns would be called {repeated!r}: rename or drop one"
            )
        self.feature_names_in_ = np.array(names, dtype=object)
        self.n_features_in_ = len(names)
        self.columns_ = columns
        self.left_out_ = left_out

    def _matched(self, frame: pd.DataFrame) -> pd.DataFrame:
        needed = [column.name for column in self.columns_]
        missing = [name for name in needed if name not in frame.columns]
        if missing:
            raise ValueError(
                f"column {missing[0]!r} is missing{suggestion(missing[0], frame.columns)}: needed "
                f"are {listing(needed, limit=20)}"
            )
        return frame[needed]

    def _transform(self, frame: pd.DataFrame) -> pd.DataFrame:
        if self._takes_arrays and frame.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {frame.shape[1]} features, but Preparation is expecting "
                f"{self.n_features_in_} features as input"
            )
        frame = self._matched(frame)
        parts = []
        for column in self.columns_:
            values, bad = column.read(frame[column.name])
            if bad.any():
                row = int(np.flatnonzero(bad)[0])
                n_bad = f"{bad.sum()} of {len(bad)} rows"
                raise ValueError(f"{_problem(column, frame, row)} (row {row + 1}; {n_bad})")
            parts.append(values)
        names = self.get_feature_names_out()
        return pd.DataFrame(np.hstack(parts), index=frame.index, columns=names.astype(str))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def _is_array(X: Any) -> bool:
    return isinstance(X, np.ndarray | list | tuple)


def _problem(column: PreparedColumn, frame: pd.DataFrame, row: int) -> str:
    value = frame[column.name].iloc[row]
    shown = repr(value) if isinstance(value, str) else str(value)
    return f"column {column.name!r} holds {shown[:50]}, not {column.meant}"
