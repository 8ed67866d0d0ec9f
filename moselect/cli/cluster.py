"""Runs of a search on this machine or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import joblib

SECONDS_TO_CONNECT = 10


@contextmanager
def dask_cluster(address: str | None) -> Iterator[None]:
    """Make joblib send its tasks to the Dask scheduler at ``address``, if there is one."""
    if address is None:
        yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("--dask needs an extra: pip install 'moselect[dask]'") from None
    try:
        client = Client(address, timeout=SECONDS_TO_CONNECT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise ValueError(f"no Dask scheduler answers at '{address}': {error}") from None
    with client, joblib.parallel_config(backend="dask"):
        yield
