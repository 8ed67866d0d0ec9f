"""Settings of a search, their recorded form, and their ranges."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from numbers import Number
from typing import Annotated, Any, Literal, get_type_hints

import msgspec
from msgspec import Meta

from moselect.listing import in_one_line, short
from moselect.metrics.objectives import OBJECTIVES, check_objectives

DEFAULT_ITERATIONS = 120

PRESETS: dict[str, dict[str, Any]] = {
    # Section 4.2: 20 runs of 500 particles, with 100 moves after the initial positions.
    "waegeman2008": {
        "thresholds": "search",
        "n_particles": 500,
        "n_iterations": 101,
        "n_runs": 20,
        "max_models": None,
    },
}


Count = Annotated[int, Meta(ge=1, le=2**62)]
Columns = Literal["features", "splines", "models"]


@dataclass(eq=False)
class SearchSettings:
    """Settings of a search: parameters of `ParetoSearch`, which inherits them.

    In files, missing settings have their defaults, and removed settings are ignored.

    Examples
    --------
    >>> SearchSettings(n_particles=10).n_runs
    1
    """

    objectives: Sequence[Any] = OBJECTIVES
    _: KW_ONLY
    thresholds: Literal["exact", "search"] = "exact"
    n_particles: Annotated[int, Meta(ge=1, le=1_000_000)] = 100
    n_iterations: Count | None = None
    n_runs: Annotated[int, Meta(ge=1, le=100_000)] = 1
    max_evaluations: Count | None = None
    max_seconds: Annotated[float, Meta(gt=0.0, le=1e9)] | None = None
    holdout: Annotated[float, Meta(ge=0.0, lt=1.0)] | None = None
    cv: Any = 5  # a number of folds, a splitter, (train, test) rows, or None
    sampling: Literal["auto"] | None = "auto"
    max_models: Count | None = 1_000
    # Costs and preferences as in a selection, for the objectives of the search.
    preferences: Mapping[str, float] | None = None
    class_costs: object = None
    loss: Literal["absolute", "squared", "zero_one"] = "absolute"
    cost_matrix: object = None
    priors: object = None
    costs: object = None
    model: str = "cheapest"
    columns: Any = "features"  # a name, or a transformer
    prepare: Any = True  # or a Preparation
    velocity_range: tuple[
        Annotated[float, Meta(le=0.0)], Annotated[float, Meta(ge=0.0)]
    ] = (-1.0, 1.0)
    labels: Sequence[object] | None = None
    monotone: dict[str, Literal[-1, 1]] | None = None
    n_jobs: Annotated[int, Meta(ge=-10_000, le=10_000)] | None = None
    random_state: Annotated[int, Meta(ge=0)] | None = None


# Ranges of the recorded types, for messages; other settings are checked where they are
# used.
RANGES = {
    "thresholds": "'exact' or 'search'",
    "n_particles": "an integer of at least 1 and at most 1,000,000",
    "n_iterations": "an integer of at least 1",
    "n_runs": "an integer of at least 1 and at most 100,000",
    "max_evaluations": "an integer of at least 1",
    "max_seconds": "a number above 0, or None for no limit",
    "holdout": "a share of at least 0 and below 1, or None",
    "cv": "a number of folds of at least 2, a splitter, (train, test) rows, or None",
    "sampling": "'auto' or None",
    "max_models": "an integer of at least 1",
    "velocity_range": "(low, high) with 0 between them",
    "monotone": "1 or -1 by column, such as {'age': 1, 'income': -1}, or None",
    "n_jobs": "a number of threads, at most 10,000, or -1 for all processors",
    "random_state": "an integer of at least 0, or None",
}


def preset_settings(name: str) -> dict[str, Any]:
    """Return the settings of a publication."""
    if name not in PRESETS:
        raise ValueError(f"unknown preset {name!r}: choose from {', '.join(PRESETS)}")
    return dict(PRESETS[name])


def checked_settings(settings: SearchSettings) -> SearchSettings:
    """Validate the settings of a search, and draw its seed if there is none.

    ValueError if a setting is out of range.
    """
    from moselect.models.objective_values import as_objective  # slow to import

    values: dict[str, Any] = {}
    types = get_type_hints(SearchSettings, include_extras=True)
    types["cv"] = Annotated[int, Meta(ge=2)] | None
    for name, words in RANGES.items():
        value = getattr(settings, name)
        is_iterable = isinstance(value, Iterable) and not isinstance(value, str)
        if name == "cv" and (is_iterable or hasattr(value, "get_n_splits")):
            continue  # (train, test) rows or a splitter
        if isinstance(value, Number) and hasattr(value, "item"):
            value = value.item()  # NumPy scalar
        try:
            values[name] = msgspec.convert(value, types[name])
        except msgspec.ValidationError:
            shown = short(in_one_line(repr(value)))
            raise ValueError(f"{name} is {shown}: give {words}") from None
    objectives = settings.objectives
    if isinstance(
        objectives, list | tuple
    ):  # an unknown name is named before their number
        for objective in objectives:
            as_objective(objective)
    values["objectives"] = check_objectives(objectives)
    if values["random_state"] is None:
        values["random_state"] = secrets.randbits(32)
    return replace(settings, **values)
