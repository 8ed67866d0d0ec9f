"""User-supplied classifiers in model files, by skops; read by the same version of scikit-learn."""

import zipfile
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np

from moselect._types import Array, Classifier
from moselect.listing import reason_of, shortened
from moselect.models.wrapped_classifier import WrappedClassifier
from moselect.predictor.document import PACKAGE, OwnClassifier
from moselect.predictor.scorers import GraphScorer

# Types beside the estimators that skops trusts; files add none.
TRUSTED_TYPES = (
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.tree._tree.Tree",
)


def _skops() -> Any:
    """Import `skops.io`; ValueError names the extra that installs it."""
    try:
        return import_module("skops.io")
    except ImportError:
        raise ValueError(
            "files with classifiers of other packages need skops: "
            "pip install 'moselect[classifiers]'"
        ) from None


def archived(estimator: Classifier) -> tuple[OwnClassifier, Array]:
    """Serialise a fitted classifier: its description and bytes; TypeError for others.

    Of a `WrappedClassifier` the inner classifier of class codes is serialised.
    """
    if isinstance(estimator, WrappedClassifier):
        estimator = estimator.estimator_
    if hasattr(estimator, "operators"):
        GraphScorer.of(estimator)  # says which model in it has no graph
    io = _skops()
    content = io.dumps(estimator, compression=zipfile.ZIP_DEFLATED)
    foreign = set(io.get_untrusted_types(data=content)) - set(TRUSTED_TYPES)
    if foreign:
        raise TypeError(
            f"the model cannot be written to a file: it holds {shortened(min(foreign))}, and "
            "files are read with types of moselect and scikit-learn only"
        )
    about = OwnClassifier(type(estimator).__name__, version=version(PACKAGE))
    return about, np.frombuffer(content, dtype=np.uint8)


def unarchived(about: OwnClassifier, content: Array) -> Classifier:
    """Read a classifier of `archived`; ValueError for another version of its package."""
    needed = f"{PACKAGE}=={about.version}"
    here = version(PACKAGE)
    holds = f"holds a {about.name} of {needed}"
    if here != about.version:
        raise ValueError(
            f"{holds}, but {here} is installed here: pip install '{shortened(needed)}', "
            "or select the model again"
        )
    io = _skops()
    try:
        return io.loads(content.tobytes(), trusted=list(TRUSTED_TYPES))
    except Exception as error:  # noqa: BLE001 - of whichever package it is
        raise ValueError(f"{holds} that cannot be read: {reason_of(error)}") from None
