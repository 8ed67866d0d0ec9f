"""``run.json``: what a search records, checked by its types whenever it is read."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from msgspec import Struct

from moselect.listing import listing
from moselect.search.settings import SETTINGS, Labels, SearchSettings
from moselect.storage.documents import Header, check_schema, decoded

if TYPE_CHECKING:  # commands read a record before they load what is slow to import
    from moselect.datasets import Dataset
    from moselect.search import ParetoSearch

RECORD = "run.json"
UNFINISHED = "unfinished"  # where a search that has not ended has its record and states
RUN_SCHEMA: Final = 4
RECORDED = ("moselect", "numpy", "numba", "scipy", "scikit-learn", "pandas", "moocore")


class LoadedBy(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Arguments that loaded the table; none of them where it came from Python."""

    source: str | None = None
    target: str | None = None
    order: list[bool | int | float | str] | None = None
    bins: int | None = None
    binning: str | list[float] | None = None
    categorical: list[str] | None = None
    reading: dict[Literal["separator", "decimal", "encoding", "sheet"], str | None] | None = None


class DataRecord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table that was searched; the fingerprint is a hash of its names and values."""

    name: str
    loaded_by: LoadedBy
    target: str | None
    fingerprint: str
    n_samples: int
    n_features: int


if TYPE_CHECKING:
    SettingsRecord = Any
else:
    # What a record lacks has its default; settings that are no more do not matter.
    SettingsRecord = msgspec.defstruct(
        "SettingsRecord",
        [(one.name, SETTINGS[one.name].recorded, one.default) for one in fields(SearchSettings)],
        namespace={"__doc__": "Parameters of moselect.ParetoSearch."},
        frozen=True,
        kw_only=True,
    )


class BegunRecord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is recorded when a search begins."""

    schema: Literal[4]
    data: DataRecord
    settings: SettingsRecord
    versions: dict[str, str]
    machine: str


class RunRecord(BegunRecord, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a finished search records in ``run.json``.

    ``chance`` has each objective as it is reached without features; ``front_sha256`` is the
    checksum of ``front.csv``, ``folds_sha256`` that of ``folds-<its first 12 digits>.csv``, and
    ``models_sha256`` that of ``columns-<its first 12 digits>.skops``, the models whose scores are
    the columns.
    """

    n_evaluations: int
    interrupted: bool
    seconds: float
    n_models: int
    hypervolume_above_chance: float
    classes: Labels
    chance: dict[str, float]
    columns: list[dict[str, Any]] | None
    front_sha256: str
    folds_sha256: str | None
    models_sha256: str | None = None


def describe(
    search: ParetoSearch, data: Dataset, loaded_by: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the record of a search as it is before the search begins.

    ``loaded_by`` are the arguments of `load_dataset` that gave the data.
    """
    settings = search.get_params(deep=False)
    settings["random_state"] = getattr(search, "seed_", search.random_state)
    if hasattr(search.prepare, "get_params"):
        settings["prepare"] = search.prepare.get_params()
    return {
        "schema": RUN_SCHEMA,
        "data": {
            "name": data.name,
            "loaded_by": dict(loaded_by or {}),
            "target": data.target,
            "fingerprint": data.fingerprint,
            "n_samples": len(data.X),
            "n_features": data.X.shape[1],
        },
        "settings": settings,
        "versions": recorded_versions(),
        "machine": f"{platform.machine()} {platform.system()}",
    }


def recorded_versions() -> dict[str, str]:
    """Return the versions of all packages that results may depend on."""
    return {"python": platform.python_version()} | {name: version(name) for name in RECORDED}


def read_record(folder: Path) -> dict[str, Any]:
    """Read the record of a finished search; errors as in `read_run`."""
    if not (folder / RECORD).is_file() and (folder / UNFINISHED / RECORD).is_file():
        raise ValueError(
            f"the search in '{folder}' has not ended: go on with it, "
            f"moselect search --resume {folder}"
        )
    return _read(folder / RECORD, RunRecord)


def read_unfinished(folder: Path) -> dict[str, Any] | None:
    """Read what was recorded when the search in a run folder began; None if it has ended.

    Raises
    ------
    ValueError
        If there is no search in the folder, or its record is damaged or of another schema.
    """
    begun = folder / UNFINISHED
    if begun.is_symlink():
        raise ValueError(f"'{begun}' is a link, which moselect never makes: begin anew")
    if (begun / RECORD).is_file():
        return _read(begun / RECORD, BegunRecord)
    if not (folder / RECORD).is_file():
        raise ValueError(f"there is no search in '{folder}' to go on with: begin one (--out)")
    return None


def _read(path: Path, kind: type[BegunRecord]) -> dict[str, Any]:
    try:
        content = path.read_bytes()
    except OSError:
        raise ValueError(
            f"'{path.parent}' is not a run folder: there is no {path.name} in it"
            f"{_runs_beside(path.parent)}"
        ) from None
    try:
        schema = decoded(content, Header).schema
        if schema == RUN_SCHEMA:
            decoded(content, kind)
    except ValueError as error:
        raise ValueError(f"'{path}' is damaged ({error}): run the search again") from None
    again = f"search again, with the data, settings and seed that stand in '{path}'"
    check_schema(f"'{path.parent}'", schema, RUN_SCHEMA, again)
    record: dict[str, Any] = json.loads(content)
    return record


def _runs_beside(folder: Path) -> str:
    """Return the end of a message that lists run folders nearby."""
    parents = (folder, folder.parent, Path("runs"))
    runs = sorted(
        {str(record.parent) for parent in parents for record in parent.glob(f"*/{RECORD}")}
    )
    return f"; there is one in {listing(runs, limit=5)}" if runs else ""
