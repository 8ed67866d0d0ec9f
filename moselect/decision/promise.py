"""What was shown of a model when it was taken: figures and shares, no rows."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.columns.cells import as_frame, find_content, read_dates, read_numbers
from moselect.columns.levels import as_written, look_up, read_levels
from moselect.decision.limits import LimitReached

N_BINS = 10
SEED, N_DRAWN, TINY = 0, 100, 1e-300
MOST_LEVELS = 30  # of a column; the rarer ones are one, as are those of fewer rows
FEWEST_ROWS = 5
MISSING, NEW = -1.0, -2.0  # places of cells without a level, and of levels without a name


class Profile(msgspec.Struct, frozen=True):
    """How a column of the table was distributed.

    Of what is read as a number, ``content`` says how, ``edges`` (b + 1,) and the shares
    of the bins between them; of others the shares of ``levels``, of which there may have
    been ``more``. The last share is that of missing values and of levels that are not
    named.
    """

    name: str
    content: tuple[str, str]  # kind and format of dates, as `find_content` has them
    shares: list[float]
    edges: list[float] | None = None
    levels: list[str] | None = None
    more: bool = False

    @classmethod
    def of(cls, column: pd.Series) -> Profile:
        """Describe a column of a table."""
        content = find_content(column)
        draft = cls(str(column.name), (content.kind, content.date_format), [])
        if content.kind != "levels" and column.notna().any():
            values = draft._numbers(column)
            edges = np.unique(np.nanquantile(values, np.linspace(0.0, 1.0, N_BINS + 1)))
            known: dict[str, Any] = {"edges": edges.tolist()}
        else:
            codes, levels = read_levels(column)
            sizes = np.bincount(codes[codes >= 0], minlength=len(levels))
            common = np.argsort(-sizes, kind="stable")[:MOST_LEVELS]
            # others name persons
            named = [levels[k] for k in common if sizes[k] >= FEWEST_ROWS]
            known = {"levels": named, "more": len(levels) > len(named)}
        draft = msgspec.structs.replace(draft, **known)
        counts = draft.counts(column)[0]
        return msgspec.structs.replace(draft, shares=(counts / counts.sum()).tolist())

    def counts(self, column: pd.Series) -> tuple[Integers, float]:
        """Return the rows of a column in each bin or level, and the share that is new.

        Those are numbers beyond the range, and levels that no row had.
        """
        if self.edges is not None:
            values = self._numbers(column)
            there = values[np.isfinite(values)]
            bins = np.searchsorted(self.edges[1:-1], there, side="right")
            n_bins = max(len(self.edges) - 1, 1)
            sizes = np.append(
                np.bincount(bins, minlength=n_bins), len(values) - len(there)
            )
            outside = (there < self.edges[0]) | (there > self.edges[-1])
            return sizes, float(outside.sum() / max(len(there), 1))
        names = self.levels or []
        places = {level: float(place) for place, level in enumerate(names)}
        known = as_written(places, MISSING)
        bins = look_up(column, known, NEW, MISSING).values[:, 0].astype(np.int64)
        new = 0.0 if self.more else float((bins == NEW).mean())
        bins[bins < 0] = len(names)
        return np.bincount(bins, minlength=len(names) + 1), new

    def draw(self, n: int, rng: np.random.Generator) -> Any:
        """Draw cells (n,) evenly from what the column was; missing ones are None."""
        shares = np.cumsum(self.shares)
        quantiles = rng.permutation((np.arange(n) + 0.5) / n) * shares[-1]
        bins = np.searchsorted(shares, quantiles).clip(max=len(shares) - 1)
        if self.edges is None:
            return np.array([*(self.levels or []), None], dtype=object)[bins]
        lower = np.append(0.0, shares)[bins]
        within = (quantiles - lower) / np.maximum(shares[bins] - lower, TINY)
        low = np.append(self.edges[:-1] or self.edges, np.nan)[bins]
        high = np.append(self.edges[1:] or self.edges, np.nan)[bins]
        values = low + within.clip(0.0, 1.0) * (high - low)
        kind = self.content[0]
        if kind == "number":
            return values
        if kind == "boolean":
            return np.rint(values)
        times = pd.to_timedelta(values, "s")
        return times + pd.Timestamp(0) if kind == "date" else times

    def _numbers(self, column: pd.Series) -> Floats:
        """Return a column as numbers (n,), NaN where there is none."""
        kind, date_format = self.content
        if kind == "date":
            dates, _ = read_dates(column, date_format)
            return np.asarray(
                (dates - pd.Timestamp(0)).dt.total_seconds(), dtype=np.float64
            )
        return read_numbers(column, written=kind)[0]  # type: ignore[arg-type]


class Promise(msgspec.Struct, frozen=True):
    """What was shown of a model on new data when it was selected.

    ``cost`` is expected, with ``error`` as its standard error, by the ``costs`` (r, r),
    or (r, r + 1) with a referral; the ``confusion`` of that shape is in shares of the
    ``n_rows``, and ``columns`` are those of the table.
    """

    costs: list[list[float]] | None
    cost: float
    error: float
    confusion: list[list[float]]
    limits: list[LimitReached]
    n_rows: int
    columns: list[Profile]

    def background(self) -> pd.DataFrame:
        """Draw rows (100, m) with columns distributed as they were, each by itself."""
        rng = np.random.default_rng(SEED)
        return pd.DataFrame(
            {profile.name: profile.draw(N_DRAWN, rng) for profile in self.columns}
        )


def profiles_of(X: Any) -> list[Profile]:
    """Describe the columns of a table."""
    return [Profile.of(column) for _, column in as_frame(X).items()]
