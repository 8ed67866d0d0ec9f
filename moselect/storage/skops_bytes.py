"""Fitted models of scikit-learn as bytes from which nothing is executed."""

from __future__ import annotations

import zipfile
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.pipeline import Pipeline
from sklearn.tree._tree import Tree

from moselect._validation import reason_of, shortened
from moselect.storage.damage import DAMAGE

# The types in pools of the models that have names, beside arrays, plain values and the
# estimators that skops itself trusts. Nothing is ever added to it by a file.
TRUSTED_TYPES = (
    "moselect.columns.model_columns.ModelColumns",
    "moselect.models.additive.additive_odds.AdditiveOdds",
    "moselect.models.additive.spline_columns.SplineColumns",
    "moselect.models.calibration.Calibration",
    "moselect.models.pool.rank_regressors.BoostedRanks",
    "moselect.models.pool.rank_regressors.GaussianProcessRanks",
    "moselect.models.pool.ordinal_extra_trees.OrdinalExtraTrees",
    "moselect.models.pool.ordinal_pool.OrdinalPool",
    "moselect.models.pool.pooled_model.PooledModel",
    "moselect.models.proportional_odds.ProportionalOdds",
    "moselect.models.training.SeenClasses",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.gaussian_process.kernels.ConstantKernel",
    "sklearn.gaussian_process.kernels.DotProduct",
    "sklearn.gaussian_process.kernels.Product",
    "sklearn.gaussian_process.kernels.RBF",
    "sklearn.gaussian_process.kernels.Sum",
    "sklearn.model_selection._split.PredefinedSplit",
    "sklearn.tree._tree.Tree",
)
FIRST_BYTES = b"PK"  # of every such file, a zip archive


def to_skops(value: Any, what: str) -> bytes:
    """Return a value as bytes; from `from_skops` it comes back to the last bit.

    ``what`` is what messages call it.

    Raises
    ------
    ValueError
        If it holds other types than the trusted ones, such as a model of one's own: then
        `from_skops` would refuse it.
    """
    from skops import io

    _check_trees(value)
    content: bytes = io.dumps(value, compression=zipfile.ZIP_DEFLATED)
    foreign = sorted(set(io.get_untrusted_types(data=content)) - set(TRUSTED_TYPES))
    if foreign:
        raise ValueError(
            f"{what} cannot be written to a file: it holds {shortened(foreign[0])}, and files are "
            "read with types of moselect and scikit-learn only"
        )
    return content


def from_skops(content: bytes, what: str) -> Any:
    """Return the value that `to_skops` wrote. Nothing is executed, and no other types are made.

    ``what`` is what messages call it.

    Raises
    ------
    ValueError
        If the bytes are no such value, are damaged, or hold types that are not trusted.
    """
    from skops import io

    try:
        foreign = sorted(set(io.get_untrusted_types(data=content)) - set(TRUSTED_TYPES))
    except DAMAGE:
        raise ValueError(f"{what} cannot be read: it is no whole .skops of moselect") from None
    if foreign:
        raise ValueError(
            f"{what} holds {shortened(', '.join(foreign[:3]))}, which moselect never writes: "
            "it is not opened"
        )
    try:
        value = io.loads(content, trusted=list(TRUSTED_TYPES))
        _check_trees(value)
    except DAMAGE as error:
        raise ValueError(
            f"{what} is damaged or of other versions of its packages: {reason_of(error)}"
        ) from None
    return value


def _check_trees(value: Any, n_features: float = np.inf) -> None:
    """Raise ValueError if nodes of trees lead outside: scikit-learn's compiled loops trust them.

    ``n_features`` is how many the estimators around a value have checked that there are.
    """
    if isinstance(value, Tree):
        inner = value.children_left != value.children_right
        _check_nodes(inner, value.children_left, value.children_right, value.feature, n_features)
    elif isinstance(value, TreePredictor):
        nodes = value.nodes
        if nodes["is_categorical"].any():
            raise ValueError("a tree has categorical splits")
        inner = nodes["is_leaf"] == 0
        _check_nodes(inner, nodes["left"], nodes["right"], nodes["feature_idx"], n_features)
    elif isinstance(value, dict):
        for one in value.values():
            _check_trees(one, n_features)
    elif isinstance(value, list | tuple) or getattr(value, "dtype", None) == np.dtype(object):
        for one in np.ravel(value) if isinstance(value, np.ndarray) else value:
            _check_trees(one, n_features)
    elif hasattr(value, "__dict__"):
        own = vars(value)
        around = np.inf if isinstance(value, Pipeline) else n_features  # steps make other columns
        _check_trees(own, min(around, own.get("n_features_in_", np.inf)))


def _check_nodes(
    inner: NDArray[np.bool_], left: Any, right: Any, feature: Any, n_features: float
) -> None:
    n, at = len(inner), np.flatnonzero(inner)
    for children in (left[at].astype(np.int64), right[at].astype(np.int64)):
        if not ((children > at) & (children < n)).all():  # children come after their parent
            raise ValueError("a tree has a node that leads outside")
    if not ((feature[at] >= 0) & (feature[at] < n_features)).all():
        raise ValueError("a tree asks for a feature that is not there")
