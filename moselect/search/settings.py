"""The settings of a search: what they must be, and those of publications."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from moselect.search.objectives import objective_columns

ALGORITHMS = ("mopso", "nsga2", "nsga3", "agemoea", "agemoea2", "cmopso", "mopso_cd")

PRESETS: dict[str, dict[str, Any]] = {
    # 20 runs, 500 particles, and their first positions moved 100 times (section 4.2)
    "waegeman2008": {
        "thresholds": "search",
        "n_particles": 500,
        "n_iterations": 101,
        "n_runs": 20,
        "turbulence": 0.0,
    },
}


def preset_settings(name: str) -> dict[str, Any]:
    """Give the settings of a publication."""
    if name not in PRESETS:
        raise ValueError(f"unknown preset {name!r}: choose from {', '.join(PRESETS)}")
    return dict(PRESETS[name])


def check_settings(settings: Mapping[str, Any]) -> NDArray[np.int64]:
    """Give the places of the objectives, or say which setting of a search is wrong."""
    columns = objective_columns(settings["objectives"])
    if settings["algorithm"] not in ALGORITHMS:
        raise ValueError(
            f"unknown algorithm {settings['algorithm']!r}: choose from {', '.join(ALGORITHMS)}"
        )
    may_be_none = ("max_evaluations", "n_iter_no_change")
    for setting in ("n_particles", "n_iterations", "n_runs", *may_be_none):
        value = settings[setting]
        if value is None and setting in may_be_none:
            continue
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            raise ValueError(f"{setting} is {value!r}: give a whole number of at least 1")
    if settings["max_seconds"] is not None and not settings["max_seconds"] > 0.0:
        raise ValueError(f"max_seconds is {settings['max_seconds']}: give a number above 0")
    if settings["n_jobs"] == 0:
        raise ValueError("n_jobs is 0: give a number of threads, or -1 for all processors")
    if not settings["tol"] >= 0.0:
        raise ValueError(f"tol is {settings['tol']}: give a share of at least 0")
    if settings["holdout"] is not None and not 0.0 < settings["holdout"] < 1.0:
        raise ValueError(f"holdout is {settings['holdout']}: give a share between 0 and 1")
    if not 0.0 <= settings["turbulence"] <= 1.0:
        raise ValueError(f"turbulence is {settings['turbulence']}: give a share between 0 and 1")
    if (
        np.shape(settings["velocity_range"]) != (2,)
        or not np.diff(settings["velocity_range"]) > 0.0
    ):
        raise ValueError(f"velocity_range is {settings['velocity_range']}: give (low, high)")
    return columns
