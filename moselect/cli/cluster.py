"""Work on this machine or on a Dask cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import TypeVar

import joblib

from moselect.datasets import TableStream
from moselect.metrics import PredictionCounts, RankingCounts

Counts = TypeVar("Counts", RankingCounts, PredictionCounts)

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
        asked = connect(address, timeout=SECONDS_TO_CONNECT)  # type: ignore[no-untyped-call]
        met = await asyncio.wait_for(asked, SECONDS_TO_CONNECT + 1)
        met.abort()

    try:
        asyncio.run(meet())  # a client would wait for ever for a server that says nothing
        client = Client(address, timeout=SECONDS_TO_CONNECT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        reason = str(error) or "it is silent"
        raise ValueError(f"no Dask scheduler answers at '{address}': {reason}") from None
    with client, joblib.parallel_config(backend="dask"):
        yield


def count_on_cluster(
    fill: Callable[[TableStream, Counts], Counts], streams: Sequence[TableStream], empty: Counts
) -> Counts:
    """Fill counts with tables on the cluster at hand, and merge them two by two.

    The files must have the same paths on all machines. Merging is associative, so the result does
    not depend on which machine is done first.
    """
    from distributed import default_client

    client = default_client()  # type: ignore[no-untyped-call]
    start = client.scatter(empty, broadcast=True)
    filled = [client.submit(_fill_copy, fill, stream, start, pure=False) for stream in streams]
    while len(filled) > 1:
        pairs = zip(filled[::2], filled[1::2], strict=False)
        merged = [client.submit(_merge, *pair, pure=False) for pair in pairs]
        filled = merged + ([filled[-1]] if len(filled) % 2 else [])
    counts: Counts = filled[0].result()
    return counts


def _fill_copy(
    fill: Callable[[TableStream, Counts], Counts], stream: TableStream, empty: Counts
) -> Counts:
    return fill(stream, deepcopy(empty))  # the worker's own is used for other files, too


def _merge(first: Counts, second: Counts) -> Counts:
    return first.merge(second)
