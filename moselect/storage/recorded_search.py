"""A search as it was recorded: its settings and its data, to go on with it or to repeat it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from moselect.columns import Preparation
from moselect.datasets import Dataset, load_dataset
from moselect.datasets.sources import OPENML
from moselect.search import ParetoSearch
from moselect.search.settings import SETTINGS
from moselect.storage.run_record import recorded_versions


def search_of(record: Mapping[str, Any], **changes: Any) -> ParetoSearch:
    """Return the search with the settings of a record, but for ``changes``.

    Examples
    --------
    >>> settings = {"n_particles": 5, "random_state": 1, "prepare": True}
    >>> search_of({"settings": settings}, n_iterations=2).get_params()["n_particles"]
    5
    """
    recorded = record["settings"]
    settings = {name: recorded[name] for name in SETTINGS if name in recorded} | changes
    if isinstance(settings.get("prepare"), Mapping):
        settings["prepare"] = Preparation(**settings["prepare"])
    return ParetoSearch(**settings)


def load_recorded(record: Mapping[str, Any], source: str | None, name_it: str) -> Dataset:
    """Load the data of a search that was recorded, from ``source`` if they have moved.

    Nothing is fetched over the network unless ``source`` says so. ``name_it`` is how a user names
    a source, such as ``--data DATA``.

    Raises
    ------
    ValueError
        If they cannot be had, or are not the data of that search.
    """
    loaded_by = dict(record["data"]["loaded_by"])
    recorded = loaded_by.get("source")
    if source is not None:
        loaded_by["source"] = source
    elif recorded is None:
        raise ValueError(f"the run does not say where its data are: say where, {name_it}")
    elif recorded.startswith(OPENML):
        way = name_it.replace("DATA", recorded)
        raise ValueError(f"nothing is fetched from the network unless you name it: {way}")
    try:
        data = load_dataset(**loaded_by)
    except ValueError as error:
        raise ValueError(f"{error}; if the data have moved, say where: {name_it}") from error
    if data.fingerprint != record["data"]["fingerprint"]:
        raise ValueError(
            f"'{data.name}' has changed since the search began: give the data as they were, or "
            "search anew"
        )
    return data


def warn_of_versions(record: Mapping[str, Any]) -> None:
    """Warn if a search goes on with other versions than it began with: they may round otherwise."""
    now = recorded_versions()
    changed = [name for name, version in record["versions"].items() if now.get(name) != version]
    if changed:
        warnings.warn(
            f"the search began with another version of {', '.join(changed)}: "
            "its front may differ from that of a search in one go",
            UserWarning,
            stacklevel=2,
        )
