"""The stages in which a table of many rows is searched."""

from __future__ import annotations

from moselect.search.runs import Stage

FEW_ROWS = 5_000  # searched as they are
FIRST_ROWS = 4_000


def stages_of(n_samples: int) -> tuple[Stage, ...]:
    """Return the stages of a search, the last of which has all rows; none for few rows."""
    if n_samples <= FEW_ROWS:
        return ()
    return (Stage(FIRST_ROWS, 100 / 120, 0), Stage(n_samples, 1.0, 1))
