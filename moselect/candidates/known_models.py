"""Registry of named models, completed with costs and preprocessing."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pkgutil import resolve_name
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from moselect._types import Estimator, Labels
from moselect.candidates.names import known_name
from moselect.listing import in_one_line
from moselect.models import (
    AdditiveOdds,
    OrdinalStacking,
    ProportionalOdds,
    SkordinalClassifier,
)
from moselect.models.linear.cost_sensitive import CostSensitiveOrdinalClassifier
from moselect.models.linear.cost_thresholds import CostThresholdClassifier
from moselect.models.scorecard.estimator import Scorecard
from moselect.tables.features import steps_of

# Class and settings of boosted trees, by package.
OTHER_BOOSTING: dict[str, tuple[str, dict[str, object]]] = {
    "lightgbm": (
        "LGBMClassifier",
        {
            "n_estimators": 200,
            "num_leaves": 8,
            # trees of samples, once `subsample` is tuned to less than 1
            "subsample_freq": 1,
            "verbose": -1,
            "n_jobs": 1,
        },
    ),
    "catboost": (
        "CatBoostClassifier",
        {
            "iterations": 200,
            "verbose": False,
            "thread_count": 1,
            "allow_writing_files": False,
        },
    ),
    "xgboost": ("XGBClassifier", {"n_estimators": 200, "max_depth": 3, "n_jobs": 1}),
}


class KnownModel(NamedTuple):
    """Estimator factory with a one-line description."""

    make: Callable[[], Estimator]
    description: str


def _optional(module: str, class_name: str, packages: str) -> Callable[..., Estimator]:
    """Import a class of an optional package; ImportError names the packages to install."""
    try:
        found: Callable[..., Estimator] = resolve_name(f"{module}:{class_name}")
    except ImportError:
        hint = f"{module.partition('.')[0]} is not installed: pip install {packages}"
        raise ImportError(hint) from None
    return found


def skordinal_model(class_name: str, description: str, **settings: object) -> KnownModel:
    """Return a known model of skordinal."""

    def make() -> SkordinalClassifier:
        make_one = _optional("skordinal.classifiers", class_name, "'moselect[models]'")
        return SkordinalClassifier(make_one(**settings))

    return KnownModel(make, description)


def other_boosting(package: str) -> KnownModel:
    """Return boosted trees of a package."""
    class_name, settings = OTHER_BOOSTING[package]

    def make() -> Estimator:
        return _optional(package, class_name, package)(learning_rate=0.03, **settings)

    return KnownModel(make, f"boosted trees of {package}")


def without_names(model: Estimator) -> Estimator:
    """Give arrays to boosted trees of packages that refuse brackets or commas in names."""
    if type(model).__module__.partition(".")[0] not in OTHER_BOOSTING:
        return model
    return make_pipeline(FunctionTransformer(np.asarray), model)


Models = Mapping[str, Estimator | str] | Iterable[Estimator | str] | Estimator | str
PENALTIES = tuple(10.0**k for k in range(-2, 5))


def named_models(
    models: Models, classes: Labels, known: Mapping[str, KnownModel]
) -> dict[str, Estimator]:
    """Resolve models to estimators by name; without a mapping, by numbered class name.

    Strings are names of ``known`` models. Estimators with ``labels`` must agree with the
    classes (r,).
    """
    if isinstance(models, Mapping):
        named = dict(models)
    else:
        named = {}
        counts = Counter[str]()
        is_one = isinstance(models, str) or hasattr(models, "fit")
        listed: Iterable[Any] = [models] if is_one else models  # type: ignore[assignment]
        for model in listed:
            name = model if isinstance(model, str) else type(model).__name__
            counts[name] += 1
            named[name if counts[name] == 1 else f"{name}-{counts[name]}"] = model
    if not named:
        raise ValueError("there are no models: name at least one")
    for name in named:
        if not (isinstance(name, str) and name.strip() and name.isprintable()):
            raise ValueError(f"{name!r} is no name of a model: give one line of text")
    estimators = {}
    for name, model in named.items():
        if not isinstance(model, str):
            estimators[name] = _checked_clone(name, model, classes)
        elif known_name(model, known) in known:
            estimators[name] = known[known_name(model, known)].make()
        else:
            raise ValueError(f"unknown model {model!r}: choose from {', '.join(known)}")
    return estimators


def _boosting() -> HistGradientBoostingClassifier:
    """Build regularised boosting of small trees; defaults overfit a table of 500 rows."""
    return HistGradientBoostingClassifier(
        learning_rate=0.03,
        max_iter=200,
        max_leaf_nodes=8,
        min_samples_leaf=10,
        l2_regularization=5.0,
    )


KNOWN_MODELS = dict(
    always_one_class=KnownModel(
        lambda: DummyClassifier(strategy="prior"),
        "most frequent class, or class of lowest cost",
    ),
    multinomial=KnownModel(
        lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "multinomial logistic regression, ignoring the order",
    ),
    ordinal_ridge=KnownModel(
        lambda: make_pipeline(StandardScaler(), RidgeCV(PENALTIES)),
        "ridge regression on class ranks, nearest class",
    ),
    proportional_odds=KnownModel(ProportionalOdds, "cumulative logit model"),
    gaussian_process=KnownModel(
        lambda: OrdinalStacking(["gaussian_process"]),
        "Gaussian process on class ranks, with calibrated probabilities",
    ),
    additive=KnownModel(AdditiveOdds, "proportional odds with splines and products"),
    scorecard=KnownModel(Scorecard, "scorecard of eight conditions with integer points"),
    ensemble=KnownModel(
        OrdinalStacking, "stacking of five models by their out-of-fold log-odds"
    ),
    linear=KnownModel(
        CostSensitiveOrdinalClassifier,
        "linear model of minimum expected cost, without a search",
    ),
    random_forest=KnownModel(
        lambda: RandomForestClassifier(300, min_samples_leaf=2),
        "random forest, ignoring the order",
    ),
    gradient_boosting=KnownModel(_boosting, "boosted trees, ignoring the order"),
    cost_thresholds=KnownModel(
        lambda: CostThresholdClassifier(_boosting()),
        "boosted trees with thresholds for minimum absolute error",
    ),
    ordinal_probit=skordinal_model(
        "POM", "cumulative probit model", link="probit", alpha=1.0
    ),
    frank_hall=skordinal_model(
        "OrdinalDecomposition", "one logistic regression per class boundary"
    ),
    **{
        f"svor_{form}": skordinal_model(
            "SVOR",
            f"support vector ordinal regression, {form} constraints",
            constraints=form,
        )
        for form in ("explicit", "implicit")
    },
    redsvm=skordinal_model(
        "REDSVM", "ordinal regression by one binary support vector machine"
    ),
    nnop=skordinal_model("NNOP", "neural network with ordered partitions"),
    nnpom=skordinal_model("NNPOM", "neural network with proportional odds"),
    orboost=skordinal_model("ORBoost", "boosted thresholds"),
    **{package: other_boosting(package) for package in OTHER_BOOSTING},
)


def _checked_clone(name: str, model: Estimator, classes: Labels) -> Estimator:
    """Validate and clone a model; drop its ``labels``, as its targets are class codes."""
    if isinstance(model, type) or not (
        hasattr(model, "fit") and hasattr(model, "predict")
    ):
        raise TypeError(
            f"model {name!r} is {in_one_line(repr(model))}: give an estimator with fit and "
            "predict, or a known name"
        )
    if isinstance(steps_of(model)[-1], FrozenEstimator):
        raise TypeError(f"model {name!r} is frozen: compare the estimator that it holds")
    fresh = clone(model)
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
