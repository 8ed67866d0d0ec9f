"""A model card, or the index card of a scorecard, on one page of text or HTML."""

from collections.abc import Sequence
from itertools import chain, repeat

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from moselect.listing import in_one_line
from moselect.models.scorecard.sheet import Sheet
from moselect.predictor import ModelCard


def card_page(card: ModelCard | Sheet, *, as_html: bool) -> str:
    """Format a model card, or the index card of a scorecard, as HTML or as plain text.

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
    suffix = "html" if as_html else "txt"
    return environment.get_template(f"{name}.{suffix}").render(card=card)


def _finalize(value: object) -> object:
    """Remove line breaks from text of the user; tables, which are marked as safe, keep them."""
    is_text = isinstance(value, str) and not isinstance(value, Markup)
    return in_one_line(value) if is_text else value


def _text_table(rows: list[Sequence[object]], *heading: str) -> str:
    """Return lines of columns: the first to the left, the others to the right."""
    sides = chain([str.ljust], repeat(str.rjust))
    lines = [heading, *rows] if heading else rows
    columns = []
    for cells, side in zip(zip(*lines, strict=True), sides, strict=False):
        texts = [in_one_line(str(cell)) for cell in cells]
        width = max(map(len, texts))
        columns.append([side(text, width) for text in texts])
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))
