"""A model as SQL, a spreadsheet, a Python function, or a page that describes it."""

from moselect.export.card_pages import card_html, card_text
from moselect.export.export_model import SUFFIXES, check_export, export_model
from moselect.export.formula import Formula, formula_of
from moselect.export.python import python_of
from moselect.export.sql import sql_of
from moselect.export.terms import (
    Curve,
    Level,
    Missing,
    Number,
    Product,
    Standardised,
    Term,
    Truth,
)
from moselect.export.workbook import workbook_of

__all__ = [
    "SUFFIXES",
    "Curve",
    "Formula",
    "Level",
    "Missing",
    "Number",
    "Product",
    "Standardised",
    "Term",
    "Truth",
    "card_html",
    "card_text",
    "check_export",
    "export_model",
    "formula_of",
    "python_of",
    "sql_of",
    "workbook_of",
]
