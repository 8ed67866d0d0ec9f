"""Base models of the stacking ensemble, by name or as estimators."""

from collections.abc import Callable, Mapping
from typing import Any

from sklearn.base import is_regressor

from moselect._types import Estimator
from moselect.models.additive_odds import AdditiveOdds
from moselect.models.ensemble.boosting import (
    BoostedClasses,
    CumulativeBoosting,
    HistogramRanks,
)
from moselect.models.ensemble.cumulative_trees import BoostedRanks, OrdinalExtraTrees
from moselect.models.ensemble.gaussian_process import GaussianProcessRanks
from moselect.models.proportional_odds import ProportionalOdds
from moselect.samples.training import seeded

BASE_MODELS: dict[str, Callable[[], Estimator]] = {
    "proportional_odds": lambda: ProportionalOdds(alpha="cv"),
    "splines": AdditiveOdds,
    "boosting": BoostedRanks,
    "gaussian_process": GaussianProcessRanks,
    "extra_trees": OrdinalExtraTrees,
    "cumulative_boosting": CumulativeBoosting,
    "histograms": BoostedClasses,
    "histograms_of_ranks": HistogramRanks,
}
OF_FEW_ROWS = (
    "proportional_odds",
    "splines",
    "boosting",
    "gaussian_process",
    "extra_trees",
)
# Joins where a trial gives it weight; see `try_members`.
ON_TRIAL = ("cumulative_boosting",)
OF_CATEGORIES = ("histograms", "histograms_of_ranks")
OF_MANY_ROWS = ("proportional_odds", "splines", *OF_CATEGORIES)
FEW_ROWS = 5_000  # above, the Gaussian process and each extra tree use a subsample


def base_models(
    models: Any, seed: int, n_rows: int, *, has_categories: bool = False
) -> dict[str, Estimator]:
    """Return new estimators by name, with a seed where ``random_state`` is None.

    ``models`` are as in `OrdinalStacking`; the default depends on the number of rows and on
    categories. The seed of a model depends on the given seed and its index.

    Raises ValueError if there is no model, or a name is unknown or comes twice; TypeError
    if a model is neither a regressor nor a classifier with probabilities.
    """
    if models is None:
        few = OF_FEW_ROWS + OF_CATEGORIES * has_categories
        models = few if n_rows <= FEW_ROWS else OF_MANY_ROWS
    entries = models.items() if isinstance(models, Mapping) else map(_named, models)
    named: dict[str, Estimator] = {}
    for index, (name, model) in enumerate(entries):
        if isinstance(model, str):
            if model not in BASE_MODELS:
                raise ValueError(
                    f"unknown model {model!r}: choose from {', '.join(BASE_MODELS)}"
                )
            model = BASE_MODELS[model]()
        if name in named:
            raise ValueError(
                f"there are two models called {name!r}: give pairs (name, model)"
            )
        named[name] = seeded(model, [seed, index])
        if not (is_regressor(model) or hasattr(model, "predict_proba")):
            raise TypeError(
                f"model {name!r} is {model!r}: it must be a regressor or have predict_proba"
            )
    if not named:
        raise ValueError(f"there are no models: give some of {', '.join(BASE_MODELS)}")
    return named


def _named(entry: Any) -> tuple[str, Any]:
    """Return the name of a model, its own or that of its class, and the model."""
    if isinstance(entry, tuple):
        return entry
    return (entry if isinstance(entry, str) else type(entry).__name__.lower()), entry
