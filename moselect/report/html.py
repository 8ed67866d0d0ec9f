"""The page as one text, from what it is to know and the files of the folder ``page``."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Any

FOLDER = files("moselect.report") / "page"
SCRIPTS = ("data", "costs", "state", "plots", "matrix", "lines", "model", "table", "page")


def render(summary: Mapping[str, Any]) -> str:
    """Give the page; ``summary`` is that of `moselect.report.summary.summarise`."""
    from plotly.offline import get_plotlyjs

    plotly = get_plotlyjs()
    script = "\n".join(_read(f"{name}.js") for name in SCRIPTS)
    return Template(_read("template.html")).substitute(
        title=html.escape(summary["name"] or "Front of ordinal models"),
        policy=_policy(plotly, script),
        style=_read("page.css"),
        plotly=plotly,
        script=script,
        data=_embedded(summary),
    )


def _policy(*scripts: str) -> str:
    """Allow the page its own scripts and nothing from elsewhere.

    Charts of many points are drawn by programs for the graphics card that Plotly writes as it goes,
    hence ``unsafe-eval``.
    """
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {hashes} 'unsafe-eval'; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _embedded(summary: Mapping[str, Any]) -> str:
    """Give JSON in which nothing can end the script element that holds it."""
    return json.dumps(summary, allow_nan=False).replace("<", "\\u003c")


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
