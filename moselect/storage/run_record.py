"""``run.json`` by its types: all that it may hold, checked whenever it is read."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from moselect.search import MOST_JOBS, MOST_PARTICLES, MOST_RUNS
from moselect.storage.documents import (
    MOST_CLASSES,
    Label,
    Labels,
    Seed,
    check_different_labels,
)

RUN_SCHEMA: Final = 4

Count = Annotated[int, Meta(ge=1, le=2**62)]
ObjectiveName = Literal["accuracy", "one_minus_mae", "vus", "u_cons", "u_ovo", "u_pairs"]
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


class PrepareRecord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of moselect.columns.Preparation."""

    drop: list[str]
    keep: list[str]
    categorical: list[str]
    random_state: Seed | None


class SettingsRecord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of moselect.ParetoSearch."""

    objectives: Annotated[list[ObjectiveName], Meta(min_length=2, max_length=6)]
    thresholds: Literal["exact", "search"]
    algorithm: str
    n_particles: Annotated[int, Meta(ge=1, le=MOST_PARTICLES)]
    n_iterations: Count | None
    n_runs: Annotated[int, Meta(ge=1, le=MOST_RUNS)]
    max_evaluations: Count | None
    max_seconds: Annotated[float, Meta(gt=0.0)] | None
    n_iter_no_change: Count | None
    tol: Annotated[float, Meta(ge=0.0)]
    holdout: Annotated[float, Meta(gt=0.0, lt=1.0)] | None
    cv: Annotated[int, Meta(ge=2)] | None
    sampling: Literal["auto"] | None
    max_models: Count | None
    preferences: dict[str, float] | None
    class_costs: list[float] | None
    loss: Literal["absolute", "squared", "zero_one"]
    cost_matrix: list[list[float]] | None
    priors: list[float] | None
    columns: Literal["features", "splines", "models"]
    prepare: bool | PrepareRecord
    turbulence: Annotated[float, Meta(ge=0.0, le=1.0)]
    velocity_range: tuple[float, float]
    labels: Labels | None
    n_jobs: Annotated[int, Meta(ge=-MOST_JOBS, le=MOST_JOBS)] | None
    random_state: Seed | None


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
