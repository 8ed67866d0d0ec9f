"""Expressions of PostgreSQL in the words of another database, by sqlglot."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot.expressions import Expression

DIALECTS = {
    "bigquery": "BigQuery",
    "duckdb": "DuckDB",
    "postgres": "PostgreSQL",
    "snowflake": "Snowflake",
    "sqlite": "SQLite",
    "tsql": "SQL Server",
}
RUN = {"duckdb", "postgres", "sqlite"}  # in the tests
# These take no derived tables that refer to a row outside them, but a star without some columns.
STARS_WITHOUT = {"bigquery": "EXCEPT", "snowflake": "EXCLUDE"}
# Columns of SQL Server usually take "red" and "Red" for the same.
EXACT_TEXT, EXACT = "NVARCHAR(MAX)", "Latin1_General_BIN2"
LONGEST_TIME = 9  # characters of a date after the day


def runs_in(dialect: str | None) -> str:
    """Return where a query was run."""
    run = "SQLite, PostgreSQL and DuckDB"
    if dialect is None:
        return f"Runs in {run}."
    written = f"Run in {run}; written for {DIALECTS[dialect]} by sqlglot"
    return f"{written}." if dialect in RUN else f"{written}, where it was not run."


def writer_of(dialect: str) -> Callable[[str], str]:
    """Return a function that writes an expression of PostgreSQL in a dialect.

    Raises
    ------
    ValueError
        If there is no such dialect, or sqlglot is missing.
    """
    if dialect not in DIALECTS:
        raise ValueError(
            f"unknown dialect '{dialect}': choose from {', '.join(DIALECTS)}"
        )
    try:
        from sqlglot import ErrorLevel, exp, parse_one
        from sqlglot.optimizer.annotate_types import annotate_types
    except ImportError:
        raise ValueError(
            "dialects of SQL need sqlglot: pip install 'moselect[sql]'"
        ) from None

    def write(expression: str) -> str:
        whole = exp.Paren(this=parse_one(expression, dialect="postgres"))
        # so that whole numbers are divided as such
        annotate_types(whole, dialect="postgres")
        if dialect == "tsql":
            _reword_for_sql_server(whole)
        return whole.this.sql(dialect, unsupported_level=ErrorLevel.RAISE)

    return write


def _reword_for_sql_server(whole: Expression) -> None:
    """Replace what sqlglot leaves as it is though SQL Server has no such thing."""
    from sqlglot import exp

    for equal in list(whole.find_all(exp.EQ)):
        if isinstance(
            equal.this, exp.Trim
        ):  # LTRIM(text, characters) = '': there are no others
            only = equal.this.expression.this
            others = f"[^{only.replace('-', '')}{'-' * ('-' in only)}]"
            pattern = exp.Literal.string(f"%{others}%")
            equal.replace(
                exp.Not(this=exp.Like(this=equal.this.this, expression=pattern))
            )
    for cast in list(whole.find_all(exp.Cast)):
        if cast.is_type("text"):
            exact = exp.cast(cast.this, EXACT_TEXT, dialect="tsql")
            cast.replace(exp.Collate(this=exact, expression=exp.var(EXACT)))
    for part in whole.find_all(exp.Substring):
        part.set("length", part.args.get("length") or exp.Literal.number(LONGEST_TIME))
    for truth in list(whole.find_all(exp.Boolean)):
        truth.replace(exp.Literal.number(int(truth.this)))
    for text in list(whole.find_all(exp.Literal)):
        if text.is_string and not text.this.isascii():
            text.replace(exp.National(this=text.this))
