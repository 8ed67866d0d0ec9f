"""Names of the user's in comments."""

from __future__ import annotations


def one_line(text: str) -> str:
    """Return text without line breaks and control characters, which would end a comment."""
    spaced = " ".join(text.split())
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in spaced)
