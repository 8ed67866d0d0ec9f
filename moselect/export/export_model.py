"""A model written to a file that works without moselect."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from moselect.export.sql import check_dialect, sql_of
from moselect.graph.formula import formula_of
from moselect.io.atomic import check_file_path, write_file
from moselect.predictor import Model, ModelCard

PAGES = (".html", ".txt")
SUFFIXES = (".sql", ".onnx", *PAGES)


def export_model(
    model: Model,
    path: str | os.PathLike[str],
    *,
    card: ModelCard | None = None,
    table: str = "data",
    dialect: str | None = None,
    overwrite: bool = False,
) -> None:
    r"""Write a model to a file whose suffix says in which form.

    ``.sql`` is one SELECT for SQLite, PostgreSQL and DuckDB, or in a ``dialect``;
    ``.onnx`` what onnxruntime and others read (`onnx_of`), of pools, too; ``.html`` and
    ``.txt`` the model card on one page, or, of a scorecard, the index card. The first two
    give every row the class that ``model.predict`` gives it.

    Parameters
    ----------
    model : Model
        The model. Without names its features are called x0, x1 and so on.
    path : str or path
        The file. It appears complete or not at all.
    card : ModelCard, optional
        What is known about the model: needed for ``.html`` and ``.txt``.
    table : str, default="data"
        Name of the table in the SELECT; dots separate it from its schema.
    dialect : str, optional
        Of the SELECT, as `sql_of` takes it.
    overwrite : bool, default=False
        Whether a file of that name may be replaced.

    Raises
    ------
    ValueError
        If the suffix is unknown, the file exists, the model is no weighted sum of columns
        (an ensemble, but for ``.onnx``), a name cannot be written in that form, or the card is
        missing.

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
    check_export(model, path, dialect, overwrite=overwrite)
    target = "an ordinal class" if card is None else card.predicts
    match path.suffix.lower():
        case ".sql":
            content: str | bytes = sql_of(formula_of(model), table, target, dialect)
        case ".onnx":
            from moselect.export.onnx import onnx_of  # an extra

            content = onnx_of(model, target)
        case suffix:
            content = _page(model, path, card, suffix == ".html")
    content = content.encode() if isinstance(content, str) else content
    write_file(path, content, overwrite=overwrite)


def _page(model: Model, path: Path, card: ModelCard | None, as_html: bool) -> str:
    """Return the card of a model as text or HTML."""
    if card is None:
        raise ValueError(f"'{path}' is to be a model card, but the model has none")

    # slow to import, and seldom needed
    from moselect.export.card_pages import card_html, card_text

    return card_html(model, card) if as_html else card_text(model, card)


def check_export(
    model: Model, path: str | os.PathLike[str], dialect: str | None, *, overwrite: bool
) -> None:
    """Raise ValueError if a file format cannot hold such a model and its columns."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(
            f"cannot export to '{path}': its name must end in {', '.join(SUFFIXES)}"
        )
    check_dialect(dialect)
    if dialect is not None and suffix != ".sql":
        raise ValueError(f"'{path}': a dialect is of SQL: export to .sql")
    check_file_path(path, replace=overwrite)
    if suffix == ".onnx" and find_spec("onnx") is None:
        raise ValueError(f"'{path}' needs a package: pip install 'moselect[onnx]'")
    if not isinstance(model, Model):
        raise ValueError(
            f"{type(model).__name__} cannot be written down: give a finished model"
        )
    # The parts of an ensemble are known once it is fitted; a page needs no terms.
    if suffix != ".onnx" and not (suffix in PAGES and hasattr(model, "thresholds_")):
        formula_of(model)
