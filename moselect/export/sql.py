"""A model as one SELECT for SQLite, PostgreSQL and DuckDB.

Databases do not all read decimal numbers to the last bit (SQLite does not), so every
constant is a whole number divided or multiplied by powers of two, which is exact
everywhere; the decimal stands beside it in a comment.
"""

from __future__ import annotations

from itertools import accumulate

from moselect.columns.cells import HOURS
from moselect.export.dialects import STARS_WITHOUT, runs_in, writer_of
from moselect.export.sql_dates import date_case, iso_text
from moselect.graph.formula import Formula, Label
from moselect.labels import BLANKS
from moselect.listing import in_one_line
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

MOST_TERMS = 900  # SQLite takes expressions of at most 1,000 levels
# SQLite takes text that is no number for 0, which would go unnoticed; DuckDB ends the query.
NUMERIC, DIGITS = "' +-.0123456789eE'", "'0123456789'"
NO_NUMBERS = [
    "e%",
    "+e%",
    "-e%",
    "%.e%",
    "%e%e%",
    "%e%.%",
    "%e___%",
    "_%+%",
    "_%-%",
    "%.%.%",
]
LONGEST_NUMBER = 99  # characters; with exponents of two digits none is too large
TRUE, FALSE = "('true', '1', '1.0')", "('false', '0', '0.0')"
MOST_HOURS = 3  # digits
POWER = 62  # the largest power of two that is a whole number in all databases
HEADING = """\
-- {target}: the rows of a table with a score and a class.
-- The class is that of moselect's predict for every row; the score agrees to 14 digits.
-- A row without a number where one is needed has no class.
-- {runs}"""


def sql_of(
    formula: Formula,
    table: str = "data",
    target: str = "Ordinal model",
    dialect: str | None = None,
) -> str:
    """Return a SELECT that gives all columns of a table, ``score`` and ``class``.

    Parameters
    ----------
    formula : Formula
        The model.
    table : str, default="data"
        Name of the table; dots separate it from its schema.
    target : str
        What is predicted, for the heading.
    dialect : str, optional
        "bigquery", "snowflake", "tsql" (SQL Server), "duckdb", "postgres" or "sqlite";
        needs sqlglot. By default what SQLite, PostgreSQL and DuckDB have in common.

    Raises
    ------
    ValueError
        If there are more than 900 terms, the dialect is unknown, or sqlglot is missing.

    Examples
    --------
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], ["low", "mid", "high"], ["a", "b"])
    >>> from moselect.export import formula_of
    >>> query = sql_of(formula_of(model), table="claims")
    >>> query.splitlines()[-1]
    'FROM "claims" AS t;'
    """
    if len(formula.terms) > MOST_TERMS:
        raise ValueError(
            f"the model has {len(formula.terms)} terms, but databases take expressions of at most "
            f"{MOST_TERMS}: export it to .py"
        )
    write = str if dialect is None else writer_of(dialect)
    without = STARS_WITHOUT.get(dialect or "")
    inputs = _Inputs("t", "moselect_x") if without else _Inputs("x", "x")
    # One line a term; SQL adds from the left, as `predict` does.
    terms = [
        write(f"{_number(weight)} * {inputs.term(term)}") + f" -- {weight!r}"
        for term, weight in zip(formula.terms, formula.weights, strict=True)
    ]
    score = "\n    + ".join(terms)
    *labels, last = (write(_label(label)) for label in formula.classes)
    whens = "\n".join(
        f"      WHEN s.score < {write(_number(cut))} THEN {label} -- {cut!r}"
        for label, cut in zip(labels, formula.cuts, strict=True)
        # Of classes with the same cut only the first can be reached.
    )
    label = f"""CASE WHEN s.score - s.score = 0 THEN CASE -- neither missing nor infinite
{whens}
      ELSE {last} END END"""
    name = write(".".join(map(_name, table.split("."))))
    heading = HEADING.format(target=in_one_line(target), runs=runs_in(dialect))
    as_class = f"AS {write(_name('class'))}"
    computed = [
        ",\n      ".join(f"{write(of)} AS {name}" for of, name in names.items())
        for names in (inputs.texts, inputs.names)
        if names
    ]
    if without:
        hidden = ", ".join((inputs.texts | inputs.names).values())
        star, source = f"s.* {without} ({hidden})", f"{name} AS t"
        for columns in computed:
            source = f"(SELECT t.*,\n      {columns}\n    FROM {source}) AS t"
        return f"""{heading}
SELECT {star},
  {label}
  {as_class}
FROM (SELECT t.*,
    {score}
    AS score
  FROM {source}) AS s;
"""
    # Without a limit databases would put what is computed first wherever it is used.
    first, limit = (" TOP 1", "") if dialect == "tsql" else ("", " LIMIT 1")
    source = ""
    for columns in computed:
        source = f"\n    FROM (SELECT{first}\n      {columns}{source}{limit}) AS x"
    scored = f"""
   FROM (SELECT
    {score}
    AS score{source}) AS s"""
    return f"""{heading}
SELECT t.*,
  (SELECT s.score{scored}
  ) AS score,
  (SELECT {label}{scored}
  ) {as_class}
FROM {name} AS t;
"""


class _Inputs:
    """Terms as SQL; the text of cells, and then the terms of columns, are computed once, before."""

    def __init__(self, table: str, prefix: str) -> None:
        self._table, self._prefix = table, prefix
        self.texts: dict[str, str] = {}  # names of what is computed first, and then
        self.names: dict[str, str] = {}

    def term(self, term: Term) -> str:
        """Return the value of a term."""
        match term:
            case Standardised(of, centre, scale):
                return f"(({self.term(of)} - {_number(centre)}) / {_number(scale)})"
            case Product(left, right):
                return f"({self.term(left)} * {self.term(right)})"
            case DaysBetween(start, end, fill):
                days = f"({self._once(end)} - {self._once(start)}) / 86400"
                gaps = " + ".join(self._once(Missing(date)) for date in (start, end))
                filled = f"WHEN {gaps} > 0 THEN {_number(fill)}"
                return f"CASE WHEN {days} IS NULL THEN NULL {filled} ELSE {days} END"
            case Curve(of):
                return _curve(term, self.term(of))
            case _:
                return self._once(term)

    def _once(self, term: Leaf) -> str:
        name = self.names.setdefault(self._leaf(term), f"{self._prefix}{len(self.names)}")
        return f"{self._table}.{name}"

    def _text(self, expression: str) -> str:
        name = self.texts.setdefault(expression, f"{self._prefix}_text{len(self.texts)}")
        return f"{self._table}.{name}"

    def _leaf(self, term: Leaf) -> str:
        """Return the value of a term of one column."""
        column = f"t.{_name(term.name)}"
        cell = f"CAST({column} AS TEXT)"
        # Imported CSV files often have empty text for what is missing.
        present = f"NULLIF(TRIM({cell}, '{BLANKS}'), '')"
        match term:
            case Number(fill=fill, gaps=gaps):
                x = f"WHEN {self._is_number(cell)} THEN CAST({column} AS DOUBLE PRECISION) END"
                return (
                    f"CASE {x}"
                    if fill is None
                    else f"CASE{_gaps(self._text(present), gaps, fill)} {x}"
                )
            case Truth(fill=fill, gaps=gaps):
                text = self._text(present)
                return (
                    f"CASE{_gaps(text, gaps, fill)} WHEN LOWER({text}) IN {TRUE} THEN 1 "
                    f"WHEN LOWER({text}) IN {FALSE} THEN 0 END"
                )
            case Time(_, first_of_two, fill, gaps):
                case = _time_case(self._text(present), first_of_two)
                return f"CASE{_gaps(self._text(present), gaps, fill)}{case} END"
            case DatePart(_, part, date_format, fill, gaps):
                case = date_case(self._text(iso_text(present, date_format)), part)
                return f"CASE{_gaps(self._text(present), gaps, fill)}{case} END"
            case Missing(of):
                gap = _gaps(self._text(present), of.gaps, 1.0)
                return f"CASE{gap} WHEN {self._leaf(of)} IS NOT NULL THEN 0 END"
            case Level(_, values, otherwise, missing):
                text, levels = self._text(present), dict[float, list[str]]()
                for level, value in values.items():
                    levels.setdefault(value, []).append(_text(level))
                whens = "".join(
                    f" WHEN {text} IN ({', '.join(of)}) THEN {_number(value)}"
                    for value, of in levels.items()
                )
                return (
                    f"CASE{_gaps(text, (), missing)}{whens} ELSE {_number(otherwise)} END"
                )

    def _is_number(self, cell: str) -> str:
        """Return the condition that a cell of text is a number, without any other characters."""
        plain = f"REPLACE(REPLACE(LOWER(TRIM({cell}, ' ')), 'e+', 'f'), 'e-', 'f')"
        text = self._text(f"REPLACE({plain}, 'f', 'e')")
        unlike = "".join(f" AND {text} NOT LIKE '{pattern}'" for pattern in NO_NUMBERS)
        return (
            f"LTRIM({cell}, {NUMERIC}) = '' AND LENGTH({text}) BETWEEN 1 AND {LONGEST_NUMBER} "
            f"AND LTRIM(SUBSTR({text}, LENGTH({text}), 1), {DIGITS}) = '' "
            f"AND {text} NOT LIKE '% %'{unlike}"
        )


def _time_case(text: str, first_of_two: float) -> str:
    """Return the seconds of times of two or three parts; those in words are none in SQL."""
    whens = ""
    for hours in range(1, MOST_HOURS + 1):
        for places, unit in (
            ((hours + 2,), first_of_two),
            ((hours + 2, hours + 5), HOURS),
        ):
            unlike = "".join(f" AND SUBSTR({text}, {k}, 1) < '6'" for k in places)
            units = [unit / 60.0, unit / 3600.0]
            parts = [f"CAST(SUBSTR({text}, 1, {hours}) AS INTEGER) * {_number(unit)}"]
            parts += [
                f"CAST(SUBSTR({text}, {k}, 2) AS INTEGER) * {_number(each)}"
                for k, each in zip(places, units, strict=False)
            ]
            whens += (
                f" WHEN {text} LIKE '{'_' * hours}{':__' * len(places)}'"
                f" AND LTRIM(REPLACE({text}, ':', ''), {DIGITS}) = ''"
                f" AND LENGTH(REPLACE({text}, ':', '')) = {hours + 2 * len(places)}{unlike}"
                f" THEN {' + '.join(parts)}"
            )
    return whens


def _curve(curve: Curve, x: str) -> str:
    pieces = [
        _polynomial(f"({x} - {_number(centre)})", piece)
        for centre, piece in zip(curve.centres, curve.coefficients, strict=True)
    ]
    whens = "".join(
        f" WHEN {x} < {_number(end)} THEN {piece}"
        for end, piece in zip(curve.breaks, pieces[:-1], strict=True)
    )
    return f"CASE WHEN {x} IS NULL THEN NULL{whens} ELSE {pieces[-1]} END"


def _gaps(text: str, gaps: tuple[str, ...], value: float) -> str:
    """Return what a case begins with: the value of missing cells and of words for them."""
    words = f" OR LOWER({text}) IN ({', '.join(map(_text, gaps))})" if gaps else ""
    return f" WHEN {text} IS NULL{words} THEN {_number(value)}"


def _polynomial(u: str, coefficients: tuple[float, ...]) -> str:
    *_, whole = accumulate(
        map(_number, coefficients), lambda head, c: f"({head} * {u} + {c})"
    )
    return whole


def _number(value: float) -> str:
    """Return a double as an expression that is exact in every database."""
    top, bottom = value.as_integer_ratio()
    twos = bottom.bit_length() - 1
    while top and top % 2 == 0 and abs(top) >= 1 << 53:
        top //= 2
        twos -= 1
    sign, factor = ("/", abs(twos)) if twos > 0 else ("*", abs(twos))
    whole, rest = divmod(factor, POWER)
    powers = [1 << POWER] * whole + ([1 << rest] if rest else [])
    return f"(CAST({top} AS DOUBLE PRECISION){''.join(f' {sign} {power}' for power in powers)})"


def _label(label: Label) -> str:
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    if isinstance(label, str):
        return _text(label)
    return _number(label) if isinstance(label, float) else str(label)


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
