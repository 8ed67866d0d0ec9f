"""A model as one SELECT for SQLite, PostgreSQL and DuckDB.

Constants are decimal numbers of at most 17 digits (`moselect.export.sql_terms`).
"""

from datetime import datetime

from moselect.export.graph import cells_of, decisions_by_score
from moselect.export.sql_terms import Inputs, below, decimal, quoted
from moselect.listing import in_one_line, listing
from moselect.predictor.model import Model
from moselect.predictor.scorers import WeightedSum
from moselect.preprocessing.terms import DatePart, Number
from moselect.tables.amounts import MULTIPLIED, column_of_part
from moselect.tables.cells import ISO

HEADING = """\
-- {target}: the rows of a table with a score and a class.
-- Classes equal the predictions of moselect, and scores agree to 14 digits.
-- A row has no class if a number that is needed is missing or has an exponent beyond 199.
{notes}-- Runs in SQLite, PostgreSQL and DuckDB.
"""
FORMS = """\
-- Nor has it one if text is written otherwise than {forms}.
-- First convert decimal commas to points, (5) to -5, and times with an offset to UTC.
"""


def sql_of(model: Model, table: str = "data", target: str = "Ordinal model") -> str:
    """Return a SELECT that gives all columns of a table, ``score`` and ``class``.

    Parameters
    ----------
    model : Model
        The model, whose score is a weighted sum of terms.
    table : str, default="data"
        Name of the table; dots separate it from its schema.
    target : str
        Predicted quantity, for the heading.

    Raises
    ------
    ValueError
        If the model has no formula of its columns (an ensemble), has more than 900 terms,
        or cells that SQL cannot read.

    Examples
    --------
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], ["low", "mid", "high"], ["a", "b"])
    >>> query = sql_of(model, table="claims")
    >>> query.splitlines()[-1]
    'FROM "claims" AS t;'
    """
    check_sql(model)
    inputs = Inputs()
    # One line a term; SQL adds from the left, as `predict` does.
    terms = [
        f"{decimal(weight)} * {inputs.term(term)}"
        for term, weight in zip(model.terms, model.coef_.tolist(), strict=True)
    ]
    score = "\n    + ".join(terms)
    name = ".".join(quoted(part, '"') for part in table.split("."))
    # The text of cells is computed first, then the terms of single columns.
    # Score and class are subqueries that refer to a row of the table. Without a limit
    # databases would inline the innermost subqueries wherever they are used.
    source = ""
    for columns in filter(None, (inputs.texts, inputs.names)):
        aliases = ",\n      ".join(
            f"{text} AS {alias}" for text, alias in columns.items()
        )
        source = f"\n    FROM (SELECT\n      {aliases}{source} LIMIT 1) AS x"
    scored = f"""
   FROM (SELECT
    {score}
    AS score{source}) AS s"""
    forms = in_one_line(", ".join(_forms_of(model)))
    notes = FORMS.format(forms=forms) * bool(forms)
    heading = HEADING.format(target=in_one_line(target), notes=notes)
    return f"""{heading}\
SELECT t.*,
  (SELECT s.score{scored}
  ) AS score,
  (SELECT {_label_case(model)}{scored}
  ) AS "class"
FROM {name} AS t;
"""


def dates_in(model: Model) -> list[str]:
    """Return the names of the columns of dates that a model takes."""
    return [name for name, cell in cells_of(model).items() if isinstance(cell, DatePart)]


EXAMPLE = datetime(2024, 10, 28, 14, 30)


def _forms_of(model: Model) -> list[str]:
    """Return how numbers, times and dates are written as text, with their columns."""
    columns = dict[str, list[str]]()
    for name, cell in cells_of(model).items():
        match cell:
            case DatePart(date_format=date_format):
                form = EXAMPLE.strftime(date_format.replace(ISO, "%Y-%m-%d"))
            case Number(content_type="number", unit=unit):
                form = f"1,234.5 {unit}" if unit else "1234.5"
            case Number(content_type="hours" | "minutes"):
                form = "2:30"
            case _:
                continue
        columns.setdefault(form, []).append(name)
    return [f"{form} ({listing(names, 3)})" for form, names in columns.items()]


# SQLite takes expressions of at most 1,000 levels
MAX_TERMS = 900


def check_sql(model: Model) -> None:
    """Raise ValueError if a model cannot be written as SQL."""
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
    for name, cell in cells_of(model).items():
        column = column_of_part(name)
        cells = ""
        if column != name:
            cells = "two numbers in a cell"
        elif isinstance(cell, Number) and cell.unit == MULTIPLIED:
            cells = MULTIPLIED
        elif isinstance(cell, DatePart) and "%p" in cell.date_format:
            cells = "times with AM and PM"
        if cells:
            raise ValueError(
                f"SQL cannot read column '{in_one_line(column)}' ({cells}): "
                "export to .onnx, or search with numbers in that column, or drop it"
            )


def _label_case(model: Model) -> str:
    """Return the class of a score.

    Of classes with the same threshold only the first can be reached.
    """
    thresholds, answers = decisions_by_score(model)
    if model.referral is not None:  # whose label is text: a column has one type
        answers = answers.astype(str)
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
