"""The settings of a search: checked once, and those of publications."""

from __future__ import annotations

import hashlib
import json
import math
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, Self, get_args

import numpy as np

from moselect.metrics import Objectives
from moselect.samples import Samples

Thresholds = Literal["exact", "search"]
Sampling = Literal["auto"]
DEFAULT_ITERATIONS = 120
NO_LIMIT = 2**62  # evaluations, where only time limits a search
MOST_PARTICLES = 1_000_000
MOST_RUNS = 100_000
MOST_JOBS = 10_000
ALGORITHMS = ("mopso", "nsga2", "nsga3", "agemoea", "agemoea2", "cmopso", "mopso_cd")

PRESETS: dict[str, dict[str, Any]] = {
    # 20 runs, 500 particles, and their first positions moved 100 times (section 4.2)
    "waegeman2008": {
        "thresholds": "search",
        "n_particles": 500,
        "n_iterations": 101,
        "n_runs": 20,
        "turbulence": 0.0,
        "max_models": None,
    },
}


def preset_settings(name: str) -> dict[str, Any]:
    """Return the settings of a publication.

    Examples
    --------
    >>> preset_settings("waegeman2008")["n_particles"]
    500
    """
    if name not in PRESETS:
        raise ValueError(f"unknown preset {name!r}: choose from {', '.join(PRESETS)}")
    return dict(PRESETS[name])


@dataclass(frozen=True)
class SearchSettings:
    """The settings of a search, as `ParetoSearch` describes them.

    Raises
    ------
    TypeError, ValueError
        If a setting is of the wrong kind or out of range.

    Examples
    --------
    >>> SearchSettings(n_particles=10, n_iterations=5, n_runs=2).budget
    100
    """

    objectives: Objectives = field(default_factory=Objectives)
    thresholds: Thresholds = "exact"
    algorithm: str = "mopso"
    n_particles: int = 100
    n_iterations: int | None = None
    n_runs: int = 1
    max_evaluations: int | None = None
    max_seconds: float | None = None
    n_iter_no_change: int | None = None
    tol: float = 1e-3
    holdout: float | None = None
    cv: int | None = 5
    sampling: Sampling | None = "auto"
    max_models: int | None = 1_000
    turbulence: float = 0.1
    velocity_range: tuple[float, float] = (-1.0, 1.0)
    n_jobs: int | None = None
    random_state: int | None = None

    def __post_init__(self) -> None:
        _check_choice("thresholds", self.thresholds, get_args(Thresholds))
        _check_choice("algorithm", self.algorithm, ALGORITHMS)
        for name, most in (("n_particles", MOST_PARTICLES), ("n_runs", MOST_RUNS)):
            _check_whole(name, getattr(self, name), most)
        if self.sampling is not None:
            _check_choice("sampling", self.sampling, get_args(Sampling))
        for name in ("n_iterations", "max_evaluations", "n_iter_no_change", "max_models"):
            if getattr(self, name) is not None:
                _check_whole(name, getattr(self, name))
        seed: Any = self.random_state
        if isinstance(seed, np.random.RandomState):
            raise TypeError("random_state is a RandomState: give a whole number or a Generator")
        if isinstance(seed, numbers.Integral) and seed < 0:
            raise ValueError(f"random_state is {seed}: give a whole number of at least 0, or None")
        if self.max_seconds is not None and not 0.0 < self.max_seconds < math.inf:
            raise ValueError(
                f"max_seconds is {self.max_seconds}: give a number above 0, or None for no limit"
            )
        if self.n_jobs is not None and not (
            _is_whole(self.n_jobs) and 1 <= abs(self.n_jobs) <= MOST_JOBS
        ):
            raise ValueError(
                f"n_jobs is {self.n_jobs!r}: give a number of threads, at most {MOST_JOBS:,}, or "
                "-1 for all processors"
            )
        if not self.tol >= 0.0:
            raise ValueError(f"tol is {self.tol}: give a share of at least 0")
        if self.holdout is not None and not 0.0 < self.holdout < 1.0:
            raise ValueError(f"holdout is {self.holdout}: give a share between 0 and 1")
        if self.cv is not None and (not _is_whole(self.cv) or self.cv < 2):
            raise ValueError(f"cv is {self.cv!r}: give a number of folds of at least 2, or None")
        if not 0.0 <= self.turbulence <= 1.0:
            raise ValueError(f"turbulence is {self.turbulence}: give a share between 0 and 1")
        if np.shape(self.velocity_range) != (2,) or not np.diff(self.velocity_range) > 0.0:
            raise ValueError(f"velocity_range is {self.velocity_range}: give (low, high)")

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Self:
        """Check the parameters of a `ParetoSearch`; those that are no settings are left out."""
        own = {one.name: parameters[one.name] for one in fields(cls)}
        return cls(**own | {"objectives": Objectives(own["objectives"])})

    @property
    def samples_first(self) -> bool:
        """Whether many rows are searched by way of samples: only our swarm of directions can."""
        return (
            self.sampling is not None and self.algorithm == "mopso" and self.thresholds == "exact"
        )

    @property
    def budget(self) -> int:
        """Evaluations that all runs together may do.

        A limit of evaluations or of time takes the place of the default number of iterations.
        """
        limited = self.max_evaluations is not None or self.max_seconds is not None
        iterations = self.n_iterations or (None if limited else DEFAULT_ITERATIONS)
        total = NO_LIMIT if iterations is None else self.n_particles * iterations * self.n_runs
        return min(self.max_evaluations or NO_LIMIT, total)

    def evaluations_of_runs(self) -> list[int]:
        """Share out the budget evenly among the runs."""
        share, rest = divmod(self.budget, self.n_runs)
        return [share + (run < rest) for run in range(self.n_runs)]

    def seconds_of_a_run(self, runs_at_a_time: int) -> float:
        """Share out the time among the runs that go one after the other."""
        if self.max_seconds is None:
            return math.inf
        return self.max_seconds / math.ceil(self.n_runs / runs_at_a_time)

    def identity(self, data: Samples) -> str:
        """Return what tells a search from others: its data and all settings that count."""
        counting = asdict(self) | {"n_jobs": None}
        content = json.dumps([counting, data.digest], default=str)
        return hashlib.sha256(content.encode()).hexdigest()


def _check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise ValueError(f"unknown {name} {value!r}: choose from {', '.join(choices)}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _check_whole(name: str, value: Any, most: int = NO_LIMIT) -> None:
    if not _is_whole(value) or not 1 <= value <= most:
        above = "" if most == NO_LIMIT else f" and at most {most:,}"
        raise ValueError(f"{name} is {value!r}: give a whole number of at least 1{above}")
