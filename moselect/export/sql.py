"""A model as one SELECT for SQLite, PostgreSQL and DuckDB, or as sqlglot rewrites it for others.

Constants are decimal numbers of at most 17 digits (`moselect.export.sql_terms`).
"""

from importlib.util import find_spec

from moselect.export.graph import cells_of, decisions_by_score
from moselect.export.sql_terms import Inputs, below, decimal, quoted
from moselect.listing import in_one_line, listing
from moselect.predictor.model import Model
from moselect.predictor.scorers import WeightedSum
from moselect.preprocessing.terms import DatePart
from moselect.tables.amounts import MULTIPLIED
from moselect.tables.two_numbers import column_of_part

DIALECTS = ("bigquery", "snowflake")
RUN_IN = "SQLite, PostgreSQL and DuckDB"
HEADING = """\
-- {target}: the rows of a table with a score and a class.
-- A class equals that of moselect's predict, and the score agrees to 14 digits.
-- A row has no class if a number that is needed is missing or has an exponent beyond 199.
{dates}-- {where}
"""
DATES = """\
-- Nor has it one if {names} has an offset from UTC such as +01:00: convert such times to UTC first.
"""


def sql_of(
    model: Model,
    table: str = "data",
    target: str = "Ordinal model",
    dialect: str | None = None,
) -> str:
    """Return a SELECT that gives all columns of a table, ``score`` and ``class``.

    Parameters
    ----------
    model : Model
        The model, whose score is a weighted sum of terms.
    table : str, default="data"
        Name of the table; dots separate it from its schema.
    target : str
        Predicted quantity, for the heading.
    dialect : str, optional
        "bigquery" or "snowflake", which sqlglot writes. By default the SELECT is in the
        SQL that SQLite, PostgreSQL and DuckDB have in common.

    Raises
    ------
    ValueError
        If the model has no formula of its columns (an ensemble), has more than 900 terms,
        or cells that SQL cannot read; or the dialect is unknown, or sqlglot is missing.

    Examples
    --------
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], ["low", "mid", "high"], ["a", "b"])
    >>> query = sql_of(model, table="claims")
    >>> query.splitlines()[-1]
    'FROM "claims" AS t;'
    """
    check_sql(model, dialect)
    units = model.columns.first.units
    if dialect is None:
        inputs = Inputs("x", "x", units)
    else:
        inputs = Inputs("t", "moselect_x", units)
    # One line a term; SQL adds from the left, as `predict` does.
    terms = [
        f"{decimal(weight)} * {inputs.term(term)}"
        for term, weight in zip(model.terms, model.coef_.tolist(), strict=True)
    ]
    score = "\n    + ".join(terms)
    name = ".".join(quoted(part, '"') for part in table.split("."))
    # The text of cells is computed first, then the terms of single columns.
    computed = [columns for columns in (inputs.texts, inputs.names) if columns]
    label = _label_case(model)
    if dialect is None:
        query = _with_scalars(score, label, name, computed)
        where = f"Runs in {RUN_IN}."
    else:
        query = _translated(_with_hidden_columns(score, label, name, computed), dialect)
        where = f"Written for {dialect} by sqlglot; run in {RUN_IN} only."
    names = in_one_line(listing(map(repr, dates_in(model))))
    dates = DATES.format(names=names) if names else ""
    return HEADING.format(target=in_one_line(target), dates=dates, where=where) + query


def dates_in(model: Model) -> list[str]:
    """Return the names of the columns of dates that a model takes."""
    return [name for name, cell in cells_of(model).items() if isinstance(cell, DatePart)]


# SQLite takes expressions of at most 1,000 levels
MAX_TERMS = 900


def check_sql(model: Model, dialect: str | None) -> None:
    """Raise ValueError if a model cannot be written as SQL, or not in a dialect."""
    if not isinstance(model.scorer, WeightedSum):
        raise ValueError(
            f"{model.scorer.name} has no formula, so it cannot be exported as SQL: select "
            "model=linear, or without free text export it as .onnx"
        )
    if model.row_costs is not None:
        raise ValueError(
            "decisions by the costs of each row, or by limits in groups, have no thresholds to "
            "export"
        )
    if len(model.terms) > MAX_TERMS:
        raise ValueError(
            f"the model has {len(model.terms)} terms, but databases take expressions of at most "
            f"{MAX_TERMS}: export it to .onnx"
        )
    units = model.columns.first.units
    for name in cells_of(model):
        column = column_of_part(name)
        cells = "two numbers in a cell" if column != name else units.get(name)
        if column != name or cells == MULTIPLIED:
            raise ValueError(
                f"SQL cannot read column '{in_one_line(column)}' ({cells}): "
                "export to .onnx, or search with numbers in that column, or drop it"
            )
    if dialect is None:
        return
    if dialect not in DIALECTS:
        raise ValueError(
            f"unknown dialect '{dialect}': choose from {', '.join(DIALECTS)}, or omit it for "
            f"{RUN_IN}"
        )
    if find_spec("sqlglot") is None:
        raise ValueError("dialects of SQL need sqlglot: pip install 'moselect[sql]'")


def _translated(query: str, dialect: str) -> str:
    """Return a query of PostgreSQL, which may leave out columns of a star, in a dialect."""
    from sqlglot import ErrorLevel, parse_one
    from sqlglot.optimizer.annotate_types import annotate_types

    # Types tell divisions of whole numbers from others.
    tree = annotate_types(parse_one(query, dialect="postgres"), dialect="postgres")
    return tree.sql(dialect, pretty=True, unsupported_level=ErrorLevel.RAISE) + ";\n"


def _with_scalars(
    score: str, label: str, name: str, computed: list[dict[str, str]]
) -> str:
    """Return a SELECT whose score and class are subqueries that refer to a row of the table.

    Without a limit databases would inline the subquery wherever it is used.
    """
    # The innermost subquery has the text of cells, the next one the terms of columns.
    source = ""
    for columns in computed:
        source = f"\n    FROM (SELECT\n      {_aliases(columns)}{source} LIMIT 1) AS x"
    scored = f"""
   FROM (SELECT
    {score}
    AS score{source}) AS s"""
    return f"""
SELECT t.*,
  (SELECT s.score{scored}
  ) AS score,
  (SELECT {label}{scored}
  ) AS "class"
FROM {name} AS t;
""".lstrip()


def _with_hidden_columns(
    score: str, label: str, name: str, computed: list[dict[str, str]]
) -> str:
    """Return a SELECT from nested ones, whose columns it leaves out of its star.

    BigQuery and Snowflake take no derived tables that refer to a row outside them.
    """
    source = f"{name} AS t"
    for columns in computed:
        source = f"(SELECT t.*,\n      {_aliases(columns)}\n    FROM {source}) AS t"
    hidden = ", ".join(alias for columns in computed for alias in columns.values())
    star = f"s.* EXCEPT ({hidden})" if hidden else "s.*"
    return f"""
SELECT {star},
  {label}
  AS "class"
FROM (SELECT t.*,
    {score}
    AS score
  FROM {source}) AS s
"""


def _aliases(columns: dict[str, str]) -> str:
    """Return expressions under their names, as a SELECT lists them."""
    return ",\n      ".join(
        f"{expression} AS {alias}" for expression, alias in columns.items()
    )


def _label_case(model: Model) -> str:
    """Return the class of a score.

    Of classes with the same threshold only the first can be reached.
    """
    thresholds, answers = decisions_by_score(model)
    *labels, last = map(_label, answers.tolist())
    whens = "\n".join(
        f"      WHEN {below('s.score', threshold)} THEN {label}"
        for label, threshold in zip(labels, thresholds.tolist(), strict=True)
    )
    return f"""CASE WHEN s.score - s.score = 0 THEN CASE -- neither missing nor infinite
{whens}
      ELSE {last} END END"""


def _label(label: bool | float | str) -> str:
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    if isinstance(label, str):
        return quoted(label)
    return decimal(label) if isinstance(label, float) else str(label)
