"""Tables of results that grow by one data set and split at a time: a stopped run goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
from joblib import Parallel, delayed


def grow(
    path: Path,
    measure: Callable[[str, int], pd.DataFrame],
    names: Sequence[str],
    n_splits: int,
    *,
    order: Sequence[str],
    columns: Sequence[str] | None = None,
    n_jobs: int = 1,
) -> pd.DataFrame:
    """Add to a CSV file the rows of each data set and split that are missing; give all of them.

    ``measure`` gives those of one, in which ``set`` and ``split`` name it; they are sorted by
    ``order``. Parts that lack one of the ``columns``, because it is newer, are measured again.
    """
    done = pd.read_csv(path) if path.exists() else pd.DataFrame()
    if columns is not None:
        done = done.reindex(columns=columns).dropna()
    known = set(zip(done["set"], done["split"], strict=True)) if len(done) else set()
    parts = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(
        delayed(measure)(name, split)
        for split in range(n_splits)
        for name in names
        if (name, split) not in known
    )
    for part in parts:
        done = pd.concat([done, part]).sort_values(
            list(order), kind="stable", ignore_index=True
        )
        done.to_csv(path, index=False, float_format="%.6g")
    return done[done["set"].isin(names)]
