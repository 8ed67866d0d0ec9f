"""Search spaces: an estimator, and the distributions of its hyper-parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scipy.stats import loguniform, randint, uniform
from sklearn.base import clone

from moselect.selection.known_models import KNOWN_MODELS, describe

if TYPE_CHECKING:  # an extra
    from optuna.distributions import BaseDistribution

# Quantiles of a distribution that is not bounded end short of 0 and 1.
CLIP_QUANTILE = 1e-6

# Ranges for tables of some hundred to some ten thousand rows: around the settings that the
# models come with, on either side about as far as the literature on tuning them goes
# (Probst, Boulesteix & Bischl 2019, Journal of Machine Learning Research 20(53):1-32).
_BOOSTING = {"learning_rate": loguniform(0.01, 0.2)}
_SAMPLING = {"subsample": uniform(0.5, 0.5), "colsample_bytree": uniform(0.3, 0.7)}
KNOWN_SPACES: dict[str, dict[str, Any]] = {
    "lightgbm": {
        **_BOOSTING,
        **_SAMPLING,
        "n_estimators": randint(50, 401),
        "num_leaves": randint(3, 32),
        "min_child_samples": randint(5, 61),
        "reg_lambda": loguniform(0.01, 100.0),
        "subsample_freq": [1],
    },
    "catboost": {
        **_BOOSTING,
        "iterations": randint(50, 401),
        "depth": randint(2, 8),
        "l2_leaf_reg": loguniform(1.0, 100.0),
    },
    "xgboost": {
        **_BOOSTING,
        **_SAMPLING,
        "n_estimators": randint(50, 401),
        "max_depth": randint(2, 7),
        "min_child_weight": loguniform(0.5, 30.0),
        "reg_lambda": loguniform(0.01, 100.0),
    },
    "gradient_boosting": {
        **_BOOSTING,
        "max_iter": randint(50, 401),
        "max_leaf_nodes": randint(3, 32),
        "min_samples_leaf": randint(5, 61),
        "l2_regularization": loguniform(0.01, 100.0),
        "max_features": uniform(0.3, 0.7),
    },
    "random_forest": {
        "min_samples_leaf": randint(1, 21),
        "max_features": uniform(0.1, 0.9),
        "max_samples": uniform(0.4, 0.6),
    },
    "ensemble": {
        "models": [
            ["proportional_odds", "splines"],
            ["splines", "boosting"],
            ["boosting", "extra_trees"],
            ["splines", "boosting", "extra_trees"],
            ["splines", "gaussian_process", "cumulative_boosting"],
            ["proportional_odds", "splines", "histograms", "histograms_of_ranks"],
        ]
    },
    "additive": {"n_products": randint(0, 41)},
    "proportional_odds": {"alpha": loguniform(0.01, 1000.0)},
    "multinomial": {"logisticregression__C": loguniform(1e-4, 100.0)},
    "scorecard": {"n_conditions": randint(2, 21), "points": randint(2, 11)},
}
for _name in ("lightgbm", "catboost", "xgboost"):
    KNOWN_SPACES[f"{_name}_cumulative"] = {
        f"estimator__{parameter}": values
        for parameter, values in KNOWN_SPACES[_name].items()
    }


@dataclass(frozen=True, eq=False)
class Space:
    """Search space of one estimator.

    Attributes
    ----------
    name : str
        Name of the estimator.
    estimator : estimator
        With the settings that it comes with.
    distributions : mapping of str to distribution
        Optuna's distribution of each hyper-parameter.
    values : mapping of str to (list, scipy distribution or None)
        List or scipy distribution that the space was given as. Optuna samples the index
        into the list, or the quantile of the distribution.
    """

    name: str
    estimator: Any
    distributions: Mapping[str, BaseDistribution]
    values: Mapping[str, Any]

    @classmethod
    def of(cls, name: str, estimator: Any, space: Mapping[str, Any]) -> Space:
        """Convert lists and distributions of scipy or Optuna; ValueError in one line."""
        if not isinstance(space, Mapping) or not space:
            raise ValueError(
                f"the space of {name!r} is empty: name hyper-parameters with their values"
            )
        optuna = optuna_module().distributions
        distributions: dict[str, BaseDistribution] = {}
        values = dict.fromkeys(space)
        for parameter, given in space.items():
            if parameter not in estimator.get_params():
                raise ValueError(f"{name!r} has no hyper-parameter {parameter!r}")
            if isinstance(given, optuna.BaseDistribution):
                distributions[parameter] = given
                continue
            values[parameter] = given
            if hasattr(given, "ppf"):
                ends = CLIP_QUANTILE, 1.0 - CLIP_QUANTILE
                distributions[parameter] = optuna.FloatDistribution(*ends)
            elif isinstance(given, Sequence) and not isinstance(given, str) and given:
                distributions[parameter] = optuna.CategoricalDistribution(
                    range(len(given))
                )
            else:
                raise ValueError(
                    f"the space of {parameter!r} of {name!r} is {given!r}: give a list of "
                    "values, or a distribution of scipy.stats or optuna.distributions"
                )
        return cls(name, estimator, distributions, values)

    def settings(self, sampled: Mapping[str, float]) -> dict[str, Any]:
        """Return the hyper-parameters of sampled numbers, in Optuna's internal form."""
        settings = {}
        for parameter, number in sampled.items():
            given = self.values[parameter]
            value = self.distributions[parameter].to_external_repr(number)
            if hasattr(given, "ppf"):
                value = given.ppf(value).item()
                if hasattr(given.dist, "pmf"):
                    value = int(value)
            elif given is not None:
                value = given[value]
            settings[parameter] = value
        return settings

    def with_settings(self, settings: Mapping[str, Any]) -> Any:
        """Return an unfitted estimator with these hyper-parameters."""
        return clone(self.estimator).set_params(**settings)


def spaces_of(estimators: Any, classes: Any) -> list[Space]:
    """Return the search spaces of known models by name, or of {name: (estimator, space)}.

    Raises
    ------
    ValueError
        If a model is unknown, or its space is empty.
    TypeError
        If an estimator has no class probabilities.
    """
    given = estimators
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, Mapping):
        given = dict.fromkeys(given)
    models: dict[str, Any] = {}
    spaces: dict[str, Any] = {}
    for name, pair in given.items():
        models[name], spaces[name] = name, KNOWN_SPACES.get(str(name))
        if pair is not None:
            if not (isinstance(pair, tuple) and len(pair) == 2):
                raise ValueError(f"{name!r}: give a pair (estimator, space)")
            models[name], spaces[name] = pair
    named = KNOWN_MODELS.named(models, classes)
    for name, estimator in named.items():
        if spaces[name] is None:
            raise ValueError(
                f"{name!r} has no search space of its own: give {{name: (estimator, space)}}, or "
                f"choose from {', '.join(KNOWN_SPACES)}"
            )
        if not hasattr(estimator, "predict_proba"):
            raise TypeError(f"{describe(estimator)} has no predict_proba")
    return [Space.of(name, named[name], spaces[name]) for name in named]


def optuna_module() -> Any:
    """Import Optuna; ImportError that names the extra."""
    try:
        return import_module("optuna")
    except ImportError:
        raise ImportError("tuning needs Optuna: pip install 'moselect[tune]'") from None
