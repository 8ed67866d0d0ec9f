"""A model as one SELECT for SQLite, PostgreSQL and DuckDB, or as sqlglot rewrites it for others.

Constants are decimal numbers of at most 17 digits (`moselect.export.sql_terms`).
"""

from importlib.util import find_spec

from moselect.export.sql_terms import Inputs, below, decimal, quoted_name, quoted_text
from moselect.graph.model import Formula, Label
from moselect.listing import in_one_line

DIALECTS = ("bigquery", "snowflake")
RUN_IN = "SQLite, PostgreSQL and DuckDB"
HEADING = """\
-- {target}: the rows of a table with a score and a class.
-- The class equals moselect's predict for every row; the score agrees to 14 digits.
-- A row without a number where one is needed has no class.
-- {where}
"""


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
        Predicted quantity, for the heading.
    dialect : str, optional
        "bigquery" or "snowflake", which sqlglot writes. By default the SELECT is in the
        SQL that SQLite, PostgreSQL and DuckDB have in common.

    Raises
    ------
    ValueError
        If there are more than 900 terms, the dialect is unknown, or sqlglot is missing.

    Examples
    --------
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], ["low", "mid", "high"], ["a", "b"])
    >>> from moselect.export import formula_of
    >>> query = sql_of(formula_of(model), table="claims")
    >>> query.splitlines()[-1]
    'FROM "claims" AS t;'
    """
    # SQLite takes expressions of at most 1,000 levels
    most_terms = 900
    if len(formula.terms) > most_terms:
        raise ValueError(
            f"the model has {len(formula.terms)} terms, but databases take expressions of at most "
            f"{most_terms}: export it to .onnx"
        )
    check_dialect(dialect)
    inputs = Inputs("x", "x") if dialect is None else Inputs("t", "moselect_x")
    # One line a term; SQL adds from the left, as `predict` does.
    terms = [
        f"{decimal(weight)} * {inputs.term(term)}"
        for term, weight in zip(formula.terms, formula.weights, strict=True)
    ]
    score = "\n    + ".join(terms)
    name = ".".join(map(quoted_name, table.split(".")))
    # The text of cells is computed first, then the terms of single columns.
    computed = [columns for columns in (inputs.texts, inputs.names) if columns]
    title = in_one_line(target)
    if dialect is None:
        query = _with_scalars(score, _label_case(formula), name, computed)
        return HEADING.format(target=title, where=f"Runs in {RUN_IN}.") + query
    query = _with_hidden_columns(score, _label_case(formula), name, computed)
    where = f"Written for {dialect} by sqlglot; run in {RUN_IN} only."
    return HEADING.format(target=title, where=where) + _translated(query, dialect)


def check_dialect(dialect: str | None) -> None:
    """Raise ValueError if a dialect is unknown, or needs sqlglot, which is missing."""
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


def _label_case(formula: Formula) -> str:
    """Return the class of a score.

    Of classes with the same cut only the first can be reached.
    """
    *labels, last = map(_label, formula.classes)
    whens = "\n".join(
        f"      WHEN {below('s.score', cut)} THEN {label}"
        for label, cut in zip(labels, formula.exact_thresholds, strict=True)
    )
    return f"""CASE WHEN s.score - s.score = 0 THEN CASE -- neither missing nor infinite
{whens}
      ELSE {last} END END"""


def _label(label: Label) -> str:
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    if isinstance(label, str):
        return quoted_text(label)
    return decimal(label) if isinstance(label, float) else str(label)
