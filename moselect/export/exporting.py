"""A model written to a file that works without moselect, and its card on a page."""

import re
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from moselect._types import FilePath
from moselect.export.sql import check_sql, dates_in, sql_of
from moselect.io.atomic import check_suffix, write_file
from moselect.io.tables import workbook
from moselect.listing import in_one_line, listing
from moselect.models.scorecard.sheet import Sheet, is_scorecard, sheet_of
from moselect.predictor import Model, ModelCard

PAGES = (".html", ".txt", ".md")
SUFFIXES = (".sql", ".onnx", *PAGES, ".xlsx")
# file stems of a scorecard's model card, as opposed to its index card
SUMMARIES = ("summary", "decision")


def export_model(
    model: Model,
    path: FilePath,
    *,
    card: ModelCard | None = None,
    table: str = "data",
    overwrite: bool = False,
) -> None:
    r"""Write a model in the form given by the suffix of the file.

    ``.sql`` is one SELECT for SQLite, PostgreSQL and DuckDB;
    ``.onnx`` a graph for onnxruntime and others (`onnx_of`), also of ensembles; ``.html``,
    ``.txt``, ``.md`` and ``.xlsx`` the model card, a sheet a section. Of a scorecard ``.html`` and
    ``.txt`` are the index card, unless the file is called ``summary`` or ``decision``. SQL
    and ONNX give a row the class that ``model.predict`` gives it; a warning, and the heading of
    the SQL, name rows with dates that it gives none.

    Parameters
    ----------
    model : Model
        The model. Without names its features are called x0, x1 and so on.
    path : str or path
        The file. It appears complete or not at all.
    card : ModelCard, optional
        Model card, such as `summarise` returns; by default the
        card of the model.
    table : str, default="data"
        Name of the table in the SELECT; dots separate it from its schema.
    overwrite : bool, default=False
        Whether an existing file may be replaced.

    Raises
    ------
    ValueError
        If the suffix is unknown, the file exists, SQL is asked for of a model that is no
        weighted sum of columns (an ensemble), a name cannot be written in that form, or the
        model has no card.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([2.0], [3.0], ["low", "high"], ["speed"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export_model(model, f"{folder}/severity.sql", table="drives")
    ...     print(Path(f"{folder}/severity.sql").read_text().splitlines()[-1])
    FROM "drives" AS t;
    """
    path = Path(path)
    suffix = _checked_suffix(model, path)
    card = card or model.card
    target = "an ordinal class" if card is None else card.predicts
    match suffix:
        case ".sql":
            content = sql_of(model, table, target).encode()
            if dates := dates_in(model):
                warnings.warn(
                    f"'{path}' gives rows no class if {listing(map(repr, dates))} has an offset "
                    "from UTC such as +01:00",
                    stacklevel=2,
                )
        case ".onnx":
            from moselect.export.onnx import onnx_of  # an extra

            content = onnx_of(model, target)
        case _:
            if card is None:
                raise ValueError(
                    f"'{path}' needs a model card, which this model has not: give card=, or "
                    "select the model for costs or preferences"
                )
            if suffix == ".xlsx":
                content = workbook(sheets_of(card))
            else:
                has_sheet = suffix != ".md" and path.stem not in SUMMARIES
                is_sheet = has_sheet and is_scorecard(model)
                shown = sheet_of(model, card) if is_sheet else card
                content = card_page(shown, suffix).encode()
    write_file(path, content, overwrite=overwrite)


def check_export(model: Model, path: Path) -> None:
    """Raise ValueError if a file format cannot hold such a model and its columns."""
    suffix = _checked_suffix(model, path)
    if suffix == ".sql":
        check_sql(model)
    elif suffix == ".onnx":
        from moselect.export.onnx import onnx_of  # an extra

        onnx_of(model)


def _checked_suffix(model: Model, path: Path) -> str:
    """Return the suffix; ValueError for an unusable one or object, or a missing package."""
    suffix = check_suffix(path, SUFFIXES)
    if suffix == ".onnx" and find_spec("onnx") is None:
        raise ValueError(f"'{path}' needs a package: pip install 'moselect[onnx]'")
    if not isinstance(model, Model):
        raise ValueError(
            f"{type(model).__name__} cannot be exported: give a selected model"
        )
    return suffix


def card_page(card: ModelCard | Sheet, suffix: str) -> str:
    """Format a model card, or the index card of a scorecard, as HTML, Markdown or plain text.

    HTML has no scripts, and names are escaped.
    """
    environment = Environment(
        loader=PackageLoader("moselect.export"),
        autoescape=select_autoescape(),  # names in HTML
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_finalize,
    )
    environment.filters["table"] = _text_table
    name = "summary" if isinstance(card, ModelCard) else "scorecard"
    return environment.get_template(f"{name}{suffix}").render(card=card)


def sheets_of(card: ModelCard) -> dict[str, pd.DataFrame]:
    """Return the sheets of a workbook: the headline, and the table of each section."""
    sections = [*card.sections, *card.details]
    sentences = [*card.headline, *chain(*(section.sentences for section in sections))]
    sheets = {"Summary": pd.DataFrame({card.predicts: sentences})}
    for section in sections:
        if section.table:
            heading, *rows = section.table
            # Names of sheets in Excel have up to 31 characters, and none of these.
            name = re.sub(r"[\[\]:*?/\\]", " ", section.title)[:31]
            # Names in the first column, such as 007, stay as they are.
            cells = [[name, *map(_number_or_text, others)] for name, *others in rows]
            sheets[name] = pd.DataFrame(cells, columns=heading, dtype=object)
    return sheets


def _number_or_text(cell: str) -> float | str:
    try:
        return float(cell.replace(",", ""))
    except ValueError:
        return cell


def _finalize(value: object) -> object:
    """Remove line breaks from text of the user; tables, which are marked as safe, keep them."""
    is_text = isinstance(value, str) and not isinstance(value, Markup)
    return in_one_line(value) if is_text else value


def _text_table(rows: list[Sequence[object]], *heading: str) -> str:
    """Format rows as lines of columns, the first aligned left, the others right."""
    table = pd.DataFrame([heading, *rows] if heading else rows).map(in_one_line)
    for j, column in table.items():
        table[j] = column.str.pad(column.str.len().max(), "left" if j else "right")
    return "\n".join(table.apply("  ".join, axis=1).str.rstrip())
