"""The models to compare: named, and ready for class codes instead of labels."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray
from sklearn import config_context
from sklearn.base import BaseEstimator, clone, is_regressor
from sklearn.pipeline import make_pipeline

from moselect.columns import columns_transformer
from moselect.comparison.for_costs import set_costs
from moselect.comparison.held_out import seeded
from moselect.comparison.known_models import make_model
from moselect.decision import Costs
from moselect.labels import class_labels, encode_labels
from moselect.models.threads import one_thread

Models = Mapping[str, Any] | Sequence[Any] | Any


def name_models(models: Models, classes: NDArray[Any]) -> dict[str, Any]:
    """Return estimators by name.

    Parameters
    ----------
    models : mapping, sequence or estimator
        Estimators or known names. Without a mapping, estimators are called by their class, and
        by its name and a number from the second of a class on.
    classes : ndarray of shape (r,)
        Class labels, lowest first, which the models' own ``labels`` must not contradict.

    Raises
    ------
    ValueError
        If there is none, a name is unknown or there twice, or labels contradict the classes.
    TypeError
        If something is no estimator.
    """
    if isinstance(models, Mapping):
        named = dict(models)
    else:
        named = {}
        given = [models] if isinstance(models, str) or hasattr(models, "fit") else list(models)
        for model in given:
            if isinstance(model, str) and model in named:
                raise ValueError(f"model {model!r} is there twice")
            names = [model] if isinstance(model, str) else _numbered(type(model).__name__)
            named[next(name for name in names if name not in named)] = model
    if not named:
        raise ValueError("there are no models: name at least one")
    return {_checked(name): _prepared(name, model, classes) for name, model in named.items()}


def fit_model(
    model: Any,
    X: Any,
    y: ArrayLike,
    *,
    costs: Costs | None = None,
    prepare: bool = True,
    random_state: int = 0,
) -> Any:
    """Fit a model to all samples, as `compare` fits it to those of a fold.

    Parameters
    ----------
    model : str or estimator
        A name of `known_models`, or an estimator.
    X : array-like of shape (n, p)
        Features.
    y : array-like of shape (n,)
        Ordinal labels: numbers or an ordered Categorical.
    costs : Costs, optional
        Costs to fit it for, if it takes any.
    prepare : bool, default=True
        Whether categories, dates and missing values of a DataFrame are turned into numbers.
    random_state : int, default=0
        Seed.

    Returns
    -------
    estimator
        Fitted to the labels, regressors to the ranks 1 .. r.

    Examples
    --------
    >>> fit_model("proportional_odds", [[0.0], [1.0], [2.0], [3.0]], [1, 1, 2, 2]).predict([[9.0]])
    array([2])
    """
    classes = class_labels(y)
    ((_, candidate),) = name_models({"model": model}, classes).items()
    fresh = seeded(with_preparation(set_costs(candidate, costs), X, prepare), random_state)
    target: Any = encode_labels(y, classes) + 1.0 if is_regressor(fresh) else y
    with one_thread():
        return fresh.fit(X, target)


def with_preparation(model: Any, X: Any, prepare: bool) -> Any:
    """Return a model after what turns the columns of a table into numbers, if that is needed.

    It is part of the model, so it is fitted to what the model is fitted to. A search, or another
    model that prepares its columns itself, is returned as it is.
    """
    if any(name.split("__")[-1] == "prepare" for name in model.get_params(deep=True)):
        return model
    transformer = columns_transformer(X, "features", prepare, random_state=0)
    return model if transformer is None else make_pipeline(*dict(transformer.steps).values(), model)


def for_folds_of(model: Any, X: Any) -> Any:
    """Return a model that reads the columns of every fold as those of the whole table.

    Only a model that prepares columns itself, of a table that needs it, is another then.
    """
    own = [
        name
        for name, value in model.get_params(deep=True).items()
        if name.split("__")[-1] == "prepare" and value is True
    ]
    if not own:  # nor need the table be read
        return model
    transformer = columns_transformer(X, "features", prepare=True, random_state=None)
    if transformer is None:
        return model
    preparation = transformer.steps[0][1]
    return clone(model).set_params(**{name: clone(preparation) for name in own})


def describe(estimator: Any) -> str:
    """Return class and changed parameters of an estimator, by which it is recognised later."""
    with config_context(print_changed_only=True):
        text = (
            estimator.__repr__(N_CHAR_MAX=sys.maxsize)
            if isinstance(estimator, BaseEstimator)
            else repr(estimator)
        )
    return re.sub(r" at 0x[0-9a-f]+", "", " ".join(text.split()))


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


def _checked(name: Any) -> str:
    if not isinstance(name, str) or not name.strip() or len(name.splitlines()) > 1 or _cut(name):
        raise ValueError(f"{name!r} is no name of a model: it must be text of one line")
    return name


def _cut(name: str) -> bool:
    """Return whether a name has halves of characters, which no table or file of text can hold."""
    return any("\ud800" <= letter <= "\udfff" for letter in name)


def _prepared(name: str, model: Any, classes: NDArray[Any]) -> Any:
    if isinstance(model, str):
        return make_model(model)
    if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "get_params")):
        raise TypeError(f"model {name!r} is {model!r}: give an estimator or one of the known names")
    if not hasattr(model, "predict"):
        raise TypeError(f"model {name!r} has no predict: {type(model).__name__} is no classifier")
    return _without_labels(name, clone(model), classes)


def _without_labels(name: str, model: Any, classes: NDArray[Any]) -> Any:
    """Have a model take the order of the class codes, if it has the same classes in mind."""
    for parameter, labels in model.get_params(deep=True).items():
        if labels is None or not (parameter == "labels" or parameter.endswith("__labels")):
            continue
        if list(labels) != classes.tolist():
            raise ValueError(
                f"model {name!r} has {parameter} = {list(labels)}, but the classes are "
                f"{classes.tolist()}"
            )
        model.set_params(**{parameter: None})
    return model
