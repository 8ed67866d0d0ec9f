"""Search spaces: an estimator, and the distributions of its hyper-parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.stats import loguniform, randint, uniform
from sklearn.base import clone
from sklearn.model_selection import ParameterSampler

from moselect._types import Estimator, Labels, record
from moselect.candidates.known_models import KNOWN_MODELS, Models, named_models

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
KNOWN_SPACES: dict[str, dict[str, object]] = {
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

# Models, by name with the values of their hyper-parameters if they are not known ones
Searched = Models | Mapping[str, tuple[Estimator, Mapping[str, object]]]


@record
class Space:
    """Search space of one estimator.

    Attributes
    ----------
    name : str
        Name of the estimator.
    estimator : estimator
        With the settings that it comes with.
    values : mapping of str to (sequence or distribution of scipy.stats)
        Values of each hyper-parameter.
    """

    name: str
    estimator: Estimator
    values: Mapping[str, Any]

    def sample(self, number: int, seed: int) -> dict[str, object]:
        """Return the hyper-parameters of a trial; trial 0 keeps the estimator's own.

        They depend on the seed, the number and the name of the estimator only.
        """
        if number == 0:
            return {}
        entropy = np.random.SeedSequence([seed, number, *self.name.encode()])
        (settings,) = ParameterSampler(
            self.values, 1, random_state=entropy.generate_state(1)[0]
        )
        return settings


def spaces_of(estimators: Searched, classes: Labels) -> list[Space]:
    """Return the search spaces of estimators, given as in `tune`.

    Raises
    ------
    ValueError
        If a model or a hyper-parameter is unknown, or one has no values.
    TypeError
        If the values of a hyper-parameter are neither a sequence nor a distribution.
    """
    models = estimators
    values_of: Mapping[str, object] = KNOWN_SPACES
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
        # Errors of scikit-learn, for unknown hyper-parameters and for other values.
        clone(estimator).set_params(**dict.fromkeys(values))
        ParameterSampler(values, 1)
        spaces.append(Space(name, estimator, values))
    return spaces
