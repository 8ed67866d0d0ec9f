"""The protocol of preprocessing steps: from a table to columns of numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import pandas as pd

from moselect._types import Array, Floats, Integers, Labels, Table, record
from moselect.preprocessing.terms import Term
from moselect.tables.amounts import with_parts
from moselect.tables.cells import read_numbers
from moselect.tables.features import as_pandas, column_places, fitted_names

if TYPE_CHECKING:
    from sklearn.utils import Tags


@record
class PreparedRows:
    """Rows of a table as features, with unreadable cells, in one pass over the cells.

    Attributes
    ----------
    features : ndarray of shape (m, p)
        Features of the m rows that can be read; columns of numbers that no step computes
        are a DataFrame.
    unreadable, estimated, unseen : ndarray of shape (n,)
        Texts on each row, "" for none: the first cell without the format of its column, the
        columns that were complete in training and are missing, levels that no training row
        had.
    numbers : dict of str to ndarray of shape (n,)
        Numbers of the columns that hold numbers, dates or times, NaN without one.
    """

    features: pd.DataFrame | Floats
    unreadable: Array
    estimated: Array
    unseen: Array
    numbers: dict[str, Floats]


class Columns:
    """Base class of preprocessing steps, fitted transformers of tables or of features.

    A step defines ``fit``, ``transform`` and ``get_feature_names_out``, as transformers of
    scikit-learn; all else has a default. scikit-learn is imported where columns are learnt:
    models predict without it.
    """

    document_name: ClassVar[str] = ""
    n_features_in_: int
    fit: Callable[..., Self]
    transform: Callable[..., pd.DataFrame | Floats]
    get_feature_names_out: Callable[..., Labels]
    # Whether training samples get out-of-fold columns, of models.
    cross_fitted: bool = False

    @property
    def only_selects(self) -> bool:
        """Whether the output is a selection of the input, whatever the training data."""
        return False

    @property
    def used(self) -> Collection[str] | None:
        """Names of the columns of the table in use; None: all of them."""
        return None

    @property
    def readings(self) -> pd.DataFrame | None:
        """How each column of the table was read, as `Preparation.readings`."""
        return None

    @property
    def key(self) -> str | None:
        """Column of the table that identifies its rows; None if none is known."""
        return None

    @property
    def column_signs_(self) -> Integers | None:
        """Sign of each column's weight that keeps directions, 0 for any; None if unknown."""
        return None

    @property
    def summary(self) -> str:
        """Description of the transformation; "" for none."""
        return ""

    @property
    def names_in(self) -> list[str] | None:
        """Names of the features, None without names."""
        return fitted_names(self)

    @property
    def units(self) -> dict[str, str | None]:
        """Units of the columns of numbers, "" without one; None for text, where 01 is not 1."""
        return dict.fromkeys(self.names_in or (), "")

    @property
    def arrays(self) -> Mapping[str, Array]:
        """Arrays that are stored in addition to the document."""
        return {}

    def read(self, table: pd.DataFrame) -> PreparedRows:
        """Compute the columns of all rows that can be read, with remarks on each row."""
        rows = read_features(table, self.names_in, self.n_features_in_)
        return replace(rows, features=self.transform(rows.features))

    def named(self, features: Any) -> Any:
        """Return features as the next step takes them: with names, if the step gives any."""
        return features

    def terms(self, features: tuple[Term, ...] = ()) -> tuple[Term, ...]:
        """Return the columns as formulas, given the formulas of the features."""
        raise ValueError(
            f"columns of {self.type_name} have no formula, so the model cannot be "
            "written down: moselect predict applies it"
        )

    def to_document(self) -> object:
        """Serialise as a structure or plain values; ValueError if it cannot be."""
        raise ValueError(
            f"columns of {self.type_name} cannot be written to a file: keep the model "
            "in Python, or search with columns='features', 'splines' or 'models'"
        )

    @property
    def type_name(self) -> str:
        """Name of the class, for messages."""
        return type(self).__name__

    # scikit-learn's protocol of estimators, whose base class is slow to import.

    def fit_transform(self, X: Table, y: Any = None, **parameters: Any) -> Any:
        """Fit, and transform the training samples."""
        return self.fit(X, y, **parameters).transform(X)

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """Return the parameters by their names."""
        return {name: getattr(self, name) for name in signature(type(self)).parameters}

    def set_params(self, **parameters: object) -> Self:
        """Set parameters; ValueError for unknown names."""
        for name, value in parameters.items():
            if name not in self.get_params():
                raise ValueError(f"{self!r} has no parameter {name!r}")
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Tags:
        from sklearn.utils import Tags, TargetTags, TransformerTags

        return Tags(None, TargetTags(required=False), transformer_tags=TransformerTags())

    def __repr__(self) -> str:
        defaults = signature(type(self)).parameters
        given = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value != defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join(given)})"

    def _checked(self, X: Table) -> Table:
        """Return X, arrays with as many features as in training; else ValueError.

        The words are scikit-learn's.
        """
        if not hasattr(self, "n_features_in_"):
            from sklearn.utils.validation import check_is_fitted

            check_is_fitted(self)
        X = as_pandas(X)
        if isinstance(X, pd.DataFrame):
            return X
        values = np.asarray(X)
        if values.ndim != 2:
            raise ValueError(
                f"X has shape {values.shape}. Reshape your data: one row a sample (n, p)"
            )
        if values.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {values.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        return values


class TakesTables:
    """Mixin of estimators that take tables with columns of any type; first of the bases."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


class Opaque(Columns):
    """A fitted transformer of the user's, which has no formula and no file form."""

    def __init__(self, transformer: Any) -> None:
        self.transformer = transformer  # may be unfitted so far

    @property
    def n_features_in_(self) -> int:  # type: ignore[override]
        """Number of features."""
        return int(self.transformer.n_features_in_)

    @property
    def names_in(self) -> list[str] | None:
        """Names of the features, None without names."""
        return fitted_names(self.transformer)

    def transform(self, X: Table) -> pd.DataFrame | Floats:
        """Compute the columns of the rows of X."""
        return self.transformer.transform(X)

    @property
    def type_name(self) -> str:
        """Name of the class, for messages."""
        return type(self.transformer).__name__


def read_features(
    table: pd.DataFrame, names: Sequence[str] | None, n_features: int
) -> PreparedRows:
    """Read columns of numbers, by name, or by position without names."""
    table = with_parts(table, names or ())
    places = column_places(table, names or ())
    if names is None:
        if len(places) != n_features:
            raise ValueError(
                f"the table has {len(places)} columns, but the model, which has no names, needs "
                f"{n_features}"
            )
        names = list(places)
    numbers = dict[str, Floats]()
    reasons = np.full(len(table), "", object)
    for name in reversed(names):  # the first reason stays
        column = table.iloc[:, places[name]]
        values, bad = read_numbers(column)
        reasons[np.isnan(values)] = f"{name!r} is missing"
        for row in np.flatnonzero(bad):
            cell = str(column.iloc[row])[:50]
            reasons[row] = f"{name!r} is {cell!r}, not a finite number"
        numbers[name] = values
    read = pd.DataFrame({name: numbers[name] for name in names}, index=table.index)
    nothing = np.full(len(table), "", object)
    return PreparedRows(read[reasons == ""], reasons, nothing, nothing, numbers)
