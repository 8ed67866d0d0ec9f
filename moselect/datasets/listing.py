"""How error messages list names without filling the screen."""

from __future__ import annotations

from collections.abc import Iterable


def listing(names: Iterable[object], limit: int = 10) -> str:
    """Join names with commas, the first ``limit`` of them.

    Examples
    --------
    >>> listing(["a", "b", "c"], limit=2)
    'a, b and 1 more'
    """
    texts = [str(name) for name in names]
    rest = len(texts) - limit
    return ", ".join(texts[:limit]) + (f" and {rest} more" if rest > 0 else "")
