"""The evidence of a selection as a notebook shows it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import pandas as pd

from moselect.listing import decimals_of, in_one_line
from moselect.report.figures import candidate_table
from moselect.report.headline import headline

if TYPE_CHECKING:
    from moselect.selection.evidence import Evidence


def as_html(evidence: Evidence) -> str:
    """Format the headline and the table of the candidates as HTML.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> names = ["proportional_odds", "linear"]
    >>> evidence = moselect.compare(names, X, y, cv=3, random_state=1)
    >>> as_html(evidence).startswith("<p>Use the linear model ")
    True
    """
    sentences = [*headline(evidence), *_correction(evidence)]
    paragraphs = "".join(f"<p>{escape(in_one_line(each))}</p>" for each in sentences)
    headings, *rows = candidate_table(evidence)
    return paragraphs + pd.DataFrame(rows, columns=headings).to_html(
        index=False, border=0
    )


def _correction(evidence: Evidence) -> list[str]:
    """Give the value of the selected model before the correction for its selection."""
    figures = evidence.candidates
    corrected = figures[evidence.value][evidence.selected]
    loss, _ = evidence.chosen.cv_loss
    decimals = decimals_of(figures["std_error"])
    value = f"{evidence.loss.value(loss):.{decimals}f}"
    if value == f"{corrected:.{decimals}f}":
        return []
    best = f"the best of {len(figures)} models"
    return [f"Not corrected: {value}, optimistic for {best}."]
