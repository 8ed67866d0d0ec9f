"""The pictures of the gallery once more: small at its top, and on the pages of their functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx

PAGE, FUNCTIONS = "gallery", "reference/api/moselect.plots."


def sections(app: Sphinx) -> Iterator[tuple[nodes.section, nodes.image]]:
    """Yield the sections of the gallery that have a picture, each with it."""
    for section in app.env.get_doctree(PAGE).findall(nodes.section):
        picture = next(section.findall(nodes.image), None)
        if picture is not None and not any(
            section.findall(nodes.section, include_self=False)
        ):
            yield section, picture


def link(
    app: Sphinx, docname: str, section: nodes.section, picture: nodes.image
) -> nodes.reference:
    """Return a picture that leads to its section of the gallery."""
    address = f"#{section['ids'][0]}"
    if docname != PAGE:
        address = app.builder.get_relative_uri(docname, PAGE) + address
    picture["alt"] = section.next_node(nodes.title).astext()
    return nodes.reference("", "", picture, refuri=address, internal=True)


def add_pictures(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put pictures on the page of the gallery or of a function."""
    if docname == PAGE:
        grid = nodes.container(classes=["thumbnails"])
        for section, picture in sections(app):
            small = link(app, docname, section, picture)
            small += nodes.inline(text=picture["alt"])
            picture["alt"] = ""  # for those who listen, the title is enough
            grid += nodes.paragraph("", "", small)
        introduction = doctree.next_node(nodes.paragraph)
        introduction.parent.insert(introduction.parent.index(introduction) + 1, grid)
    elif docname.startswith(FUNCTIONS):
        call = re.compile(rf"plots\.{docname.removeprefix(FUNCTIONS)}\(")
        for section, picture in sections(app):
            if any(
                call.search(cell.astext())
                for cell in section.findall(nodes.literal_block)
            ):
                summary = doctree.next_node(nodes.paragraph)
                figure = nodes.figure("", link(app, docname, section, picture))
                summary.parent.insert(summary.parent.index(summary) + 1, figure)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the pictures once all pages are read."""
    app.connect("doctree-resolved", add_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
