"""Table of the checks of a model: one line a check, as `moselect check --history` keeps it."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd

from moselect.io.atomic import write_file


def read_history(path: str | os.PathLike[str]) -> pd.DataFrame | None:
    """Read the checks so far, as `moselect.check` takes them; None if there is no file.

    Raises
    ------
    ValueError
        If the file is no table of checks.

    Examples
    --------
    >>> read_history("no such file.csv") is None
    True
    """
    if not Path(path).exists():
        return None
    try:
        table = pd.read_csv(path, dtype={"digest": str})
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot read the checks in '{path}': {error}") from None
    if "digest" not in table:
        raise ValueError(
            f"'{path}' has no checks: name a new file, or a history of checks"
        )
    return table


def write_history(path: str | os.PathLike[str], history: pd.DataFrame) -> None:
    """Write the checks so far, complete or not at all.

    Examples
    --------
    >>> import tempfile
    >>> checks = pd.DataFrame({"cost": [0.1], "digest": ["2:0a"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_history(f"{folder}/checks.csv", checks)
    ...     read_history(f"{folder}/checks.csv").equals(checks)
    True
    """
    write_file(Path(path), history.to_csv(index=False).encode())
