"""The directive ``house``: the layers of the code as a picture, from import-linter's contract."""

from __future__ import annotations

import importlib
import re
import tomllib
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
WIDTH, HEIGHT, GAP, MARGIN = 480, 36, 6, 28  # to be read on a phone, too


def layers() -> list[list[str]]:
    """Return the packages of each layer, the highest one first."""
    contracts = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]
    found = next(c for c in contracts["contracts"] if c["type"] == "layers")["layers"]
    return [[name.strip() for name in layer.split("|")] for layer in found]


def picture(house: list[list[str]]) -> str:
    """Return the layers as SVG; its colours are set in moselect.css."""
    step = HEIGHT + GAP
    shapes = []
    for i, packages in enumerate(house):
        y, width = (
            i * step + 1,
            (WIDTH - MARGIN - GAP * (len(packages) - 1)) / len(packages),
        )
        shapes.append(f'<text x="4" y="{y + 23}" font-size="13">{len(house) - i}</text>')
        for j, package in enumerate(packages):
            x = MARGIN + j * (width + GAP)
            shapes.append(
                f'<rect x="{x:.1f}" y="{y}" width="{width - 1:.1f}" height="{HEIGHT}" rx="4"/>'
                f'<text x="{x + width / 2:.1f}" y="{y + 23}" font-size="12" '
                f'text-anchor="middle">{escape(package)}</text>'
            )
    label = "; ".join(
        f"layer {len(house) - i}: {', '.join(p)}" for i, p in enumerate(house)
    )
    size = f"0 0 {WIDTH} {len(house) * step}"
    return (
        f'<svg class="house" viewBox="{size}" role="img" aria-label="{escape(label)}" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(shapes)}</svg>'
    )


class House(SphinxDirective):
    """Show the layers, and each package with the first line of its docstring."""

    def run(self) -> list[nodes.Node]:
        """Return the picture and a definition list."""
        house = layers()
        packages = nodes.definition_list()
        for package in (name for layer in house for name in layer):
            text = importlib.import_module(f"moselect.{package}").__doc__
            if text is None:
                raise self.severe(f"moselect.{package} has no docstring")
            item = nodes.definition_list_item()
            item += nodes.term("", "", nodes.literal(text=f"moselect.{package}"))
            item += nodes.definition("", _paragraph(text.strip().split("\n\n")[0]))
            packages += item
        return [nodes.raw("", picture(house), format="html"), packages]


def _paragraph(text: str) -> nodes.paragraph:
    """Return a paragraph with text between backquotes as code."""
    paragraph = nodes.paragraph()
    for i, part in enumerate(re.split("`+", text)):
        paragraph += nodes.literal(text=part) if i % 2 else nodes.Text(part)
    return paragraph


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("house", House)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
