"""A model as a workbook with formulas: paste rows, read scores and classes.

Spreadsheets are careful with numbers: ``a + b`` and ``SUM`` become 0 where numbers nearly
cancel, and ``a > b`` is false where they nearly agree. Two functions take doubles as they
are: ``GESTEP(a, b)`` is 1 where a >= b, and ``-FV(0, 1, b, a)``, one payment of b without
interest on top of a, is a + b. With them the class of a row is that of `predict`, also at
the thresholds.

Formulas hold 15 digits of a constant and openpyxl writes 16 of a number, one or two too
few: each constant is the product of an integer and a power of two, both in cells.

Rows are taken as a sheet holds them: numbers that are written as text are not numbers.
TRIM takes the blanks around text, and would also join two blanks within: what it leaves
is then no longer in the cell. Such text is taken as it stands, and leaves its row without
a class if it is no level.
"""

from __future__ import annotations

from io import BytesIO
from math import frexp, ldexp
from typing import Any

from moselect.columns.cells import HOURS
from moselect.graph.formula import Formula, Label
from moselect.models.terms import (
    Curve,
    DatePart,
    DaysBetween,
    Leaf,
    Level,
    Missing,
    Number,
    Product,
    Standardised,
    Term,
    Time,
    Truth,
)
from moselect.storage.tables import cell_text

ROWS = 1_000  # rows that have formulas
MOST_CLASSES = 200  # so that the formula of the class stays below 8,192 characters
LONGEST_TITLE = 200  # a title of all levels could be longer than a cell takes
DAYS_TO_EPOCH = 25569  # from day 0 of a spreadsheet
INTEGERS = 2**53  # larger ones are no numbers of a spreadsheet


def workbook_of(formula: Formula, rows: int = ROWS) -> bytes:
    """Return an Excel workbook: sheets to paste rows into, of the working, and of the model."""
    try:
        from openpyxl import Workbook
        from openpyxl.styles import Font
    except ImportError:
        raise ValueError(
            "a workbook needs openpyxl: pip install 'moselect[excel]'"
        ) from None
    if len(formula.classes) > MOST_CLASSES:
        raise ValueError(
            f"a workbook takes at most {MOST_CLASSES} classes: export to .sql or .py"
        )
    book = Workbook()
    _Writer(formula, book, rows).write()
    for sheet in book:
        for cell in sheet[1]:
            cell.font = Font(bold=True)
        sheet.freeze_panes = "A2"
    content = BytesIO()
    book.save(content)
    return content.getvalue()


class _Writer:
    """Three sheets that grow column by column; a formula has ``{row}`` for its row."""

    def __init__(self, formula: Formula, book: Any, n_rows: int) -> None:
        self._formula, self._n_rows = formula, n_rows
        self._rows, self._working = book.active, book.create_sheet("Working")
        self._model = book.create_sheet("Model")
        self._rows.title = "Rows"
        self._n_constants = self._n_working = 0
        self._words: dict[tuple[str, ...], str] = {}
        self._texts: dict[str, str] = {}
        self._columns = {
            name: _letters(j) for j, name in enumerate(formula.columns, start=1)
        }

    def write(self) -> None:
        formula = self._formula
        last = _letters(len(self._columns))
        filled = f"COUNTA(Rows!$A{{row}}:${last}{{row}})>0"
        total = self._work("start", f'=IF({filled},0,"")')
        for number, (term, weight) in enumerate(
            zip(formula.terms, formula.weights, strict=True), start=1
        ):
            value = self._term(term)
            weight_cell = self._constants(f"weight {number}: {_title(term)}", [weight])[0]
            sum_ = _sum(total, f"{value}*{weight_cell}")
            total = self._work(
                f"score after {_title(term)}",
                f'=IF(AND(ISNUMBER({total}),ISNUMBER({value})),{sum_},"")',
            )
        cuts = self._constants("class above if the score reaches", list(formula.cuts))
        classes = self._constants("class", list(formula.classes))
        above = "".join(f"+GESTEP({total},{cut})" for cut in cuts)
        for name, column in self._columns.items():
            self._text(self._rows[f"{column}1"], name)
        n = len(self._columns)
        self._fill(self._rows, n + 1, "score", f"={total}")
        called = f'=IF(ISNUMBER({total}),INDEX({_range(classes)},1{above}),"")'
        self._fill(self._rows, n + 2, "class", called)

    def _term(self, term: Term) -> str:
        """Return the cell of a term's value."""
        match term:
            case Product(left, right):
                a, b = self._term(left), self._term(right)
                value = f'=IF(AND(ISNUMBER({a}),ISNUMBER({b})),{a}*{b},"")'
            case DaysBetween(start, end, fill):
                first, last = self._term(start), self._term(end)
                gaps = "+".join(self._term(Missing(date)) for date in (start, end))
                filled = self._constants(f"{_title(term)} if missing", [fill])[0]
                days = f"IF({gaps}>0,{filled},({last}-{first})/86400)"
                value = f'=IF(AND(ISNUMBER({first}),ISNUMBER({last})),{days},"")'
            case Standardised(of, centre, scale):
                x = self._term(of)
                cells = self._constants(f"{_title(of)}: centre, scale", [centre, scale])
                value = f'=IF(ISNUMBER({x}),({_sum(x, f"-{cells[0]}")})/{cells[1]},"")'
            case Curve():
                return self._curve(term)
            case _:
                return self._leaf(term, f"Rows!${self._columns[term.name]}{{row}}")
        return self._work(_title(term), value)

    def _leaf(self, term: Leaf, cell: str) -> str:
        """Return the cell of the value of a term of one column, whose cell is given."""
        if isinstance(term, Level):
            return self._level(term, cell)
        if isinstance(term, Missing):
            value, gap = self._leaf(term.of, cell), self._gap(cell, term.of.gaps)
            return self._work(_title(term), f'=IF({gap},1,IF(ISNUMBER({value}),0,""))')
        if term.fill is None:
            return cell
        gap = self._gap(cell, term.gaps)
        fill = self._constants(f"{term.name} if missing", [term.fill])[0]
        value = cell
        if isinstance(term, Truth):
            text = f'LOWER(TRIM({cell}&""))'
            value = (
                f'IF(OR({text}="true",{text}="1",{text}="1.0"),1,'
                f'IF(OR({text}="false",{text}="0",{text}="0.0"),0,""))'
            )
        if isinstance(term, Time):
            value = self._time(term, cell)
        if isinstance(term, DatePart):
            parts = {
                "seconds": f"ROUND(({cell}-{DAYS_TO_EPOCH})*86400,0)",
                "month": f"MONTH({cell})",
                "weekday": f"WEEKDAY({cell},2)",
                "hour": f"ROUND(MOD({cell},1)*86400,0)/3600",
            }
            value = f'IF(ISNUMBER({cell}),{parts[term.part]},"")'
        return self._work(_title(term), f"=IF({gap},{fill},{value})")

    def _gap(self, cell: str, gaps: tuple[str, ...]) -> str:
        """Return a condition: whether a cell is empty, or holds a word for that."""
        blank = f'LEN(TRIM({cell}&""))=0'
        if not gaps:
            return blank
        if gaps not in self._words:
            self._words[gaps] = _range(self._constants("missing values", list(gaps)))
        return f'OR({blank},SUMPRODUCT(--EXACT({self._words[gaps]},LOWER({cell}&"")))>0)'

    def _level(self, term: Level, cell: str) -> str:
        otherwise = self._constants(f"{term.name}: other", [term.otherwise])[0]
        missing = self._constants(f"{term.name}: missing", [term.missing])[0]
        value = otherwise
        if term.values:
            levels = self._constants(f"levels of {term.name}", list(term.values))
            values = self._constants(f"values of {term.name}", list(term.values.values()))
            text = self._text_of(term.name, cell)
            # EXACT tells cases apart and takes * and ? as they are, unlike lookups.
            found = f"EXACT({_range(levels)},{text})"
            other = f'IF(EXACT(TRIM({text}),{text}),{otherwise},"")'
            value = f"IF(SUMPRODUCT(--{found})=0,{other},SUMPRODUCT(--{found},{_range(values)}))"
        return self._work(_title(term), f"=IF({self._gap(cell, ())},{missing},{value})")

    def _time(self, term: Time, cell: str) -> str:
        """Return the seconds of a time of two or three parts; those in words are none here."""
        text = self._text_of(term.name, cell)
        first = self._work(
            f"{term.name}: first part", f'=IFERROR(LEFT({text},FIND(":",{text})-1),"")'
        )
        rest = self._work(f"{term.name}: other parts", f"=MID({text},LEN({first})+2,99)")
        middle, last = f"LEFT({rest},2)", f"RIGHT({rest},2)"

        def whole(part: str) -> str:  # digits alone: 1e1 is a number, too
            return (
                f'IFERROR(EXACT(TEXT(VALUE({part}),REPT("0",LEN({part}))),{part}),FALSE)'
            )

        def sexagesimal(part: str) -> str:
            return f"IF({whole(part)},VALUE({part})<60,FALSE)"

        hours = f"AND({whole(first)},LEN({first})<=3,{sexagesimal(middle)})"
        two = f"{first}*{term.first_of_two:.0f}+{middle}*{term.first_of_two / 60:.0f}"
        three = f"{first}*3600+{middle}*60+{last}"
        is_three = f'AND(LEN({rest})=5,MID({rest},3,1)=":",{sexagesimal(last)})'
        as_text = f'IF({hours},IF(LEN({rest})=2,{two},IF({is_three},{three},"")),"")'
        # A sheet takes what is typed in as hours and minutes for the share of a day.
        typed = f"ROUND({cell}*86400,0)" if term.first_of_two == HOURS else '""'
        return f"IF(ISNUMBER({cell}),{typed},{as_text})"

    def _text_of(self, name: str, cell: str) -> str:
        """Return the cell of the text of a cell without the blanks around it."""
        if cell not in self._texts:
            plain = (
                f'SUBSTITUTE(SUBSTITUTE({cell}&"",CHAR(9)," "),"\N{NO-BREAK SPACE}"," ")'
            )
            trimmed = f"TRIM({plain})"
            text = f'=IF(ISNUMBER(FIND({trimmed},{cell}&"")),{trimmed},{cell}&"")'
            self._texts[cell] = self._work(f"{name}: text", text)
        return self._texts[cell]

    def _curve(self, term: Curve) -> str:
        x = self._term(term.of)
        breaks = self._constants(f"breaks of {_title(term.of)}", list(term.breaks))
        above = "".join(f"+GESTEP({x},{cut})" for cut in breaks)
        piece = self._work(
            f"piece of {_title(term.of)}", f'=IF(ISNUMBER({x}),1{above},"")'
        )
        centres = _range(
            self._constants(f"centres of {_title(term.of)}", list(term.centres))
        )
        width = max(map(len, term.coefficients))
        padded = [(0.0,) * (width - len(piece)) + piece for piece in term.coefficients]
        u = _sum(x, f"-INDEX({centres},{piece})")
        total = ""
        for power, column in zip(
            reversed(range(width)), zip(*padded, strict=True), strict=True
        ):
            cells = self._constants(f"{_title(term.of)}: power {power}", list(column))
            coefficient = f"INDEX({_range(cells)},{piece})"
            total = _sum(f"({total})*({u})", coefficient) if total else coefficient
        return self._work(_title(term), f'=IF(ISNUMBER({piece}),{total},"")')

    def _work(self, title: str, cells: str) -> str:
        """Add a column of formulas; return the cell in the row of the reader."""
        self._n_working += 1
        self._fill(self._working, self._n_working, title, cells)
        return f"Working!${_letters(self._n_working)}{{row}}"

    def _fill(self, sheet: Any, column: int, title: str, cells: str) -> None:
        """Write a column of formulas, one a row, under its title."""
        self._text(sheet.cell(1, column), title)
        for row in range(2, self._n_rows + 2):
            sheet.cell(row, column, cells.format(row=row))

    def _constants(self, title: str, values: list[Label]) -> list[str]:
        """Add a column of constants to the sheet of the model; return their cells."""
        column = self._n_constants + 1
        titles = [title]
        if isinstance(values[0], float):
            titles += ["= integer", "times 2 to the power"]
        for k, each in enumerate(titles):
            self._text(self._model.cell(1, column + k), each)
        self._n_constants += len(titles)
        letters, integers, powers = (_letters(column + k) for k in range(3))
        for row, value in enumerate(values, start=2):
            cell = self._model.cell(row, column)
            if isinstance(value, float):
                whole, power = _as_integer_and_power(value)
                self._model.cell(row, column + 1, whole)
                self._model.cell(row, column + 2, power)
                cell.value = f"={integers}{row}*2^{powers}{row}"
            elif isinstance(value, str):
                self._text(cell, value)
            elif abs(value) > INTEGERS:
                self._text(cell, str(value))
            else:
                cell.value = value
        return [f"Model!${letters}${row}" for row in range(2, len(values) + 2)]

    @staticmethod
    def _text(cell: Any, text: str) -> None:
        """Write text as text, also if it begins with ``=``."""
        cell.value = cell_text(text)
        cell.data_type = "s"
        cell.quotePrefix = True


def _as_integer_and_power(value: float) -> tuple[int, int]:
    mantissa, exponent = frexp(value)
    return int(ldexp(mantissa, 53)), exponent - 53


def _sum(a: str, b: str) -> str:
    """Return a formula of a + b without the spreadsheet's rounding to 0."""
    return f"-FV(0,1,{b},{a})"


def _range(cells: list[str]) -> str:
    return f"{cells[0]}:{cells[-1].split('!')[1]}"


def _letters(column: int) -> str:
    from openpyxl.utils import get_column_letter

    return str(get_column_letter(column))


def _title(term: Term) -> str:
    match term:
        case Product(left, right):
            return f"{_title(left)} x {_title(right)}"
        case Curve(of):
            return f"curve of {_title(of)}"
        case Standardised(of):
            return f"{_title(of)}, standardised"
        case Missing(of):
            return f"{of.name} missing"
        case Level(name, values):
            return f"{name}: {', '.join(values)}"[:LONGEST_TITLE]
        case DatePart(name, part):
            return f"{name} {part}"
        case DaysBetween(start, end):
            return f"days from {start.name} to {end.name}"
        case Number(name) | Truth(name) | Time(name):
            return name
