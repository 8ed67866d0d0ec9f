"""A model as one SELECT for SQLite, PostgreSQL and DuckDB.

Databases do not all read decimal numbers to the last bit (SQLite does not), so every constant is a
whole number divided or multiplied by powers of two, which is exact everywhere; the decimal stands
beside it in a comment.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

from moselect.export.dialects import STARS_WITHOUT, runs_in, writer_of
from moselect.export.formula import Formula, Label
from moselect.export.sql_dates import date_cases
from moselect.listing import in_one_line
from moselect.models.terms import (
    Curve,
    DatePart,
    DaysBetween,
    Level,
    Missing,
    Number,
    Product,
    Standardised,
    Term,
    Truth,
)

MOST_TERMS = 900  # SQLite takes expressions of at most 1,000 levels
NUMERIC = "' +-.0123456789eE'"  # SQLite takes other text for 0, which would go unnoticed
BLANKS = "' \t\N{NO-BREAK SPACE}'"  # around levels and words
TRUE, FALSE = "('true', '1', '1.0')", "('false', '0', '0.0')"
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
    columns = ",\n      ".join(f"{write(of)} AS {name}" for of, name in inputs.names.items())
    if without:
        star, source = "s.*", f"{name} AS t"
        if columns:
            star += f" {without} ({', '.join(inputs.names.values())})"
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
    source = f"\n    FROM (SELECT{first}\n      {columns}{limit}) AS x" if columns else ""
    outer = f"SELECT\n    {score}{source}" if columns else score
    return f"""{heading}
SELECT t.*,
  (
    {outer}
  ) AS score,
  (SELECT {label}
   FROM (SELECT
    {score}
    AS score{source}) AS s
  ) {as_class}
FROM {name} AS t;
"""


class _Inputs:
    """Terms as SQL; arguments of curves and standardised columns are computed once, before."""

    def __init__(self, table: str, prefix: str) -> None:
        self._table, self._prefix = table, prefix
        self.names: dict[str, str] = {}  # of what is computed before

    def term(self, term: Term) -> str:
        """Return the value of a term."""
        match term:
            case Standardised(of, centre, scale):
                return f"(({self._once(of)} - {_number(centre)}) / {_number(scale)})"
            case Product(left, right):
                return f"({self.term(left)} * {self.term(right)})"
            case DaysBetween(start, end, fill):
                days = f"({self._once(end)} - {self._once(start)}) / 86400"
                gaps = " + ".join(self._once(Missing(d.name, d.gaps)) for d in (start, end))
                filled = f"WHEN {gaps} > 0 THEN {_number(fill)}"
                return f"CASE WHEN {days} IS NULL THEN NULL {filled} ELSE {days} END"
            case Curve(of):
                return _curve(term, self._once(of))
            case _:
                return _leaf(term)

    def _once(self, term: Term) -> str:
        """Return the name of a column of the table that is computed first, or another term."""
        if isinstance(term, DaysBetween | Standardised | Curve | Product):
            return self.term(term)
        name = self.names.setdefault(_leaf(term), f"{self._prefix}{len(self.names)}")
        return f"{self._table}.{name}"


def _leaf(term: Term) -> str:
    """Return the value of a term of one column."""
    match term:
        case Number(name, fill, gaps):
            column = f"t.{_name(name)}"
            text = _present(column)
            x = f"WHEN LTRIM({text}, {NUMERIC}) = '' THEN CAST({column} AS DOUBLE PRECISION) END"
            return f"CASE {x}" if fill is None else f"CASE{_gaps(text, gaps, fill)} {x}"
        case Truth(name, fill, gaps):
            text = _present(f"t.{_name(name)}")
            return (
                f"CASE{_gaps(text, gaps, fill)} WHEN LOWER({text}) IN {TRUE} THEN 1 "
                f"WHEN LOWER({text}) IN {FALSE} THEN 0 END"
            )
        case DatePart(name, part, date_format, fill, gaps):
            text = _present(f"t.{_name(name)}")
            whens = date_cases(text, part, date_format)
            return f"CASE{_gaps(text, gaps, fill)}{whens} END"
        case Missing(name, gaps):
            return f"CASE{_gaps(_present(f't.{_name(name)}'), gaps, 1.0)} ELSE 0 END"
        case Level(name, values, otherwise, missing):
            text = _present(f"t.{_name(name)}")
            whens = "".join(
                f" WHEN {text} IN ({_spellings(level, values)}) THEN {_number(value)}"
                for level, value in values.items()
            )
            return f"CASE{_gaps(text, (), missing)}{whens} ELSE {_number(otherwise)} END"
        case _:
            raise TypeError(f"{type(term).__name__} is no term of one column")


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


def _present(column: str) -> str:
    """Return the text of a column; imported CSV files often have empty text for what is missing."""
    return f"NULLIF(TRIM(CAST({column} AS TEXT), {BLANKS}), '')"


def _gaps(text: str, gaps: tuple[str, ...], value: float | None) -> str:
    """Return what a case begins with: the value of missing cells and of words for them."""
    words = f" OR LOWER({text}) IN ({', '.join(map(_text, gaps))})" if gaps else ""
    return f" WHEN {text} IS NULL{words} THEN {'NULL' if value is None else _number(value)}"


def _spellings(level: str, levels: Mapping[str, float]) -> str:
    """Return a level as text; databases write truth in small letters, and 1 as 1.0, too."""
    others = [f"{level}.0"] if level.removeprefix("-").isdecimal() else []
    if level.lower() in ("true", "false"):
        others = [level.lower(), level.capitalize(), level.upper()]
    spellings = [level, *(text for text in others if text not in levels)]
    return ", ".join(map(_text, spellings))


def _polynomial(u: str, coefficients: tuple[float, ...]) -> str:
    *_, whole = accumulate(map(_number, coefficients), lambda head, c: f"({head} * {u} + {c})")
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
