"""A model as a workbook with formulas: paste rows, read scores and classes.

Spreadsheets are careful with numbers: ``a + b`` and ``SUM`` become 0 where numbers nearly
cancel, and ``a > b`` is false where they nearly agree. Two functions take doubles as they
are: ``GESTEP(a, b)`` is 1 where a >= b, and ``-FV(0, 1, b, a)``, one payment of b without
interest on top of a, is a + b. With them the class of a row is that of `predict`, also at
the thresholds.

Rows are taken as a sheet holds them: numbers that are written as text are not numbers.
TRIM takes the blanks around text, and would also join two blanks within: what it leaves
is then no longer in the cell. Such text is taken as it stands, and leaves its row without
a class if it is no level.
"""

from __future__ import annotations

from io import BytesIO
from itertools import zip_longest

from moselect.columns.cells import HOURS
from moselect.export.sheets import Sheets, write_text
from moselect.graph.formula import Formula
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

ROWS = 1_000  # rows that have formulas
MOST_CLASSES = 200  # so that the formula of the class stays below 8,192 characters
LONGEST_TITLE = 200  # a title of all levels could be longer than a cell takes
DAYS_TO_EPOCH = 25569  # from day 0 of a spreadsheet


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
    _Writer(Sheets(book, rows)).write(formula)
    for sheet in book:
        for cell in sheet[1]:
            cell.font = Font(bold=True)
        sheet.freeze_panes = "A2"
    content = BytesIO()
    book.save(content)
    return content.getvalue()


class _Writer:
    """Writes a formula into sheets."""

    def __init__(self, sheets: Sheets) -> None:
        self._sheets = sheets
        self._columns: dict[str, str] = {}  # letters of each
        self._words: dict[tuple[str, ...], str] = {}
        self._texts: dict[str, str] = {}

    def write(self, formula: Formula) -> None:
        sheets, last = self._sheets, ""
        for j, name in enumerate(formula.columns, start=1):
            head = sheets.rows.cell(1, j)
            write_text(head, name)
            self._columns[name] = last = head.column_letter
        filled = f"COUNTA(Rows!$A{{row}}:${last}{{row}})>0"
        total = sheets.work("start", f'=IF({filled},0,"")')
        for number, (term, weight) in enumerate(
            zip(formula.terms, formula.weights, strict=True), start=1
        ):
            value = self._term(term)
            factor = sheets.constant(f"weight {number}: {_title(term)}", weight)
            sum_ = _sum(total, f"{value}*{factor}")
            total = sheets.work(
                f"score after {_title(term)}",
                f'=IF(AND(ISNUMBER({total}),ISNUMBER({value})),{sum_},"")',
            )
        cuts = sheets.constants("class above if the score reaches", formula.cuts)
        classes = sheets.range_of("class", formula.classes)
        above = "".join(f"+GESTEP({total},{cut})" for cut in cuts)
        n = len(self._columns)
        sheets.fill(sheets.rows, n + 1, "score", f"={total}")
        called = f'=IF(ISNUMBER({total}),INDEX({classes},1{above}),"")'
        sheets.fill(sheets.rows, n + 2, "class", called)

    def _term(self, term: Term) -> str:
        """Return the cell of a term's value."""
        match term:
            case Product(left, right):
                a, b = self._term(left), self._term(right)
                value = f'=IF(AND(ISNUMBER({a}),ISNUMBER({b})),{a}*{b},"")'
            case DaysBetween(start, end, fill):
                first, last = self._term(start), self._term(end)
                gaps = "+".join(self._term(Missing(date)) for date in (start, end))
                filled = self._sheets.constant(f"{_title(term)} if missing", fill)
                days = f"IF({gaps}>0,{filled},({last}-{first})/86400)"
                value = f'=IF(AND(ISNUMBER({first}),ISNUMBER({last})),{days},"")'
            case Standardised(inner, centre, scale):
                x = self._term(inner)
                cells = self._sheets.constants(
                    f"{_title(inner)}: centre, scale", [centre, scale]
                )
                value = f'=IF(ISNUMBER({x}),({_sum(x, f"-{cells[0]}")})/{cells[1]},"")'
            case Curve():
                return self._curve(term)
            case _:
                return self._leaf(term)
        return self._sheets.work(_title(term), value)

    def _leaf(self, term: Leaf) -> str:
        """Return the cell of the value of a term of one column."""
        cell = f"Rows!${self._columns[term.name]}{{row}}"
        match term:
            case Missing(leaf):
                value, gap = self._leaf(leaf), self._gap(cell, leaf.gaps)
                marked = f'=IF({gap},1,IF(ISNUMBER({value}),0,""))'
                return self._sheets.work(_title(term), marked)
            case Level():
                return self._level(term, cell)
        if term.fill is None:
            return cell
        gap = self._gap(cell, term.gaps)
        fill = self._sheets.constant(f"{term.name} if missing", term.fill)
        match term:
            case Number():
                value = cell
            case Truth():
                text = f'LOWER(TRIM({cell}&""))'
                value = (
                    f'IF(OR({text}="true",{text}="1",{text}="1.0"),1,'
                    f'IF(OR({text}="false",{text}="0",{text}="0.0"),0,""))'
                )
            case Time():
                value = self._time(term, cell)
            case DatePart():
                parts = {
                    "seconds": f"ROUND(({cell}-{DAYS_TO_EPOCH})*86400,0)",
                    "month": f"MONTH({cell})",
                    "weekday": f"WEEKDAY({cell},2)",
                    "hour": f"ROUND(MOD({cell},1)*86400,0)/3600",
                }
                value = f'IF(ISNUMBER({cell}),{parts[term.part]},"")'
        return self._sheets.work(_title(term), f"=IF({gap},{fill},{value})")

    def _gap(self, cell: str, gaps: tuple[str, ...]) -> str:
        """Return a condition: whether a cell is empty, or holds a word for that."""
        blank = f'LEN(TRIM({cell}&""))=0'
        if not gaps:
            return blank
        if gaps not in self._words:
            self._words[gaps] = self._sheets.range_of("missing values", gaps)
        return f'OR({blank},SUMPRODUCT(--EXACT({self._words[gaps]},LOWER({cell}&"")))>0)'

    def _level(self, term: Level, cell: str) -> str:
        otherwise = self._sheets.constant(f"{term.name}: other", term.otherwise)
        missing = self._sheets.constant(f"{term.name}: missing", term.missing)
        value = otherwise
        if term.values:
            names, numbers = list(term.values), list(term.values.values())
            levels = self._sheets.range_of(f"levels of {term.name}", names)
            values = self._sheets.range_of(f"values of {term.name}", numbers)
            text = self._text_of(term.name, cell)
            # EXACT tells cases apart and takes * and ? as they are, unlike lookups.
            matches = f"SUMPRODUCT(--EXACT({levels},{text})"
            other = f'IF(EXACT(TRIM({text}),{text}),{otherwise},"")'
            value = f"IF({matches})=0,{other},{matches},{values}))"
        return self._sheets.work(
            _title(term), f"=IF({self._gap(cell, ())},{missing},{value})"
        )

    def _time(self, term: Time, cell: str) -> str:
        """Return the seconds of a time of two or three parts; those in words are none here."""
        text = self._text_of(term.name, cell)
        first = self._sheets.work(
            f"{term.name}: first part", f'=IFERROR(LEFT({text},FIND(":",{text})-1),"")'
        )
        rest = self._sheets.work(
            f"{term.name}: other parts", f"=MID({text},LEN({first})+2,99)"
        )
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
            self._texts[cell] = self._sheets.work(f"{name}: text", text)
        return self._texts[cell]

    def _curve(self, term: Curve) -> str:
        x, title, sheets = self._term(term.x), _title(term.x), self._sheets
        breaks = sheets.constants(f"breaks of {title}", term.breaks)
        above = "".join(f"+GESTEP({x},{cut})" for cut in breaks)
        piece = sheets.work(f"piece of {title}", f'=IF(ISNUMBER({x}),1{above},"")')
        centres = sheets.range_of(f"centres of {title}", term.centres)
        u = _sum(x, f"-INDEX({centres},{piece})")
        total = ""
        # Pieces of a lower degree have no higher powers.
        powers = zip_longest(*map(reversed, term.coefficients), fillvalue=0.0)
        for power, column in reversed(list(enumerate(powers))):
            cells = sheets.range_of(f"{title}: power {power}", column)
            coefficient = f"INDEX({cells},{piece})"
            total = _sum(f"({total})*({u})", coefficient) if total else coefficient
        return sheets.work(_title(term), f'=IF(ISNUMBER({piece}),{total},"")')


def _sum(a: str, b: str) -> str:
    """Return a formula of a + b without the spreadsheet's rounding to 0."""
    return f"-FV(0,1,{b},{a})"


def _title(term: Term) -> str:
    match term:
        case Product(left, right):
            return f"{_title(left)} x {_title(right)}"
        case Curve(inner):
            return f"curve of {_title(inner)}"
        case Standardised(inner):
            return f"{_title(inner)}, standardised"
        case Missing():
            return f"{term.name} missing"
        case Level(name, values):
            return f"{name}: {', '.join(values)}"[:LONGEST_TITLE]
        case DatePart(name, part):
            return f"{name} {part}"
        case DaysBetween(start, end):
            return f"days from {start.name} to {end.name}"
        case Number(name) | Truth(name) | Time(name):
            return name
