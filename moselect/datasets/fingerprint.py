"""A short hash by which a table is recognised."""

from __future__ import annotations

import hashlib

import pandas as pd


def fingerprint(X: pd.DataFrame, y: pd.Series) -> str:
    """Return a short hash of names and values, by which a table is recognised.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> fingerprint(X, y) == fingerprint(X.copy(), y.copy())
    True
    """
    digest = hashlib.sha256()
    for column in (*(X.iloc[:, j] for j in range(X.shape[1])), y):
        digest.update(f"{column.name}\n".encode())
        try:
            hashes = pd.util.hash_pandas_object(column, index=False)
        except TypeError:  # lists and the like, which may yet be left out
            hashes = pd.util.hash_pandas_object(column.map(str), index=False)
        digest.update(hashes.to_numpy().tobytes())
    return digest.hexdigest()[:16]
