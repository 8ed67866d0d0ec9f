"""A model as one SELECT for SQLite, PostgreSQL and DuckDB.

Databases do not all read decimal numbers to the last bit (SQLite does not), so every constant is a
whole number divided or multiplied by powers of two, which is exact everywhere; the decimal stands
beside it in a comment.
"""

from __future__ import annotations

from itertools import accumulate

from moselect.export.formula import Curve, Formula, Label, Level, Missing, Number, Product, Term
from moselect.export.one_line import one_line

MOST_TERMS = 900  # SQLite takes expressions of at most 1,000 levels
NUMERIC = "' +-.0123456789eE'"  # SQLite takes other text for 0, which would go unnoticed
POWER = 62  # the largest power of two that is a whole number in all databases
HEADING = """\
-- {target}: the rows of a table with a score and a class.
-- The class is that of moselect's predict for every row; the score agrees to {digits} digits.
-- A row without a number where one is needed has no class.
-- Runs in SQLite, PostgreSQL and DuckDB."""


def sql_of(formula: Formula, table: str = "data", target: str = "Ordinal model") -> str:
    """Return a SELECT that gives all columns of a table, ``score`` and ``class``.

    Parameters
    ----------
    formula : Formula
        The model.
    table : str, default="data"
        Name of the table; dots separate it from its schema.
    target : str
        What is predicted, for the heading.

    Raises
    ------
    ValueError
        If there are more than 900 terms, or a name or label has a NUL character, or a label is an
        integer of more than 64 bits.
    """
    if len(formula.terms) > MOST_TERMS:
        raise ValueError(
            f"the model has {len(formula.terms)} terms, but databases take expressions of at most "
            f"{MOST_TERMS}: export it to .py"
        )
    # One line a term; SQL adds from the left, as `predict` does.
    terms = [
        f"{_number(weight)} * {_term(term)} -- {weight!r}"
        for term, weight in zip(formula.terms, formula.weights, strict=True)
    ]
    score = "\n    + ".join(terms)
    cuts = list(zip(formula.classes[:-1], formula.cuts, strict=True))
    whens = "\n".join(
        f"      WHEN s.score < {_number(cut)} THEN {_label(label)} -- {cut!r}"
        for label, cut in cuts
        # Of classes with the same cut only the first can be reached.
    )
    name = ".".join(_name(part) for part in table.split("."))
    heading = HEADING.format(target=one_line(target), digits=14)
    return f"""{heading}
SELECT t.*,
  (
    {score}
  ) AS score,
  (SELECT CASE WHEN s.score - s.score = 0 THEN CASE -- neither missing nor infinite
{whens}
      ELSE {_label(formula.classes[-1])} END END
   FROM (SELECT
    {score}
    AS score) AS s
  ) AS "class"
FROM {name} AS t;
"""


def _term(term: Term) -> str:
    match term:
        case Number(name, fill):
            column = f"t.{_name(name)}"
            x = (
                f"CASE WHEN LTRIM({_present(column)}, {NUMERIC}) = '' "
                f"THEN CAST({column} AS DOUBLE PRECISION) END"
            )
            return x if fill is None else f"COALESCE({x}, {_number(fill)})"
        case Missing(name):
            return f"CASE WHEN {_present('t.' + _name(name))} IS NULL THEN 1 ELSE 0 END"
        case Level(name, values, otherwise, missing):
            text = _present(f"t.{_name(name)}")
            whens = "".join(
                f" WHEN {text} = {_text(level)} THEN {_number(value)}"
                for level, value in values.items()
            )
            return (
                f"CASE WHEN {text} IS NULL THEN {_number(missing)}{whens} "
                f"ELSE {_number(otherwise)} END"
            )
        case Curve(of, breaks, centres, coefficients):
            x = _term(of)
            pieces = [
                _polynomial(f"({x} - {_number(centre)})", piece)
                for centre, piece in zip(centres, coefficients, strict=True)
            ]
            whens = "".join(
                f" WHEN {x} < {_number(end)} THEN {piece}"
                for end, piece in zip(breaks, pieces[:-1], strict=True)
            )
            return f"CASE WHEN {x} IS NULL THEN NULL{whens} ELSE {pieces[-1]} END"
        case Product(left, right):
            return f"({_term(left)} * {_term(right)})"


def _present(column: str) -> str:
    """Return the text of a column; imported CSV files often have empty text for what is missing."""
    return f"NULLIF(CAST({column} AS TEXT), '')"


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
    if isinstance(label, float):
        return _number(label)
    if not -(2**63) <= label < 2**63:
        raise ValueError(f"class {label} is too large an integer for a database")
    return str(label)


def _text(text: str) -> str:
    return "'" + _plain(text).replace("'", "''") + "'"


def _name(name: str) -> str:
    return '"' + _plain(name).replace('"', '""') + '"'


def _plain(text: str) -> str:
    if "\0" in text:
        raise ValueError(f"a database cannot hold the NUL character in {text!r}: rename it")
    return text
