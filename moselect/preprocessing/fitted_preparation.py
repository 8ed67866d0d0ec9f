"""The fitted state of a preparation: transformation, diagnostics and serialisation."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Floats, Labels, Table
from moselect.listing import listing
from moselect.preprocessing.extra_columns import CodeColumn, ExtraColumn, WordsColumn
from moselect.preprocessing.learning import ExcludedColumn, PreparedColumn
from moselect.preprocessing.number_columns import Column, NumberColumn
from moselect.preprocessing.terms import Term
from moselect.tables.amounts import column_of_part, with_parts
from moselect.tables.cells import as_frame
from moselect.tables.features import column_places
from moselect.tables.levels import read_levels


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fitted preparation as plain values."""

    schema: Literal[1]
    names: tuple[str, ...]
    columns: tuple[PreparedColumn, ...]
    excluded: tuple[ExcludedColumn, ...]


SHOWN_NAMES = 8


class FittedPreparation:
    """Fitted transformations of the columns in use, and the excluded columns.

    It does not import scikit-learn, which is slow.
    """

    columns_: tuple[PreparedColumn, ...]
    excluded_: tuple[ExcludedColumn, ...]
    _takes_arrays: bool = False
    document_name = "preparation"

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
        prepared = self._transform(X)
        return prepared.to_numpy() if self._takes_arrays else prepared

    def remarks(self, X: Table) -> pd.DataFrame:
        """Describe unusual cells of each row, in texts that are "" without any.

        ``unreadable`` is the first cell that has not the format of its column;
        ``estimated`` are the columns without a value that all training rows had (numbers
        and dates are imputed by the median, categories as unknown levels); ``unseen`` are
        levels that no training row had, but of columns with one or two rows a level, such
        as names of people.
        """
        frame = self._matched(X)
        read = [(column, column.read(frame)) for column in self.inputs]
        remarks = np.full((3, len(frame)), "", dtype=object)
        unreadable, estimated, unseen = remarks
        for column, cells in reversed(read):  # the first one stays
            for row in np.flatnonzero(cells.bad).tolist():
                cell = frame[column.name].iloc[row]
                shown = repr(cell) if isinstance(cell, str) else str(cell)
                unreadable[row] = (
                    f"column {column.name!r} holds {shown[:50]}, not {column.expected_format}"
                )
        missing = pd.DataFrame({column.name: cells.missing for column, cells in read})
        new = missing.columns[[column.n_missing == 0 for column, _ in read]]
        lacking = missing[new].to_numpy()
        for row in np.flatnonzero(lacking.any(axis=1)).tolist():
            estimated[row] = f"estimated without {listing(map(repr, new[lacking[row]]))}"
        estimated[missing.all(axis=1)] = "estimated without any value"
        for column, _ in read:
            known = column.known
            if known is None or getattr(column, "scarce", False):
                continue
            codes, levels = read_levels(frame[column.name])
            texts = [
                "" if level in known else f"; {column.name!r} is '{level}', a new level"
                for level in levels
            ]
            unseen += np.array([*texts, ""], dtype=object)[codes]
        unseen[:] = [text.removeprefix("; ") for text in unseen]
        return pd.DataFrame(remarks.T, frame.index, ["unreadable", "estimated", "unseen"])

    def get_feature_names_out(self, input_features: object = None) -> Labels:
        """Return the names of the output columns, shape (k,)."""
        self._check_fitted()
        return np.array(
            [name for column in self.columns_ for name in column.output_names], object
        )

    @property
    def inputs(self) -> tuple[Column, ...]:
        """Source columns in use, each once."""
        self._check_fitted()
        inputs = (source for column in self.columns_ for source in column.inputs)
        return tuple({source.name: source for source in inputs}.values())

    @property
    def summary(self) -> str:
        """Description of the transformation of each column, a paragraph."""
        used = self.columns_
        excluded = self.excluded_
        plain = sum(not column.note for column in used)
        notes = [f"{column.name} ({column.note})" for column in used if column.note]
        not_used = [f"{column.name} ({column.reason})" for column in excluded]
        n_used = len(self.inputs)
        sentences = [f"{n_used} of {n_used + len(not_used)} columns are used."]
        sentences += [f"Numeric columns used as they are: {plain}."] if plain else []
        for heading, named in (("Prepared", notes), ("Excluded", not_used)):
            sentences += (
                [f"{heading}: {listing(named, limit=SHOWN_NAMES)}."] if named else []
            )
        return " ".join(sentences)

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
    def columns_of_numbers(self) -> dict[str, str]:
        """Units of the numeric columns by their names, "" without one."""
        return {
            column.name: column.unit
            for column in self.columns_
            if isinstance(column, NumberColumn) and column.written == "number"
        }

    @property
    def columns_of_text(self) -> list[str]:
        """Columns to read as text, digits as written: 01 is not 1."""
        return [column.name for column in self.inputs if column.expected_format is None]

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

    def terms(self) -> tuple[Term, ...]:
        """Return the output columns as formulas."""
        return tuple(term for column in self.columns_ for term in column.terms())

    def to_document(self) -> dict[str, Any]:
        """Serialise the fitted preparation as JSON-compatible plain values, to the last bit."""
        document = _Document(
            1, tuple(self.feature_names_in_), self.columns_, self.excluded_
        )
        plain: dict[str, object] = msgspec.to_builtins(document)
        return plain

    @classmethod
    def from_document(cls, document: Mapping[str, object]) -> Self:
        """Return the preparation that a document describes; nothing in it is executed."""
        read = msgspec.convert(document, _Document)
        preparation = cls()
        preparation._take(read.names, read.columns, read.excluded)
        for source in preparation.inputs:
            if not {source.name, column_of_part(source.name)} & {*read.names}:
                raise ValueError(f"its table has no column {source.name!r}")
        return preparation

    def _check_fitted(self) -> None:
        if not hasattr(self, "columns_"):
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet: call fit first"
            )

    def _take(
        self,
        names: Sequence[str],
        columns: tuple[PreparedColumn, ...],
        excluded: tuple[ExcludedColumn, ...],
    ) -> None:
        outputs = pd.Index([name for column in columns for name in column.output_names])
        if not outputs.is_unique:
            repeated = outputs[outputs.duplicated()][0]
            raise ValueError(
                f"two prepared columns have the name {repeated!r}: rename or drop one"
            )
        self.feature_names_in_ = np.array(names, dtype=object)
        self.n_features_in_ = len(names)
        self.columns_ = columns
        self.excluded_ = excluded

    def _matched(self, X: Table) -> pd.DataFrame:
        """Select the columns in use from a table."""
        frame = as_frame(X)
        needed = [column.name for column in self.inputs]
        # Two numbers in a cell are one column of the table.
        columns = [n if n in frame else column_of_part(n) for n in needed]
        column_places(frame, list(dict.fromkeys(columns)))
        return with_parts(frame, needed)[needed]

    def _transform(self, X: Table) -> pd.DataFrame:
        frame = as_frame(X)
        if self._takes_arrays and frame.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {frame.shape[1]} features, but Preparation is expecting "
                f"{self.n_features_in_} features as input"
            )
        frame = self._matched(frame)
        parts = [column.read(frame) for column in self.columns_]
        if any(np.any(cells.bad) for cells in parts):
            reasons = self.remarks(frame)["unreadable"]
            row, *others = np.flatnonzero(reasons != "").tolist()
            rows = f"{1 + len(others)} of {len(frame)} rows"
            raise ValueError(f"{reasons.iloc[row]} (row {row + 1}; {rows})")
        names = self.get_feature_names_out().astype(str)
        values = np.hstack([cells.values for cells in parts])
        return pd.DataFrame(values, index=frame.index, columns=names)
