"""Interactive HTML page of a search, written to a file or shown in a notebook."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from moselect.front import Selector
from moselect.metrics.costs import Costs
from moselect.page.candidates import as_json
from moselect.page.summary import summarise

FOLDER = files("moselect.page") / "page"
SCRIPTS = (  # each uses those before it; together they are one module
    "graph.js", "data.js", "text.js", "axes.js", "costs.js", "limits.js", "decisions.js",
    "state.js", "controls.js", "choice.js", "tradeoffs.js", "model.js",
    "case.js", "groups.js", "front.js", "page.js",
)  # fmt: skip
# The page may run its own script only and load no external resources.
POLICY = (
    "default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)
FRAME = Markup(
    '<iframe srcdoc="{page}" sandbox="allow-scripts allow-downloads" title="Front" '
    'style="width: 100%; height: 900px; border: 0"></iframe>'
)


@dataclass(frozen=True)
class Page:
    """Self-contained HTML page with a notebook representation."""

    html: str = field(repr=False)

    def write(self, path: str | Path) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8", newline="\n")

    def _repr_html_(self) -> str:
        # In a frame of its own, so that neither its style nor its scripts meet the notebook's.
        return str(FRAME.format(page=self.html))


def make_page(
    selector: Selector,
    *,
    about: Mapping[str, Any] | None = None,
    run: str | None = None,
    costs: Costs | None = None,
    limits: Mapping[str, float] | None = None,
    by: pd.DataFrame | None = None,
    written: Mapping[str, str] | None = None,
) -> Page:
    """Make an HTML page to choose a model by costs and limits and to explore a front.

    It needs no network, and notebooks display it. It holds the out-of-fold class
    probabilities of every candidate, so that decisions and their costs are
    cross-validated for any costs, class shares and limits set there. More than 10,000
    samples are subsampled at random, and more than 1,000 members of the front by an even
    spread over it.

    Parameters
    ----------
    selector : Selector
        Selector of a search, ``search.selector_``. Candidates not fitted yet are fitted.
    about : mapping, optional
        Metadata as plain JSON values: ``name``, ``target`` and ``sample_weight``, the
        column of the weights, are shown, and all entries are stored in model files.
    run : str, optional
        Run folder, quoted for a shell, for the command shown in the page.
    costs : Costs, optional
        Initial misclassification costs; by default equal for all classes.
    limits : mapping of str to float, optional
        Initial limits on error rates, as in `select`.
    by : DataFrame, optional
        Columns of groups by which results are shown, with a row for each row of the
        table, as in `Evidence.by`.
    written : mapping of str to str, optional
        ``candidate`` that was selected for the initial costs and limits, and the ``file``
        of its model, which the page names.

    Returns
    -------
    Page

    Examples
    --------
    >>> import numpy as np
    >>> import moselect
    >>> X, y = np.arange(60.0)[:, None] % 20, np.arange(60) % 20 // 10 + 1
    >>> search = moselect.ParetoSearch(n_iterations=2, n_particles=5, random_state=1).fit(X, y)
    >>> page = make_page(search.selector_, about={"name": "steps"})
    >>> page.html[:15]
    '<!doctype html>'
    """
    summary = summarise(
        selector,
        about=about,
        run=run,
        costs=costs,
        limits=limits,
        by=by,
        written=written,
    )
    return Page(_render(summary))


def _render(summary: Mapping[str, Any]) -> str:
    """Render the page from its template."""
    script = "\n" + "\n".join(map(_read, SCRIPTS))
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    return environment.from_string(_read("page.html")).render(
        summary=summary,
        usual_costs=_usual_costs(len(summary["classes"])),
        policy=POLICY.format(
            base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        ),
        style=_read("page.css"),
        script=script,
        # Escaped, so that no string in the JSON can end the script element around it.
        data=as_json(summary).decode().replace("<", "\\u003c"),
    )


def _usual_costs(r: int) -> dict[str, list[int]]:
    """Define presets of class costs by their label."""
    return {
        "equal": [1] * r,
        "rising with class": [2**c for c in range(r)],
        "misses x10": [1] * (r - 1) + [10],
        "false alarms x5": [5] + [1] * (r - 1),
    }


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
