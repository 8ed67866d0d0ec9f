"""Template and scripts of the page, which is a file or shown in a notebook."""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from moselect.page.candidates import as_json

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


def render(summary: Mapping[str, Any]) -> Page:
    """Render the page of a summary from its template."""
    script = "\n" + "\n".join(map(_read, SCRIPTS))
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    html = environment.from_string(_read("page.html")).render(
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
    return Page(html)


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
