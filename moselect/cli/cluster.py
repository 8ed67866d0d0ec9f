"""Work on this machine or on a Dask cluster."""

from __future__ import annotations

import asyncio
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
        from distributed.comm.core import connect
    except ImportError:
        raise ValueError("--dask needs an extra: pip install 'moselect[dask]'") from None

    async def meet() -> None:
        connection = connect(address, timeout=SECONDS_TO_CONNECT)  # type: ignore[no-untyped-call]
        (await asyncio.wait_for(connection, SECONDS_TO_CONNECT + 1)).abort()

    try:
        asyncio.run(meet())  # a client would wait for ever for a server that says nothing
        client = Client(address, timeout=SECONDS_TO_CONNECT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        reason = str(error) or "it is silent"
        raise ValueError(f"no Dask scheduler answers at '{address}': {reason}") from None
    with client, joblib.parallel_config(backend="dask"):
        yield
