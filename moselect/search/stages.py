"""The stages in which a table of many rows is searched."""

from __future__ import annotations

from moselect.search.runs import Stage

FEW_ROWS = 5_000  # searched as they are
SAMPLES = (4_000, 20_000, 100_000)  # rows; one that is no more than half of all is used
CARRIED = 2  # rounds of directions of the stage before, measured on the rows of the next

# Share of the budget at which each sample gives way to the next, by the number of samples. The
# noise of a sample of n rows falls off as the root of n: on few rows the swarm soon climbs noise,
# on many each round costs much. Such shares kept 98 to 99 % of the hypervolume at 30,000 rows and
# 99 % at 200,000 (experiments/benchmarks/scale.py --full measures it).
ENDS = (
    (100 / 120,),
    (80 / 120, 110 / 120),
    (80 / 120, 108 / 120, 116 / 120),
)


def stages_of(n_samples: int) -> tuple[Stage, ...]:
    """Return the stages of a search, the last of which has all rows; none for few rows.

    Examples
    --------
    >>> [stage.rows for stage in stages_of(200_000)]
    [4000, 20000, 100000, 200000]
    """
    if n_samples <= FEW_ROWS:
        return ()
    samples = [rows for rows in SAMPLES if rows <= max(n_samples // 2, SAMPLES[0])]
    ends = (*ENDS[len(samples) - 1], 1.0)
    return tuple(
        Stage(rows, end, 0 if i == 0 else CARRIED)
        for i, (rows, end) in enumerate(zip((*samples, n_samples), ends, strict=True))
    )
