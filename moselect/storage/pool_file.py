"""``pool.skops``: a pool of models as a file from which nothing is executed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from moselect._validation import check_cost_matrix, shortened
from moselect.columns import Preparation
from moselect.models import OrdinalPool
from moselect.storage.atomic import check_file_path, replacing
from moselect.storage.documents import decoded
from moselect.storage.json_text import as_json
from moselect.storage.skops_bytes import from_skops, to_skops


@dataclass(frozen=True, eq=False)
class KeptPool:
    """What the file of a pool holds.

    Attributes
    ----------
    pool : OrdinalPool
        The pool.
    preparation : Preparation or None
        What turns a table into the numbers that the pool takes.
    cost_matrix : ndarray of shape (r, r), or None
        The costs by which it decides; without them it predicts the most probable class.
    about : dict
        Further information.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> X, y = np.arange(40.0)[:, None] % 20, np.arange(40) % 20 // 10 + 1
    >>> pool = OrdinalPool(["proportional_odds"], random_state=0).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_pool(Path(folder) / "pool.skops", pool, cost_matrix=[[0, 1], [5, 0]])
    ...     read_pool(Path(folder) / "pool.skops").cost_matrix
    array([[0., 1.],
           [5., 0.]])
    """

    pool: OrdinalPool
    preparation: Preparation | None
    cost_matrix: NDArray[np.float64] | None
    about: dict[str, Any]


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    """What stands beside a pool, as plain values."""

    preparation: dict[str, Any] | None = None
    cost_matrix: list[list[float]] | None = None
    about: dict[str, Any] = msgspec.field(default_factory=dict)


def write_pool(
    path: Path,
    pool: OrdinalPool,
    *,
    preparation: Preparation | None = None,
    cost_matrix: ArrayLike | None = None,
    about: Mapping[str, Any] | None = None,
) -> None:
    """Write a fitted pool to a file, complete or not at all.

    Parameters
    ----------
    path : Path
        The file; ``.skops`` is the usual ending.
    pool : OrdinalPool
        A fitted pool. It comes back from `read_pool` to the last bit.
    preparation : Preparation, optional
        What turns a table into the numbers that the pool takes; fitted.
    cost_matrix : array-like of shape (r, r), optional
        The costs by which `moselect predict` decides; otherwise by the greatest probability.
    about : mapping, optional
        Further information; plain values that JSON can hold.

    Raises
    ------
    ValueError
        If it holds other types than the trusted ones, such as a model of one's own: then
        `read_pool` would refuse the file; or if the costs do not fit the classes.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> pool = OrdinalPool(["proportional_odds"], random_state=0).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_pool(Path(folder) / "pool.skops", pool)
    ...     again = read_pool(Path(folder) / "pool.skops").pool
    >>> bool((again.predict(X) == pool.predict(X)).all())
    True
    """
    check_file_path(path)
    check_is_fitted(pool)
    costs = None if cost_matrix is None else check_cost_matrix(cost_matrix, len(pool.classes_))
    document = {
        "preparation": None if preparation is None else preparation.to_document(),
        "cost_matrix": None if costs is None else costs.tolist(),
        "about": dict(about or {}),
    }
    content = to_skops({"pool": pool, "document": as_json(document).decode()}, "the pool")
    with replacing(path) as file:
        file.write(content)


def read_pool(path: Path) -> KeptPool:
    """Read a pool from a file. Nothing in the file is executed, and no other types are made.

    Raises
    ------
    ValueError
        If there is no such file, it is no pool, is damaged, or holds types that are not trusted.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> X, y = np.arange(40.0)[:, None] % 20, np.arange(40) % 20 // 10 + 1
    >>> pool = OrdinalPool(["proportional_odds"], random_state=0).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_pool(Path(folder) / "pool.skops", pool)
    ...     again = read_pool(Path(folder) / "pool.skops").pool
    >>> np.array_equal(again.predict(X), pool.predict(X))
    True
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read the pool '{path}': {error.strerror}") from None
    return pool_of(from_skops(content, f"the pool '{path}'"), path)


def pool_of(value: Any, path: Path) -> KeptPool:
    """Return the pool that a value from a file describes; all of it is checked.

    Raises
    ------
    ValueError
        If it describes none.
    """
    if not (isinstance(value, dict) and isinstance(value.get("pool"), OrdinalPool)):
        raise ValueError(f"'{path}' is not a pool, but a {type(value).__name__}")
    pool = value["pool"]
    try:
        check_is_fitted(pool)
        document = decoded(str(value.get("document")).encode(), _Document)
        given, r = document.cost_matrix, len(pool.classes_)
        costs = None if given is None else check_cost_matrix(given, r)
        prepared = document.preparation
        preparation = None if prepared is None else Preparation.from_document(prepared)
    except (ValueError, NotFittedError, RecursionError) as error:
        raise ValueError(f"the pool '{path}' is damaged: {shortened(error)}") from None
    return KeptPool(pool, preparation, costs, document.about)
