"""The page of a front: made once, written to a file or shown in a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup
from numpy.typing import ArrayLike

from moselect.front import Front
from moselect.report.html import render
from moselect.report.settings import SelectedModels
from moselect.report.summary import summarise

FRAME = Markup(
    '<iframe srcdoc="{page}" sandbox="allow-scripts allow-downloads" title="Front" '
    'style="width: 100%; height: 900px; border: 0"></iframe>'
)


@dataclass(frozen=True)
class Page:
    """One HTML page, which notebooks show."""

    html: str = field(repr=False)

    def write(self, path: str | Path) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8", newline="\n")

    def _repr_html_(self) -> str:
        # In a frame of its own, so that neither its style nor its scripts meet the notebook's.
        return str(FRAME.format(page=self.html))


def make_page(
    front: Front,
    X: ArrayLike | pd.DataFrame | None = None,
    y: ArrayLike | None = None,
    *,
    about: Mapping[str, Any] | None = None,
    run: str | None = None,
    selected: SelectedModels | None = None,
) -> Page:
    """Make one HTML page to explore a front and choose a model by costs and limits.

    It needs no network, and is shown by notebooks. Of more than 3,000 models it shows that many,
    spread over the front.

    Parameters
    ----------
    front : Front
        A front that knows its confusion matrices.
    X, y : array-like of shape (n, p) and (n,), optional
        The rows of the search. With them the page solves the thresholds for the costs that are set
        there; it holds counts of samples along the scores, no samples. Without them the models
        keep the thresholds of the search.
    about : mapping, optional
        What is known of the data: ``name`` and ``target`` are shown, all goes into the files of
        models; plain values that JSON can hold.
    run : str, optional
        The run folder as a shell reads it, for the command that the page shows.
    selected : SelectedModels, optional
        From `select_for_settings`: figures that hold on new data. Without them the page says that
        its figures are those of training.

    Returns
    -------
    Page

    Raises
    ------
    ValueError
        If the front does not know its confusion matrices, or X and y are not the rows of the
        search.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> front = moselect.ParetoSearch(n_iterations=2, random_state=1).fit(X, y).front_
    >>> page = make_page(front, X, y, about={"name": "boston"})
    >>> page.html[:15]
    '<!doctype html>'
    """
    return Page(render(summarise(front, X, y, about=about, run=run, selected=selected)))
