"""The sheets of a workbook, which grow column by column.

Formulas hold 15 digits of a constant and openpyxl writes 16 of a number, one or two too
few: each constant is the product of an integer and a power of two, both in cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp, ldexp
from typing import Any

from moselect.graph.formula import Label
from moselect.storage.tables import cell_text

INTEGERS = 2**53  # larger ones are no numbers of a spreadsheet


class Sheets:
    """Sheets to paste rows into, of the working, and of the model's constants.

    A formula has ``{row}`` for its row.
    """

    def __init__(self, book: Any, n_rows: int) -> None:
        self.rows, self._working = book.active, book.create_sheet("Working")
        self._model = book.create_sheet("Model")
        self.rows.title = "Rows"
        self._n_rows, self._n_working, self._n_constants = n_rows, 0, 0

    def work(self, title: str, formula: str) -> str:
        """Add a column of formulas; return the cell in the row of the reader."""
        self._n_working += 1
        self.fill(self._working, self._n_working, title, formula)
        letters = self._working.cell(1, self._n_working).column_letter
        return f"Working!${letters}{{row}}"

    def fill(self, sheet: Any, column: int, title: str, formula: str) -> None:
        """Write a column of formulas, one a row, under its title."""
        write_text(sheet.cell(1, column), title)
        for row in range(2, self._n_rows + 2):
            sheet.cell(row, column, formula.format(row=row))

    def constant(self, title: str, value: Label) -> str:
        """Add a constant to the sheet of the model; return its cell."""
        return self.constants(title, [value])[0]

    def constants(self, title: str, values: Sequence[Label]) -> list[str]:
        """Add a column of constants to the sheet of the model; return their cells."""
        titles = [title]
        if isinstance(values[0], float):
            titles += ["= integer", "times 2 to the power"]
        columns = range(self._n_constants + 1, self._n_constants + len(titles) + 1)
        self._n_constants += len(titles)
        for column, heading in zip(columns, titles, strict=True):
            write_text(self._model.cell(1, column), heading)
        for row, value in enumerate(values, start=2):
            cell, *factors = (self._model.cell(row, column) for column in columns)
            if isinstance(value, float):
                whole, power = factors
                mantissa, exponent = frexp(value)
                whole.value, power.value = int(ldexp(mantissa, 53)), exponent - 53
                cell.value = f"={whole.coordinate}*2^{power.coordinate}"
            elif isinstance(value, str) or abs(value) > INTEGERS:
                write_text(cell, str(value))
            else:
                cell.value = value
        letters = self._model.cell(1, columns[0]).column_letter
        return [f"Model!${letters}${row}" for row in range(2, len(values) + 2)]

    def range_of(self, title: str, values: Sequence[Label]) -> str:
        """Add a column of constants to the sheet of the model; return their range."""
        cells = self.constants(title, values)
        return f"{cells[0]}:{cells[-1].removeprefix('Model!')}"


def write_text(cell: Any, text: str) -> None:
    """Write text as text, also if it begins with ``=``."""
    cell.value = cell_text(text)
    cell.data_type = "s"
    cell.quotePrefix = True
