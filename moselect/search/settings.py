"""The settings of a search, each declared once.

Signature and docstring of `ParetoSearch`, the options of ``moselect search``, and the
record and schema of ``run.json`` are made from this declaration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from moselect.metrics.objectives import DECLARED, OBJECTIVES, check_objectives
from moselect.search.setting import Option, PreparationRecord, Setting, setting

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from moselect.columns import ColumnKind, Preparation
    from moselect.decision import Loss

DEFAULT_ITERATIONS = 120

PRESETS: dict[str, dict[str, Any]] = {
    # 20 runs, 500 particles, and their first positions moved 100 times (section 4.2)
    "waegeman2008": {
        "thresholds": "search",
        "n_particles": 500,
        "n_iterations": 101,
        "n_runs": 20,
        "max_models": None,
    },
}


Count = Annotated[int, Meta(ge=1, le=2**62)]
COUNT = "a whole number of at least 1"
Columns = Literal["features", "splines", "models"]
Labels = Annotated[list[bool | int | float | str], Meta(min_length=2)]


@dataclass(frozen=True, eq=False, repr=False)
class SearchSettings:
    """The settings of a search, as `ParetoSearch` describes them.

    Examples
    --------
    >>> SearchSettings(n_particles=10).n_runs
    1
    """

    objectives: Sequence[Any] = setting(
        OBJECTIVES,
        "sequence",
        f"At least two of {', '.join(f'``{name!r}``' for name in DECLARED)}; names of scorers; "
        "functions of the confusion matrix, of (y_true, y_pred) or of (y_true, y_score); "
        "`moselect.metrics.Objective`. All are maximised, and 1 is perfect. ``'cost'`` is 1 - the "
        "mean cost by ``class_costs`` or ``cost_matrix``.",
        Annotated[list[str], Meta(min_length=2)],
        option=Option(
            "objectives",
            str,
            f"Some of {', '.join(DECLARED)}, with commas between them; the measures of Waegeman et "
            "al. (2008) by default.",
        ),
    )
    _: KW_ONLY
    thresholds: Literal["exact", "search"] = setting(
        "exact",
        '{"exact", "search"}',
        "``'exact'`` searches directions and solves for the thresholds of each; ``'search'`` moves "
        "weights and thresholds together, as Waegeman et al. (2008) do.",
        Literal["exact", "search"],
        "'exact' or 'search'",
    )
    n_particles: int = setting(
        100,
        "int",
        "Size of the swarm.",
        Annotated[int, Meta(ge=1, le=1_000_000)],
        "a whole number of at least 1 and at most 1,000,000",
        Option("particles", int, "Particles of a swarm.", 1),
    )
    n_iterations: int | None = setting(
        None,
        "int",
        "Iterations of a run; each evaluates every particle once. By default "
        f"{DEFAULT_ITERATIONS}, or as many as ``max_evaluations`` and ``max_seconds`` allow.",
        Count | None,
        COUNT,
    )
    n_runs: int = setting(
        1,
        "int",
        "Independent runs, whose fronts are merged.",
        Annotated[int, Meta(ge=1, le=100_000)],
        "a whole number of at least 1 and at most 100,000",
        Option("runs", int, "Independent runs, merged.", 1),
    )
    max_evaluations: int | None = setting(
        None,
        "int",
        "Most evaluations of all runs together.",
        Count | None,
        COUNT,
        Option(
            "evaluations",
            int,
            f"Evaluations of all runs together, at most; by default {DEFAULT_ITERATIONS} of each "
            "particle of each run.",
            1,
        ),
    )
    max_seconds: float | None = setting(
        None,
        "float",
        "Most time for all runs together, shared out among those that go one after the other. A "
        "run ends with the iteration in which its share is used up. Fronts of folds (``cv``) come "
        "on top of both limits.",
        Annotated[float, Meta(gt=0.0, le=1e9)] | None,
        "a number above 0, or None for no limit",
        Option("seconds", float, "Time for all runs together, at most."),
    )
    holdout: float | None = setting(
        None,
        "float",
        "Share of the samples, stratified by class, that the search does not see and on which the "
        "front is measured as well.",
        Annotated[float, Meta(gt=0.0, lt=1.0)] | None,
        "a share between 0 and 1",
        Option(
            "holdout",
            float,
            "Share of the rows kept from the search, to measure the front on.",
        ),
    )
    cv: Any = setting(
        5,
        "int, splitter or None",
        "Number of folds in which the search is repeated with a small budget, to estimate what to "
        "expect on new data (`Front.expected`); fewer if a class has fewer samples. Or a splitter "
        "of scikit-learn whose folds are a partition, or go forward as those of `TimeSeriesSplit` "
        "do. With None nothing is estimated, and `select` does without the front's directions.",
        Annotated[int, Meta(ge=2)] | None,
        "a number of folds of at least 2, a splitter, or None",
        Option(
            "folds",
            int,
            "Folds in which the search is repeated to estimate figures for new data; 5 by "
            "default, 0 for none.",
            0,
        ),
    )
    sampling: Literal["auto"] | None = setting(
        "auto",
        '{"auto"} or None',
        "With ``'auto'`` the search of a table of more than a few thousand rows begins on "
        "stratified samples and ends on all rows; all figures of the front are exact on all rows. "
        "With None it is on all rows throughout.",
        Literal["auto"] | None,
        "'auto' or None",
    )
    max_models: int | None = setting(
        1_000,
        "int or None",
        "Most models of the front, well spread; None keeps all that were found.",
        Count | None,
        COUNT,
    )
    preferences: Mapping[str, float] | None = setting(
        None,
        "mapping of str to float",
        "Objective weights for which to predict, as in `select`.",
        dict[str, float] | None,
    )
    class_costs: ArrayLike | None = setting(
        None,
        "array-like of shape (r,)",
        "Costs for which to predict instead, as in `select`, and of the objective ``'cost'``.",
        list[float] | None,
        option=Option(
            "class_costs", str, "What a mistake costs on a row of each class: 1,1,5"
        ),
    )
    loss: Loss = setting(
        "absolute",
        '{"absolute", "squared", "zero_one"}',
        "How ``class_costs`` grow with the distance between the classes.",
        Literal["absolute", "squared", "zero_one"],
    )
    cost_matrix: ArrayLike | None = setting(
        None,
        "array-like of shape (r, r)",
        "All costs, instead of ``class_costs``.",
        list[list[float]] | None,
    )
    priors: ArrayLike | None = setting(
        None,
        "array-like of shape (r,)",
        "Shares of the classes in use, if they differ from those in the data.",
        list[float] | None,
    )
    kind: str | None = setting(
        None,
        "str",
        "The kind of model by which to predict, as in `select`.",
        Literal["points", "linear", "curves", "pool", "cheapest", "simple"] | None,
        "one of 'points', 'linear', 'curves', 'pool', 'cheapest' and 'simple', or None",
    )
    columns: ColumnKind | Any = setting(
        "features",
        '{"features", "splines", "models"} or transformer',
        "The columns that the models weigh: the features; spline bases and products of them "
        "(`moselect.models.SplineColumns`); the out-of-fold scores of several models "
        "(`moselect.columns.ModelColumns`); or those of one's own transformer.",
        Columns,
        option=Option(
            "columns",
            Columns,
            "What models weigh: the features, curves of them, or the scores of other models.",
        ),
    )
    prepare: bool | Preparation = setting(
        True,
        "bool or Preparation",
        "Whether categories, dates and missing values of a DataFrame are turned into numbers "
        "first, and how (`moselect.columns.Preparation`). A table of finite numbers stays as it "
        "is.",
        bool | PreparationRecord,
    )
    velocity_range: tuple[float, float] = setting(
        (-1.0, 1.0),
        "tuple of float",
        "Truncation of velocities, with ``thresholds='search'``; (0, 1) is what the paper prints.",
        tuple[Annotated[float, Meta(le=0.0)], Annotated[float, Meta(ge=0.0)]],
        "(low, high) with 0 between them",
    )
    labels: Sequence[Any] | None = setting(
        None,
        "sequence",
        "Class labels, lowest first. Strings need it unless they are an ordered Categorical.",
        Labels | None,
    )
    n_jobs: int | None = setting(
        None,
        "int",
        "Runs at a time: threads, or what `joblib.parallel_config` says (``backend='dask'`` "
        "spreads them over a cluster). Threads that are left over share the evaluations of a run. "
        "Folds are searched beside it, unless the number is 1. "
        "The front is the same for any number.",
        Annotated[int, Meta(ge=-10_000, le=10_000)] | None,
        "a number of threads, at most 10,000, or -1 for all processors",
        Option("jobs", int, "Threads to search with."),
    )
    random_state: int | None = setting(
        None,
        "int",
        "Seed; the same seed gives the same front, bit for bit.",
        Annotated[int, Meta(ge=0)] | None,
        "a whole number of at least 0, or None",
        Option("seed", int, "Same seed, same front; random by default.", 0),
    )


SETTINGS: dict[str, Setting] = {
    field.name: field.metadata["setting"] for field in fields(SearchSettings)
}


def preset_settings(name: str) -> dict[str, Any]:
    """Return the settings of a publication."""
    if name not in PRESETS:
        raise ValueError(f"unknown preset {name!r}: choose from {', '.join(PRESETS)}")
    return dict(PRESETS[name])


def checked_settings(settings: SearchSettings, **changes: Any) -> SearchSettings:
    """Return settings, with changes, once their ranges are checked."""
    from moselect.models.objective_values import as_objective  # slow to import

    values = {name: getattr(settings, name) for name in SETTINGS} | changes
    for name, about in SETTINGS.items():
        is_splitter = name == "cv" and hasattr(values[name], "get_n_splits")
        if about.range is not None and not is_splitter:
            values[name] = about.checked(name, values[name])
    values["objectives"] = tuple(
        map(as_objective, check_objectives(values["objectives"]))
    )
    return SearchSettings(**values)
