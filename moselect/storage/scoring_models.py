"""The models whose scores are the columns of a run: one file, whose name holds its checksum."""

from __future__ import annotations

import hashlib
from pathlib import Path

from moselect.columns import ModelColumns
from moselect.storage.atomic import replacing
from moselect.storage.run_parts import SCORING_MODELS
from moselect.storage.skops_bytes import from_skops, to_skops


def write_scoring_models(folder: Path, models: ModelColumns | None) -> str | None:
    """Write the models; return the checksum of their file, None if there are none."""
    if models is None:
        return None
    content = to_skops(models, "the search")
    checksum = hashlib.sha256(content).hexdigest()
    with replacing(_path(folder, checksum)) as file:
        file.write(content)
    return checksum


def read_scoring_models(folder: Path, checksum: str | None) -> ModelColumns | None:
    """Read the models that a record names by their checksum.

    Raises
    ------
    ValueError
        If their file is missing, is not what the search wrote, or holds types that are not trusted.
    """
    if checksum is None:
        return None
    path = _path(folder, checksum)
    content = path.read_bytes() if path.is_file() else b""
    if hashlib.sha256(content).hexdigest() != checksum:
        raise ValueError(f"'{path}' is not what the search wrote: run the search again")
    models = from_skops(content, f"'{path}'")
    if not isinstance(models, ModelColumns) or not hasattr(models, "pool_"):
        raise ValueError(f"'{path}' holds no columns of models: run the search again")
    return models


def remove_other_models(folder: Path, checksum: str | None) -> None:
    """Remove models that belong to runs which were replaced."""
    current = None if checksum is None else _path(folder, checksum)
    for path in folder.glob(SCORING_MODELS):
        if path != current:
            path.unlink(missing_ok=True)


def _path(folder: Path, checksum: str) -> Path:
    return folder / SCORING_MODELS.replace("*", checksum[:12])
