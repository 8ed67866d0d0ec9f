"""Known models of other packages, which are imported where such a model is made."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from moselect._protocols import Estimator
from moselect.models import CumulativeClassifier, SkordinalClassifier

# Class and settings of boosted trees, by package.
OTHER_BOOSTING: dict[str, tuple[str, dict[str, Any]]] = {
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
        found: Callable[..., Estimator] = getattr(import_module(module), class_name)
    except ImportError:
        hint = f"{module.partition('.')[0]} is not installed: pip install {packages}"
        raise ImportError(hint) from None
    return found


def skordinal_model(class_name: str, description: str, **settings: Any) -> KnownModel:
    """Return a known model of skordinal."""

    def make() -> SkordinalClassifier:
        make_one = _optional("skordinal.classifiers", class_name, "'moselect[models]'")
        return SkordinalClassifier(make_one(**settings))

    return KnownModel(make, description)


def other_boosting(package: str, *, cumulative: bool) -> KnownModel:
    """Return boosted trees of a package, of all classes or one for each boundary."""
    class_name, settings = OTHER_BOOSTING[package]

    def make() -> Estimator:
        boosting = _optional(package, class_name, package)(learning_rate=0.03, **settings)
        return CumulativeClassifier(boosting) if cumulative else boosting

    form = ", one model for each class boundary" if cumulative else ""
    return KnownModel(make, f"boosted trees of {package}{form}")


def without_names(model: Estimator) -> Any:
    """Give arrays to boosted trees of packages that refuse brackets or commas in names."""
    if type(model).__module__.partition(".")[0] not in OTHER_BOOSTING:
        return model
    return make_pipeline(FunctionTransformer(np.asarray), model)
