"""Search spaces: an estimator, and the distributions of its hyper-parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray
from scipy.stats import loguniform, randint, uniform
from sklearn.base import clone

from moselect.selection.known_models import KNOWN_MODELS

if TYPE_CHECKING:  # an extra
    from optuna.distributions import BaseDistribution


# Around the settings that the models come with, for tables of some hundred to some ten
# thousand rows. The parameters are those that are worth tuning in Probst, Boulesteix &
# Bischl (2019), Tunability, Journal of Machine Learning Research 20(53):1-32.
_RATE = {"learning_rate": loguniform(0.01, 0.2)}
_TREES = randint(50, 401)
_PENALTY = loguniform(0.01, 100.0)
_SAMPLING = {
    "n_estimators": _TREES,
    "reg_lambda": _PENALTY,
    "subsample": uniform(0.5, 0.5),
    "colsample_bytree": uniform(0.3, 0.7),
}
_LEAVES = randint(3, 32)
_LEAF_SIZES = randint(5, 61)
# The quantiles 0 and 1 of an unbounded distribution are infinite.
QUANTILES = (1e-6, 1.0 - 1e-6)
KNOWN_SPACES: dict[str, dict[str, Any]] = {
    "lightgbm": _RATE
    | _SAMPLING
    | {"num_leaves": _LEAVES, "min_child_samples": _LEAF_SIZES, "subsample_freq": [1]},
    "catboost": _RATE
    | {
        "iterations": _TREES,
        "depth": randint(2, 8),
        "l2_leaf_reg": loguniform(1.0, 100.0),
    },
    "xgboost": _RATE
    | _SAMPLING
    | {"max_depth": randint(2, 7), "min_child_weight": loguniform(0.5, 30.0)},
    "gradient_boosting": _RATE
    | {
        "max_iter": _TREES,
        "l2_regularization": _PENALTY,
        "max_leaf_nodes": _LEAVES,
        "min_samples_leaf": _LEAF_SIZES,
    },
    "random_forest": {
        "min_samples_leaf": randint(1, 21),
        "max_features": uniform(0.1, 0.9),
    },
    "ensemble": {
        "models": [
            ["proportional_odds", "splines"],
            ["splines", "boosting"],
            ["boosting", "extra_trees"],
            ["splines", "boosting", "extra_trees"],
            ["splines", "gaussian_process", "cumulative_boosting"],
        ]
    },
    "additive": {"n_products": randint(0, 41)},
    "proportional_odds": {"alpha": loguniform(0.01, 1000.0)},
    "multinomial": {"logisticregression__C": loguniform(1e-4, 100.0)},
    "scorecard": {"n_conditions": randint(2, 21), "points": randint(2, 11)},
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
    values : mapping of str to (list, distribution of scipy.stats or optuna.distributions)
        Values of each hyper-parameter.
    """

    name: str
    estimator: Any
    values: Mapping[str, Any]

    @cached_property
    def distributions(self) -> dict[str, BaseDistribution]:
        """Optuna's distributions: of lists the index, of distributions of scipy the quantile.

        ValueError if a hyper-parameter is unknown or has no values.
        """
        optuna = optuna_module().distributions
        if not self.values:
            raise ValueError(
                f"the space of {self.name!r} is empty: name hyper-parameters with their values"
            )
        distributions: dict[str, BaseDistribution] = {}
        for parameter, given in self.values.items():
            try:  # CatBoost has no list of its parameters, and takes any
                clone(self.estimator).set_params(**{parameter: None})
            except ValueError:
                raise ValueError(
                    f"{self.name!r} has no hyper-parameter {parameter!r}"
                ) from None
            if isinstance(given, optuna.BaseDistribution):
                distributions[parameter] = given
            elif hasattr(given, "ppf"):
                distributions[parameter] = optuna.FloatDistribution(*QUANTILES)
            elif isinstance(given, Sequence) and given and not isinstance(given, str):
                places = range(len(given))
                distributions[parameter] = optuna.CategoricalDistribution(places)
            else:
                raise ValueError(
                    f"the space of {parameter!r} of {self.name!r} is {given!r}: give a list of "
                    "values, or a distribution of scipy.stats or optuna.distributions"
                )
        return distributions

    @property
    def own_sample(self) -> dict[str, Any]:
        """Sample nearest to the settings that the estimator comes with.

        ValueError or TypeError if one of them is no value of its distribution.
        """
        sample: dict[str, Any] = {}
        settings = self.estimator.get_params()
        for parameter, given in self.values.items():
            value = settings.get(parameter)
            if hasattr(given, "ppf"):
                quantile = float(given.cdf(value))
                value = min(max(quantile, QUANTILES[0]), QUANTILES[1])
            elif isinstance(given, Sequence):
                value = given.index(value) if len(given) > 1 else 0
            sample[parameter] = value
        return sample

    def settings(self, sampled: Mapping[str, float]) -> dict[str, Any]:
        """Return the hyper-parameters of sampled numbers, in Optuna's internal form."""
        settings = {}
        for parameter, number in sampled.items():
            given = self.values[parameter]
            value = self.distributions[parameter].to_external_repr(number)
            if hasattr(given, "ppf"):
                value = given.ppf(value).item()
                value = int(value) if hasattr(given.dist, "pmf") else value
            elif isinstance(given, Sequence):
                value = given[value]
            settings[parameter] = value
        return settings

    def with_settings(self, settings: Mapping[str, Any]) -> Any:
        """Return an unfitted estimator with these hyper-parameters."""
        return clone(self.estimator).set_params(**settings)


def spaces_of(estimators: Any, classes: NDArray[Any]) -> list[Space]:
    """Return the search spaces of estimators, given as in `tune`.

    Raises
    ------
    ValueError
        If a model is unknown, or its space is empty.
    TypeError
        If an estimator has no class probabilities.
    """
    given = estimators
    if not isinstance(given, Mapping):
        names = [given] if isinstance(given, str) else given
        given = {name: (name, KNOWN_SPACES.get(str(name))) for name in names}
    for name, pair in given.items():
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise ValueError(f"{name!r}: give a pair (estimator, space)")
    models = {name: model for name, (model, _) in given.items()}
    spaces = []
    for name, estimator in KNOWN_MODELS.named(models, classes).items():
        values = given[name][1]
        if values is None:
            raise ValueError(
                f"{name!r} has no search space of its own: give {{name: (estimator, space)}}, or "
                f"choose from {', '.join(KNOWN_SPACES)}"
            )
        if not hasattr(estimator, "predict_proba"):
            raise TypeError(f"model {name!r} has no predict_proba: it is no classifier")
        spaces.append(Space(name, estimator, values))
    return spaces


def optuna_module() -> Any:
    """Import Optuna; ImportError that names the extra."""
    try:
        return import_module("optuna")
    except ImportError:
        raise ImportError("tuning needs Optuna: pip install 'moselect[tune]'") from None
