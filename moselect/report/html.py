"""The page as one text, from what it is to know and the files of the folder ``page``."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, StrictUndefined

from moselect.report.modules import join_modules, read

ENTRY = "page"  # the module that starts the others


def render(summary: Mapping[str, Any]) -> str:
    """Return the page; ``summary`` is that of `moselect.report.summary.summarise`."""
    script = f"\n{join_modules(ENTRY)}"
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    return environment.from_string(read("page.html")).render(
        summary=summary,
        policy=_policy(script),
        style=read("page.css") + read("print.css"),
        script=script,
        data=_embedded(summary),
    )


def _policy(script: str) -> str:
    """Allow the page its own script and nothing from elsewhere."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )


def _embedded(summary: Mapping[str, Any]) -> str:
    """Return JSON in which nothing can end the script element that holds it."""
    return json.dumps(summary, allow_nan=False).replace("<", "\\u003c")
