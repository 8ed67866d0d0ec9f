"""``pool.skops``: a pool of models as a file from which nothing is executed."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.pipeline import Pipeline
from sklearn.tree._tree import Tree
from sklearn.utils.validation import check_is_fitted

from moselect.models import OrdinalPool
from moselect.storage.atomic import check_file_path, replacing

# The types in a pool of the models that have names, beside arrays, plain values and the
# estimators that skops itself trusts. Nothing is ever added to it by a file.
TRUSTED_TYPES = (
    "moselect.models.additive.additive_odds.AdditiveOdds",
    "moselect.models.additive.spline_columns.SplineColumns",
    "moselect.models.calibration.Calibration",
    "moselect.models.frank_hall.FrankHall",
    "moselect.models.pool.boosted_ranks.BoostedRanks",
    "moselect.models.pool.gaussian_process_ranks.GaussianProcessRanks",
    "moselect.models.pool.ordinal_extra_trees.OrdinalExtraTrees",
    "moselect.models.pool.ordinal_pool.OrdinalPool",
    "moselect.models.pool.pooled_model.PooledModel",
    "moselect.models.pool.pooled_model.ScoreCalibration",
    "moselect.models.proportional_odds_classifier.ProportionalOdds",
    "moselect.models.proportional_odds_cv.ProportionalOddsCV",
    "moselect.models.rank_network.RankNetwork",
    "moselect.models.training.SeenClasses",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.gaussian_process.kernels.ConstantKernel",
    "sklearn.gaussian_process.kernels.DotProduct",
    "sklearn.gaussian_process.kernels.Product",
    "sklearn.gaussian_process.kernels.RBF",
    "sklearn.gaussian_process.kernels.Sum",
    "sklearn.tree._tree.Tree",
)
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    OSError,
    EOFError,
    KeyError,
    IndexError,
    ValueError,
    TypeError,
    AttributeError,
    ImportError,
    NotImplementedError,  # another compression
    RuntimeError,  # encrypted, or nested too deeply
)


def write_pool(path: Path, pool: OrdinalPool) -> None:
    """Write a fitted pool to a file, complete or not at all.

    Parameters
    ----------
    path : Path
        The file; ``.skops`` is the usual ending.
    pool : OrdinalPool
        A fitted pool. It comes back from `read_pool` to the last bit.

    Raises
    ------
    ValueError
        If it holds other types than the trusted ones, such as a model of one's own: then
        `read_pool` would refuse the file.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> pool = OrdinalPool(["proportional_odds"], random_state=0).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_pool(Path(folder) / "pool.skops", pool)
    ...     again = read_pool(Path(folder) / "pool.skops")
    >>> bool((again.predict(X) == pool.predict(X)).all())
    True
    """
    from skops import io

    check_file_path(path)
    check_is_fitted(pool)
    _check_trees(pool)
    content = io.dumps(pool, compression=zipfile.ZIP_DEFLATED)
    foreign = sorted(set(io.get_untrusted_types(data=content)) - set(TRUSTED_TYPES))
    if foreign:
        raise ValueError(
            f"the pool cannot be written to a file: it holds {foreign[0]}, and files are read with "
            "types of moselect and scikit-learn only"
        )
    with replacing(path) as file:
        file.write(content)


def read_pool(path: Path) -> OrdinalPool:
    """Read a pool from a file. Nothing in the file is executed, and no other types are made.

    Raises
    ------
    ValueError
        If there is no such file, it is no pool, is damaged, or holds types that are not trusted.
    """
    from skops import io

    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read the pool '{path}': {error.strerror}") from None
    try:
        foreign = sorted(set(io.get_untrusted_types(data=content)) - set(TRUSTED_TYPES))
    except DAMAGE:
        raise ValueError(f"'{path}' is not a pool: moselect writes one as .skops") from None
    if foreign:
        raise ValueError(
            f"the pool '{path}' holds {', '.join(foreign[:3])}, which moselect never writes: "
            "it is not opened"
        )
    try:
        pool = io.loads(content, trusted=list(TRUSTED_TYPES))
        if isinstance(pool, OrdinalPool):
            check_is_fitted(pool)
            _check_trees(pool)
    except DAMAGE as error:
        raise ValueError(
            f"the pool '{path}' is damaged or of other versions of its packages: "
            f"{type(error).__name__}: {error}"
        ) from None
    if not isinstance(pool, OrdinalPool):
        raise ValueError(f"'{path}' is not a pool, but a {type(pool).__name__}")
    return pool


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
