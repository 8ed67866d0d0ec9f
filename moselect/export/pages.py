"""A model card, or the index card of a scorecard, on one page of text or HTML."""

import re
from collections.abc import Sequence
from itertools import chain, repeat

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from moselect.listing import in_one_line, rounded
from moselect.models.scorecard.sheet import Sheet
from moselect.predictor import ModelCard


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
    environment.filters["rounded"] = rounded
    environment.filters["table"] = _text_table
    environment.filters["markdown"] = _markdown_table
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


def _markdown_table(rows: list[Sequence[str]]) -> str:
    """Return the lines of a Markdown table."""
    heading, *others = (
        [in_one_line(cell).replace("|", r"\|") for cell in row] for row in rows
    )
    lines = [heading, ["---"] * len(heading), *others]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text_table(rows: list[Sequence[object]], *heading: str) -> str:
    """Format rows as lines of columns, the first aligned left, the others right."""
    sides = chain([str.ljust], repeat(str.rjust))
    lines = [heading, *rows] if heading else rows
    columns = []
    for cells, side in zip(zip(*lines, strict=True), sides, strict=False):
        texts = [in_one_line(str(cell)) for cell in cells]
        width = max(map(len, texts))
        columns.append([side(text, width) for text in texts])
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))
