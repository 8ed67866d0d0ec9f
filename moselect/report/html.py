"""The page as one text, from what it is to know and the files of the folder ``page``."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined

FOLDER = files("moselect.report") / "page"
STYLES = ("page.css", "print.css")
SCRIPTS = (  # each uses those before it; together they are one module
    "data.js", "text.js", "costs.js", "decisions.js", "state.js", "controls.js", "limits.js",
    "choice.js", "model.js", "front.js", "page.js",
)  # fmt: skip


def render(summary: Mapping[str, Any]) -> str:
    """Return the page; ``summary`` is that of `moselect.report.summary.summarise`."""
    script = "\n" + "\n".join(map(_read, SCRIPTS))
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    return environment.from_string(_read("page.html")).render(
        summary=summary,
        policy=_policy(script),
        style="".join(map(_read, STYLES)),
        script=script,
        # In this JSON nothing can end the script element that holds it.
        data=json.dumps(summary, allow_nan=False).replace("<", "\\u003c"),
    )


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _policy(script: str) -> str:
    """Allow the page its own script and nothing from elsewhere."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )
