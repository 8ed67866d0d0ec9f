"""Models of the user: named, for class codes instead of labels, for costs, for any table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import make_pipeline

from moselect.columns import Preparation
from moselect.columns.sample_columns import preparation_for
from moselect.columns.steps import steps_of
from moselect.decision.costs import Costs
from moselect.decision.known_models import KNOWN_MODELS, KnownModel

Models = Mapping[str, Any] | Sequence[Any] | Any
COST_PARAMETERS = ("class_costs", "loss", "cost_matrix", "priors")


def name_models(
    models: Models, classes: NDArray[Any], known: Mapping[str, KnownModel] = KNOWN_MODELS
) -> dict[str, Any]:
    """Return estimators by name: by their class, if there is no mapping, numbered from the second.

    Text is the name of a ``known`` one. Their own ``labels`` must not contradict the
    classes (r,).
    """
    if isinstance(models, Mapping):
        named = dict(models)
    else:
        named, seen = {}, Counter[str]()
        given = (
            [models]
            if isinstance(models, str) or hasattr(models, "fit")
            else list(models)
        )
        for model in given:
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
    """Return a model after what turns the columns of a table into numbers, if that is needed.

    It is part of the model, so it is fitted to what the model is fitted to. A search, or
    another model that prepares its columns itself, does so, but reads them as those of
    the whole table.
    """
    parameters = model.get_params(deep=True)
    own = {
        name: parameters[name] for name in parameters if name.split("__")[-1] == "prepare"
    }
    preparation = preparation_for(X, prepare, random_state=None if own else 0)
    if preparation is None:
        return model
    if not own:
        return make_pipeline(preparation, model)
    read = {
        name: clone(preparation) for name, value in own.items() if value in (True, None)
    }
    return clone(model).set_params(**read)


def with_costs(model: Any, costs: Costs | None) -> Any:
    """Return a clone that will be fitted for costs, wherever it takes some and has none of its own.

    A model takes costs if it, or a part of it, has the parameters ``class_costs``,
    ``loss``, ``cost_matrix`` and ``priors``.
    """
    fresh = clone(model)
    if costs is None:
        return fresh
    given = {name: getattr(costs, name) for name in COST_PARAMETERS}
    for prefix, has_own in _cost_takers(fresh).items():
        if not has_own:
            fresh.set_params(
                **{f"{prefix}{name}": value for name, value in given.items()}
            )
    return fresh


def is_for_costs(model: Any) -> bool:
    """Return whether a model will be fitted for costs: its own, or those of a comparison."""
    return any(_cost_takers(model).values())


def describe(estimator: Any) -> str:
    """Return class and changed parameters of an estimator in one line."""
    return " ".join(repr(estimator).split())


def _cost_takers(model: Any) -> dict[str, bool]:
    """Return by prefix which parts of a model take costs, and whether they have some already."""
    parameters = model.get_params(deep=True)
    prefixes = [
        name.removesuffix("cost_matrix")
        for name in parameters
        if name == "cost_matrix" or name.endswith("__cost_matrix")
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
