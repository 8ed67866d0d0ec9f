"""Tasks of a Dask cluster: data that tasks share are sent once, and not with each task.

Integers, such as rows and codes, are sent in as few bytes as hold them.
"""

import pickle
import weakref
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd
from cloudpickle import CloudPickler  # distributed needs it, too
from joblib import delayed, parallel_config

Shared = np.ndarray | pd.DataFrame

# References to data on a cluster cost some milliseconds.
MIN_VALUES = 500


class TaskPickler(CloudPickler):  # type: ignore[misc]
    """Pickle a task without its arrays and tables, which are collected in ``shared``."""

    def __init__(self, file: BytesIO) -> None:
        super().__init__(file)
        self.shared: list[Shared] = []

    def persistent_id(self, obj: object) -> tuple[int, Any] | None:
        """Return the position of an array or table among the shared ones, and its type."""
        if not isinstance(obj, Shared) or obj.size < MIN_VALUES:
            return None
        self.shared.append(obj)
        dtype = obj.dtype if isinstance(obj, np.ndarray) else None
        return len(self.shared) - 1, dtype


class TaskUnpickler(pickle.Unpickler):
    """Read a task whose arrays and tables are ``shared``."""

    def __init__(self, file: BytesIO, shared: Sequence[Shared]) -> None:
        super().__init__(file)
        self.shared = shared

    def persistent_load(self, pid: tuple[int, Any]) -> Shared:
        """Return an array or table by its position and type."""
        position, dtype = pid
        data = self.shared[position]
        if isinstance(data, np.ndarray):
            return data.astype(dtype, copy=False)
        return data


def share_data(task: Callable[[], Any], backend: Any) -> Any:
    """Return joblib's call of a task, whose arrays and tables are on the cluster.

    Data are sent to the first worker that needs them, and from there to others; they are on the
    cluster as long as they are in this process.

    Parameters
    ----------
    task : callable
        A picklable function without parameters.
    backend : joblib._dask.DaskDistributedBackend
        The backend that will call it.
    """
    content = BytesIO()
    pickler = TaskPickler(content)
    pickler.dump(task)
    futures = backend.data_futures
    for data in pickler.shared:
        if id(data) not in futures:
            # Unlike scattered data, a result is made again if its worker is lost.
            futures[id(data)] = backend.client.submit(_keep, _packed(data), pure=False)
            weakref.finalize(data, futures.pop, id(data), None)
    # The backend puts the futures in place of the data.
    return delayed(_run)(content.getvalue(), *pickler.shared)


def _packed(data: Shared) -> Shared:
    """Return integers in the smallest type that holds them, and other data as they are."""
    if isinstance(data, np.ndarray) and data.ndim == 1 and data.dtype.kind == "i":
        return pd.to_numeric(data, downcast="integer")
    return data


def _keep(data: Shared) -> Shared:
    """Keep data on a worker, as the result of a task."""
    return data


def _run(content: bytes, *shared: Shared) -> Any:
    """Run a task on a worker, where it starts no further ones."""
    with parallel_config(backend="sequential"):
        return TaskUnpickler(BytesIO(content), shared).load()()
