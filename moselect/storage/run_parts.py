"""What the files of a finished search are called."""

from __future__ import annotations

from pathlib import Path

RECORD = "run.json"
TABLE = "front.csv"
FOLDS = "folds-*.csv"
SCORING_MODELS = "columns-*.skops"
BEGINNINGS = tuple(name.partition("*")[0] for name in (RECORD, TABLE, FOLDS, SCORING_MODELS))


def is_part_of_run(path: Path) -> bool:
    """Return whether a file belongs to a finished search, which only a search replaces."""
    in_run = all((path.parent / name).exists() for name in (RECORD, TABLE))
    return in_run and path.exists() and path.name.startswith(BEGINNINGS)
