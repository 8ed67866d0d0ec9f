"""Formulas as MathML, which browsers draw without a script and without the network."""

from __future__ import annotations

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def inline(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line."""
    self.body.append(convert(node.astext(), display="inline"))
    raise nodes.SkipNode


def block(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula of its own line."""
    self.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Draw all formulas so."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
