"""``run.json``: the record of a search, from its beginning on.

Its settings are those of a search that is resumed, and of selections.
"""

from __future__ import annotations

import platform
import warnings
from collections.abc import Mapping
from fnmatch import fnmatch
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from moselect.io.documents import Header, decoded
from moselect.search.settings import SearchSettings

if TYPE_CHECKING:  # commands read a record before slow imports
    from moselect._types import Document
    from moselect.datasets import Dataset

RECORD = "run.json"
FIGURES = "figures"  # folder of pictures of the front
FRONTS = Path(FIGURES, "fronts.png")
TRIALS = "trials"  # folder of the trials of models that are tuned
SELECTIONS = "selections"  # folder with a folder for each selection
UNFINISHED = "unfinished"  # folder of the record and states of an unfinished search
TABLE = "table-{}.npz"  # rows of the search, with the fingerprint of its data
# Names of files and folders of a run; others in its folder are the user's.
OWN_FILES = (
    RECORD,
    "front.csv",
    "arrays-*.npz",
    TABLE.format("*"),
    "columns.csv",
    "evidence",
    FIGURES,
    SELECTIONS,
    TRIALS,
    f"{TRIALS}.*",
    UNFINISHED,
)
RUN_SCHEMA: Final = 8
RECORDED = ("moselect", "numpy", "numba", "scipy", "scikit-learn", "pandas", "moocore")


def describe(
    settings: SearchSettings, data: Dataset, loaded_by: Document | None
) -> Document:
    """Build the record of a search before it begins.

    ``loaded_by`` are the arguments of `load_dataset` for the data; the fingerprint is a hash
    of their names and values. ``docs/schemas`` has the schema of a finished record.
    """
    from moselect.costs.costs import combined_costs, cost_parameters
    from moselect.models.objective_values import as_objective

    recorded = dict(vars(settings))
    costs = combined_costs(recorded.pop("costs"), **cost_parameters(settings))
    recorded |= cost_parameters(costs)
    recorded["objectives"] = [as_objective(each).name for each in settings.objectives]
    if not isinstance(settings.prepare, bool):
        recorded["prepare"] = settings.prepare.get_params()
    return {
        "schema": RUN_SCHEMA,
        "data": {
            "name": data.name,
            "loaded_by": dict(loaded_by or {}),
            "target": data.target,
            "fingerprint": data.fingerprint,
            "n_samples": len(data.X),
            "n_source_rows": data.n_source_rows,
            "n_features": data.X.shape[1],
            "bin_edges": data.y.attrs.get("bin_edges"),
        },
        "settings": recorded,
        "versions": recorded_versions(),
        "machine": f"{platform.machine()} {platform.system()}",
    }


def recorded_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that affect results."""
    return {"python": platform.python_version()} | {
        name: version(name) for name in RECORDED
    }


def warn_of_versions(record: Document) -> None:
    """Warn if a search is resumed with other versions of packages, which may round otherwise."""
    now = recorded_versions()
    changed = [name for name, one in record["versions"].items() if now.get(name) != one]
    if changed:
        warnings.warn(
            f"the search began with another version of {', '.join(changed)}: "
            "its front may differ from a search in one go",
            stacklevel=2,
        )


def is_part_of_run(path: Path, folder: Path) -> bool:
    """Return whether a path is one of the files that commands write into a run folder."""
    path = path.resolve()
    folder = folder.resolve()
    if folder not in path.parents:
        return False
    name = path.relative_to(folder).parts[0]
    return any(fnmatch(name, pattern) for pattern in OWN_FILES)


def read_record(folder: Path) -> Document:
    """Read the record of a finished search; errors as in `read_run`."""
    if not (folder / RECORD).is_file() and (folder / UNFINISHED / RECORD).is_file():
        raise ValueError(
            f"the search in '{folder}' has not ended: resume it (resume={folder})"
        )
    return _read(folder / RECORD)


def read_unfinished(folder: Path) -> Document | None:
    """Read the start record of the search in a run folder; None if it has ended."""
    begun = folder / UNFINISHED
    if (begun / RECORD).is_file():
        return _read(begun / RECORD)
    if not (folder / RECORD).is_file():
        raise ValueError(f"there is no search in '{folder}' to resume: start a new one")
    return None


def _read(path: Path) -> Document:
    try:
        content = path.read_bytes()
    except OSError:
        raise ValueError(
            f"'{path.parent}' is not a run folder: there is no {path.name} in it"
        ) from None
    again = "search again, with the data, settings and seed that stand in it"
    return decoded(content, dict, Header(schema=RUN_SCHEMA), f"'{path}'", again)


def settings_of(record: Document, **changes: object) -> SearchSettings:
    """Build the settings of a recorded search, with changes.

    Examples
    --------
    >>> settings_of({"settings": {"n_particles": 5}}, n_iterations=2).n_particles
    5
    """
    from moselect.preprocessing import Preparation

    settings = record["settings"] | changes
    if isinstance(settings.get("prepare"), Mapping):
        settings["prepare"] = Preparation(**settings["prepare"])
    return SearchSettings(**settings)
