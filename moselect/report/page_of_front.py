"""The page of a front: made once, written to a file or shown in a notebook."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from moselect.front import Front
from moselect.report.html import pack, render
from moselect.report.summary import summarise

HEIGHT = 900  # pixels in a notebook


@dataclass(frozen=True)
class Page:
    """One HTML page, which notebooks show.

    Attributes
    ----------
    html : str
        All of it.
    """

    html: str = field(repr=False)

    def write(self, path: str | Path) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8", newline="\n")

    def _repr_html_(self) -> str:
        # In a frame of its own, so that neither its style nor its scripts meet the notebook's.
        packed = html.escape(pack(self.html))
        return (
            f'<iframe srcdoc="{packed}" sandbox="allow-scripts allow-downloads" '
            f'title="Front" style="width: 100%; height: {HEIGHT}px; border: 0"></iframe>'
        )


def make_page(front: Front, data: Mapping[str, Any] | None = None, run: str | None = None) -> Page:
    """Make one HTML page to explore a front and pick a model by cost.

    Parameters
    ----------
    front : Front
        A front that knows its confusion matrices.
    data : mapping, optional
        What is known of the data: ``name`` and ``target`` are shown, all goes into the files of
        models; plain values that JSON can hold.
    run : str, optional
        The run folder as a shell reads it, for the command that the page gives.

    Raises
    ------
    ValueError
        If the front does not know its confusion matrices.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> front = moselect.ParetoSearch(n_iterations=2, random_state=1).fit(X, y).front_
    >>> page = make_page(front, {"name": "boston"})
    >>> page.html[:15]
    '<!doctype html>'
    """
    return Page(render(summarise(front, data, run)))
