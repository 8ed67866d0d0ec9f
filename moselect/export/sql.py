"""A model as one SELECT for SQLite, PostgreSQL and DuckDB.

Constants are exact (`moselect.export.sql_terms`); the decimal stands beside in a comment.
"""

from __future__ import annotations

from moselect.export.dialects import STARS_WITHOUT, runs_in, writer_of
from moselect.export.sql_terms import Inputs, exact, quoted_name, quoted_text
from moselect.graph.formula import Formula, Label
from moselect.listing import in_one_line

MOST_TERMS = 900  # SQLite takes expressions of at most 1,000 levels
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
            f"{MOST_TERMS}: export it to .onnx"
        )
    write = str if dialect is None else writer_of(dialect)
    without = STARS_WITHOUT.get(dialect or "")
    inputs = Inputs("t", "moselect_x") if without else Inputs("x", "x")
    # One line a term; SQL adds from the left, as `predict` does.
    terms = [
        write(f"{exact(weight)} * {inputs.term(term)}") + f" -- {weight!r}"
        for term, weight in zip(formula.terms, formula.weights, strict=True)
    ]
    score = "\n    + ".join(terms)
    *labels, last = (write(_label(label)) for label in formula.classes)
    whens = "\n".join(
        f"      WHEN s.score < {write(exact(cut))} THEN {label} -- {cut!r}"
        for label, cut in zip(labels, formula.cuts, strict=True)
        # Of classes with the same cut only the first can be reached.
    )
    label = f"""CASE WHEN s.score - s.score = 0 THEN CASE -- neither missing nor infinite
{whens}
      ELSE {last} END END"""
    name = write(".".join(map(quoted_name, table.split("."))))
    heading = HEADING.format(target=in_one_line(target), runs=runs_in(dialect))
    as_class = f"AS {write(quoted_name('class'))}"
    computed = [
        ",\n      ".join(
            f"{write(expression)} AS {name}" for expression, name in names.items()
        )
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


def _label(label: Label) -> str:
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    if isinstance(label, str):
        return quoted_text(label)
    return exact(label) if isinstance(label, float) else str(label)
