"""``run.json``: the record of a search, from its beginning on.

The search and its data are rebuilt from it, to resume or to repeat a search.
"""

from __future__ import annotations

import platform
import warnings
from collections.abc import Mapping
from fnmatch import fnmatch
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import structs

from moselect.io.atomic import write_file
from moselect.io.documents import Header, decoded
from moselect.search.settings import SearchSettings

if TYPE_CHECKING:  # commands read a record before slow imports
    from moselect._types import Document
    from moselect.datasets import Dataset
    from moselect.datasets.sampling import Sample

RECORD = "run.json"
FIGURES = "figures"  # folder of pictures of the front
FRONTS = Path(FIGURES, "fronts.png")
TRIALS = "trials"  # folder of the trials of models that are tuned
SELECTIONS = "selections"  # folder with a folder for each selection
UNFINISHED = "unfinished"  # folder of the record and states of an unfinished search
# The sample of a large source, with the fingerprint of its data: a selection needs no source.
SAMPLE = "sample-{}.npz"
# Names of files and folders of a run; others in its folder are the user's.
OWN_FILES = (
    RECORD,
    "front.csv",
    "arrays-*.npz",
    SAMPLE.format("*"),
    "columns.csv",
    "evidence",
    FIGURES,
    SELECTIONS,
    TRIALS,
    f"{TRIALS}.*",
    UNFINISHED,
)
RUN_SCHEMA: Final = 6
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

    recorded = structs.asdict(settings)
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
            "n_source_rows": None if data.sample is None else data.sample.n_rows,
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
            UserWarning,
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


def write_sample(folder: Path, data: Dataset) -> None:
    """Write the sample of a data set, if it is one, and remove samples of earlier runs."""
    path = folder / SAMPLE.format(data.fingerprint)
    if data.sample is not None:
        import numpy as np

        from moselect.io.archives import pack

        arrays = data.sample._asdict()
        arrays["content"] = np.frombuffer(data.sample.content, dtype=np.uint8)
        write_file(path, pack(arrays))
    for other in folder.glob(SAMPLE.format("*")):
        if other != path:
            other.unlink()


def read_sample(folder: Path, record: Document) -> Sample | None:
    """Read the sample of a run; None if it has all rows of its source."""
    if record["data"].get("n_source_rows") is None:
        return None
    from moselect.datasets.sampling import Sample
    from moselect.io.archives import unpack

    path = folder / SAMPLE.format(record["data"]["fingerprint"])
    if not path.exists():
        raise ValueError(f"'{path}' is missing: search again")
    arrays = unpack(path.read_bytes(), f"'{path}'")
    return Sample(
        arrays["content"].tobytes(),
        arrays["rows"],
        arrays["weights"],
        int(arrays["n_rows"]),
        int(arrays["n_unlabelled"]),
    )


def load_recorded(
    record: Document, folder: Path, source: str | None, name_it: str
) -> Dataset:
    """Load the data of a search recorded in a folder; ValueError if they changed.

    A ``source`` replaces the recorded one; nothing is downloaded without it. ``name_it``
    is the option or argument for a source, for messages.
    """
    from moselect.datasets import load_dataset
    from moselect.datasets.sources import OPENML

    loaded_by = dict(record["data"]["loaded_by"])
    recorded = loaded_by.get("source")
    if source is not None:
        loaded_by["source"] = source
    elif recorded is None:
        raise ValueError(f"the run does not record the path of its data: {name_it}")
    elif recorded.startswith(OPENML):
        way = name_it.replace("DATA", recorded)
        raise ValueError(f"nothing is fetched from the network unless you name it: {way}")
    try:
        data = load_dataset(**loaded_by, sample=read_sample(folder, record))
    except ValueError as error:
        raise ValueError(
            f"{error}; if the data have moved, name their path: {name_it}"
        ) from error
    # Figures of the front hold for the recorded table only.
    if data.fingerprint != record["data"]["fingerprint"]:
        raise ValueError(
            f"'{data.name}' has changed since the search began: restore the data, or "
            "search again"
        )
    return data
