"""Models by name: known ones and the user's, for costs and for any table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from moselect.columns import Preparation
from moselect.columns.sample_columns import preparation_for
from moselect.columns.steps import steps_of
from moselect.decision.cost_sensitive import CostSensitiveOrdinalClassifier
from moselect.decision.cost_thresholds import CostThresholdClassifier
from moselect.decision.costs import Costs
from moselect.models import (
    AdditiveOdds,
    OrdinalPool,
    ProportionalOdds,
    SkordinalClassifier,
)
from moselect.scorecard import Scorecard

Models = Mapping[str, Any] | Sequence[Any] | Any
COST_PARAMETERS = ("class_costs", "loss", "cost_matrix", "priors")
PENALTIES = tuple(10.0**k for k in range(-2, 5))


class KnownModel(NamedTuple):
    """What gives a new estimator, and what it is, in one line."""

    make: Callable[[], Any]
    description: str


def _skordinal(kind: str, description: str, **settings: Any) -> KnownModel:
    def make() -> SkordinalClassifier:
        try:
            classifiers = import_module("skordinal.classifiers")
        except ImportError:
            raise ImportError(
                f"{kind} is of skordinal: pip install 'moselect[models]'"
            ) from None
        return SkordinalClassifier(getattr(classifiers, kind)(**settings))

    return KnownModel(make, description)


def _boosting() -> HistGradientBoostingClassifier:
    """Return many small, shrunken trees: the defaults fit 500 rows by heart."""
    return HistGradientBoostingClassifier(
        learning_rate=0.03,
        max_iter=200,
        max_leaf_nodes=8,
        min_samples_leaf=10,
        l2_regularization=5.0,
    )


def _lightgbm() -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        n_estimators=200, learning_rate=0.03, num_leaves=8, verbose=-1, n_jobs=1
    )


KNOWN_MODELS = {
    "always_one_class": KnownModel(
        lambda: DummyClassifier(strategy="prior"),
        "the commonest class, or that of least cost",
    ),
    "multinomial": KnownModel(
        lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "multinomial logistic regression, which knows no order",
    ),
    "ordinal_ridge": KnownModel(
        lambda: make_pipeline(StandardScaler(), RidgeCV(PENALTIES)),
        "ridge regression on the ranks of the classes, nearest class",
    ),
    "proportional_odds": KnownModel(
        ProportionalOdds, "cumulative logits along one direction"
    ),
    "gaussian_process": KnownModel(
        lambda: OrdinalPool(["gaussian_process"]),
        "Gaussian process on the ranks of the classes, with calibrated probabilities",
    ),
    "curves": KnownModel(
        AdditiveOdds, "proportional odds along a sum of curves and products"
    ),
    "points": KnownModel(
        Scorecard, "whole points for eight conditions, class by their sum"
    ),
    "pool": KnownModel(
        OrdinalPool, "five models of different kinds, weighed by held-out log-odds"
    ),
    "linear": KnownModel(
        CostSensitiveOrdinalClassifier,
        "linear rule of least expected cost, without a search",
    ),
    "random_forest": KnownModel(
        lambda: RandomForestClassifier(300, min_samples_leaf=2),
        "averaged trees, which know no order",
    ),
    "gradient_boosting": KnownModel(_boosting, "boosted trees, which know no order"),
    "cost_thresholds": KnownModel(
        lambda: CostThresholdClassifier(_boosting()),
        "boosted trees, cut for least absolute error on their expected class",
    ),
    "ordinal_probit": _skordinal(
        "POM", "cumulative probits along one direction", link="probit", alpha=1.0
    ),
    "frank_hall": _skordinal(
        "OrdinalDecomposition", "a logistic regression for each cut between classes"
    ),
    "svor_explicit": _skordinal(
        "SVOR",
        "support vector ordinal regression, explicit constraints",
        constraints="explicit",
    ),
    "svor_implicit": _skordinal(
        "SVOR",
        "support vector ordinal regression, implicit constraints",
        constraints="implicit",
    ),
    "redsvm": _skordinal(
        "REDSVM", "ordinal regression by one binary support vector machine"
    ),
    "nnop": _skordinal("NNOP", "neural network with ordered partitions"),
    "nnpom": _skordinal("NNPOM", "neural network with proportional odds"),
    "orboost": _skordinal("ORBoost", "boosted thresholds"),
}

if find_spec("lightgbm") is not None:
    KNOWN_MODELS["lightgbm"] = KnownModel(_lightgbm, "boosted trees of LightGBM")


def name_models(
    models: Models, classes: NDArray[Any], known: Mapping[str, KnownModel] = KNOWN_MODELS
) -> dict[str, Any]:
    """Return estimators by name: without a mapping by class, numbered from the second.

    Text is the name of a ``known`` one. Their own ``labels`` must not contradict the
    classes (r,).
    """
    if isinstance(models, Mapping):
        named = dict(models)
    else:
        named, seen = {}, Counter[str]()
        is_one = isinstance(models, str) or hasattr(models, "fit")
        for model in [models] if is_one else models:
            if isinstance(model, str) and model in named:
                raise ValueError(f"model {model!r} is there twice")
            kind = model if isinstance(model, str) else type(model).__name__
            seen[kind] += 1
            named[kind if seen[kind] == 1 else f"{kind}-{seen[kind]}"] = model
    if not named:
        raise ValueError("there are no models: name at least one")
    for name in named:
        if not (isinstance(name, str) and name.strip() and name.isprintable()):
            raise ValueError(
                f"{name!r} is no name of a model: it must be text of one line"
            )
    return {
        name: _estimator(name, model, classes, known) for name, model in named.items()
    }


def with_preparation(model: Any, X: Any, prepare: bool | Preparation) -> Any:
    """Return a model after what turns a table into numbers, if that is needed.

    It is part of the model, so it is fitted to what the model is fitted to. A search, or
    another model that prepares its columns itself, does so, but reads them as those of
    the whole table.
    """
    prepare_params = {
        name: value
        for name, value in model.get_params(deep=True).items()
        if name.split("__")[-1] == "prepare"
    }
    preparation = preparation_for(X, prepare, random_state=None if prepare_params else 0)
    if preparation is None:
        return model
    if not prepare_params:
        return make_pipeline(preparation, model)
    read = {
        name: clone(preparation)
        for name, value in prepare_params.items()
        if value in (True, None)
    }
    return clone(model).set_params(**read)


def with_costs(model: Any, costs: Costs | None) -> Any:
    """Return a clone that is fitted for costs, where it takes some and has none.

    A model takes costs if it, or a part of it, has the parameters ``class_costs``,
    ``loss``, ``cost_matrix`` and ``priors``.
    """
    fresh = clone(model)
    if costs is None:
        return fresh
    for prefix, has_costs in _cost_takers(fresh).items():
        if not has_costs:
            cost_params = {
                prefix + name: getattr(costs, name) for name in COST_PARAMETERS
            }
            fresh.set_params(**cost_params)
    return fresh


def is_for_costs(model: Any) -> bool:
    """Return whether a model is fitted for costs: its own, or a comparison's."""
    return any(_cost_takers(model).values())


def describe(estimator: Any) -> str:
    """Return class and changed parameters of an estimator in one line."""
    return " ".join(repr(estimator).split())


def _cost_takers(model: Any) -> dict[str, bool]:
    """Return by prefix which parts of a model take costs, and whether they have some."""
    parameters = model.get_params(deep=True)
    prefixes = [
        name.removesuffix("cost_matrix")
        for name in parameters
        if name.split("__")[-1] == "cost_matrix"
    ]
    return {
        prefix: any(
            parameters.get(prefix + name) is not None
            for name in ("class_costs", "cost_matrix", "preferences")
        )
        for prefix in prefixes
        if all(prefix + name in parameters for name in COST_PARAMETERS)
    }


def _estimator(
    name: str, model: Any, classes: NDArray[Any], known: Mapping[str, KnownModel]
) -> Any:
    """Return a new estimator that takes the order of class codes, not of labels."""
    if isinstance(model, str):
        if model not in known:
            raise ValueError(f"unknown model {model!r}: choose from {', '.join(known)}")
        return known[model].make()
    is_cloned = hasattr(model, "get_params") or hasattr(model, "__sklearn_clone__")
    if isinstance(model, type) or not (hasattr(model, "fit") and is_cloned):
        raise TypeError(
            f"model {name!r} is {describe(model)}: give an estimator or one of the known names"
        )
    if not hasattr(model, "predict"):
        raise TypeError(
            f"model {name!r} has no predict: {type(model).__name__} is no classifier"
        )
    if isinstance(steps_of(model)[-1], FrozenEstimator):
        raise TypeError(
            f"model {name!r} fits nothing: compare what its FrozenEstimator holds"
        )
    try:
        fresh = clone(model)
    except TypeError as error:
        raise TypeError(f"model {name!r}: {error}") from None
    for parameter, labels in fresh.get_params(deep=True).items():
        if labels is None or parameter.split("__")[-1] != "labels":
            continue
        if list(labels) != classes.tolist():
            raise ValueError(
                f"model {name!r} has {parameter} = {list(labels)}, but the classes are "
                f"{classes.tolist()}"
            )
        fresh.set_params(**{parameter: None})
    return fresh
