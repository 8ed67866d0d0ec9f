"""``run.json`` by its types: all that it may hold, checked whenever it is read."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from moselect.metrics import OBJECTIVES
from moselect.search.settings import SETTINGS, Count, SearchSettings
from moselect.storage.documents import MOST_CLASSES, Label, Labels, check_different_labels

RUN_SCHEMA: Final = 4

Checksum = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class LoadedBy(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Arguments that loaded the table; none of them where it came from Python."""

    source: str | None = None
    target: str | None = None
    order: list[Label] | None = None
    bins: int | None = None
    binning: str | list[float] | None = None
    categorical: list[str] | None = None
    reading: dict[Literal["separator", "decimal", "encoding", "sheet"], str | None] | None = None


class DataRecord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table that was searched; the fingerprint is a hash of its names and values."""

    name: str
    loaded_by: LoadedBy
    target: str | None
    fingerprint: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
    n_samples: Count
    n_features: Count


if TYPE_CHECKING:
    ObjectiveName = str
    SettingsRecord = Any
else:
    ObjectiveName = Literal[OBJECTIVES]
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

    Examples
    --------
    >>> from pathlib import Path
    >>> import tempfile
    >>> import msgspec
    >>> import pandas as pd
    >>> from moselect import ParetoSearch
    >>> from moselect.datasets import Dataset
    >>> X, y = pd.DataFrame({"age": [0.0, 2.0, 1.0, 3.0]}), pd.Series([1, 1, 2, 2])
    >>> data = Dataset("claims", X, y, (1, 2), "severity")
    >>> search = ParetoSearch(n_particles=5, n_iterations=1, cv=None, random_state=1)
    >>> from moselect.storage import write_run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = write_run(Path(folder), search.fit(X, y), data, seconds=0.1)
    ...     text = (Path(folder) / "run.json").read_bytes()
    >>> msgspec.json.decode(text, type=RunRecord).data.target
    'severity'
    """

    n_evaluations: Count
    interrupted: bool
    seconds: Annotated[float, Meta(ge=0.0)]
    n_models: Count
    hypervolume_above_chance: Annotated[float, Meta(ge=0.0)]  # rounding may lift it above 1
    classes: Labels
    chance: dict[ObjectiveName, Annotated[float, Meta(ge=-MOST_CLASSES, lt=1.0)]]
    columns: list[dict[str, Any]] | None
    front_sha256: Checksum
    folds_sha256: Checksum | None
    models_sha256: Checksum | None = None

    def __post_init__(self) -> None:
        check_different_labels(self.classes)
        if set(self.chance) != set(self.settings.objectives):
            raise ValueError("chance must have the objectives of the settings")
