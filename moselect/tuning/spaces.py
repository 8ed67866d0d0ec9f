"""Search spaces: an estimator, and the distributions of its hyper-parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import loguniform, randint, uniform
from sklearn.base import clone

from moselect._types import Estimator, Labels
from moselect.candidates.known_models import KNOWN_MODELS, named_models
from moselect.listing import in_one_line

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
LISTS = list, tuple, np.ndarray
KNOWN_SPACES: dict[str, dict[str, Any]] = {
    "lightgbm": _RATE
    | _SAMPLING
    | {"num_leaves": _LEAVES, "min_child_samples": _LEAF_SIZES},
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
            ["splines", "boosted_ranks"],
            ["boosted_ranks", "boosted_classes"],
            ["splines", "gaussian_process", "boosted_ranks"],
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
    values : mapping of str to (sequence, distribution of scipy.stats or optuna.distributions)
        Values of each hyper-parameter.
    distributions : dict of str to distribution of optuna.distributions
        Optuna samples positions in sequences, and quantiles of distributions of scipy: any
        value and any distribution can be searched so.
    """

    name: str
    estimator: Estimator
    values: Mapping[str, Any]
    distributions: dict[str, BaseDistribution]

    def own_sample(self) -> dict[str, Any]:
        """Return the sample nearest to the settings that the estimator comes with.

        ValueError or TypeError if one of them is no value of its distribution.
        """
        sample: dict[str, Any] = {}
        settings = self.estimator.get_params()
        for parameter, values in self.values.items():
            value = settings.get(parameter)
            if hasattr(values, "dist"):
                value = float(np.clip(values.cdf(value), *QUANTILES))
            elif isinstance(values, LISTS):
                value = list(values).index(value)
            sample[parameter] = value
        return sample

    def settings(self, sample: Mapping[str, Any]) -> dict[str, Any]:
        """Return the hyper-parameters of a sample of the distributions."""
        settings = {}
        for parameter, value in sample.items():
            values = self.values[parameter]
            if hasattr(values, "dist"):
                value = values.ppf(value).item()
                if hasattr(values.dist, "pmf"):  # discrete, but quantiles are floats
                    value = int(value)
            elif isinstance(values, LISTS):
                value = values[value]
            settings[parameter] = value
        return settings


def spaces_of(estimators: Any, classes: Labels) -> list[Space]:
    """Return the search spaces of estimators, given as in `tune`.

    Raises
    ------
    ValueError
        If a model or a hyper-parameter is unknown, or one has no values.
    """
    models = estimators
    values_of: Mapping[str, Any] = KNOWN_SPACES
    if isinstance(estimators, Mapping):
        pairs = {
            name: pair if isinstance(pair, tuple) and len(pair) == 2 else (pair, None)
            for name, pair in estimators.items()
        }
        models = {name: model for name, (model, _) in pairs.items()}
        values_of = {name: values for name, (_, values) in pairs.items()}
    known = {name: KNOWN_MODELS[name] for name in KNOWN_SPACES}
    spaces = []
    for name, estimator in named_models(models, classes, known).items():
        values = values_of.get(name)
        if not (isinstance(values, Mapping) and values):
            raise ValueError(
                f"{name!r} has no search space: give {{name: (estimator, "
                "{hyper-parameter: values})}"
            )
        distributions = {}
        for parameter, given in values.items():
            # ValueError of scikit-learn for an unknown parameter
            clone(estimator).set_params(**{parameter: None})
            distributions[parameter] = _distribution(f"{parameter!r} of {name!r}", given)
        spaces.append(Space(name, estimator, values, distributions))
    return spaces


def _distribution(parameter: str, values: Any) -> BaseDistribution:
    """Return Optuna's distribution of a hyper-parameter; ValueError if there is none."""
    optuna = optuna_module().distributions
    if isinstance(values, optuna.BaseDistribution):
        return values
    if hasattr(values, "dist"):
        return optuna.FloatDistribution(*QUANTILES)
    if isinstance(values, LISTS) and len(values):
        return optuna.CategoricalDistribution(range(len(values)))
    raise ValueError(
        f"the values of {parameter} are {in_one_line(repr(values))}: give a list, or a "
        "distribution of scipy.stats or optuna.distributions"
    )


def optuna_module() -> Any:
    """Import Optuna; ImportError that names the extra."""
    try:
        return import_module("optuna")
    except ImportError:
        raise ImportError("tuning needs Optuna: pip install 'moselect[tune]'") from None
