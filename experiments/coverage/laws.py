"""Known laws from which tables are drawn: samples, new rows, and how both were sampled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy.signal import lfilter

N_NEW = 20_000
COLUMNS = list("abcd")


@dataclass(frozen=True, eq=False)
class Drawn:
    """A table, its classes, and what is known of how its rows were drawn."""

    X: pd.DataFrame
    y: np.ndarray
    weights: np.ndarray | None = None
    groups: np.ndarray | None = None
    times: np.ndarray | None = None

    @property
    def fit_options(self) -> dict[str, Any]:
        """Keyword arguments of `ParetoSearch.fit`."""
        known = {
            "sample_weight": self.weights,
            "groups": self.groups,
            "times": self.times,
        }
        return {name: values for name, values in known.items() if values is not None}

    def take(self, rows: np.ndarray) -> Drawn:
        """Return some of the rows, which have no weights, groups or times."""
        return Drawn(self.X.iloc[rows].reset_index(drop=True), self.y[rows])


@dataclass(frozen=True)
class Law:
    """A law of tables.

    Attributes
    ----------
    draw : callable
        A table by a random generator.
    draw_new : callable
        A number of independent rows as they come in use, by that number and a generator.
    class_costs : tuple of float
        Cost of a mistake on a sample of each class, by the number of classes off.
    priors : tuple of float, optional
        Shares of the classes in use.
    draw_later : callable, optional
        As ``draw_new``, but consecutive rows, if these depend on each other.
    """

    draw: Callable[[np.random.Generator], Drawn]
    draw_new: Callable[[int, np.random.Generator], Drawn]
    class_costs: tuple[float, ...]
    priors: tuple[float, ...] | None = None
    draw_later: Callable[[int, np.random.Generator], Drawn] | None = None


def linear(
    n: int,
    rng: np.random.Generator,
    cuts: tuple[float, ...] = (-1.0, 1.0),
    signal: float = 1.5,
    n_groups: int = 0,
    drift: float = 0.0,
) -> Drawn:
    """Draw rows of proportional odds; samples of a group share half of a feature's variance.

    With drift, the classes move up by that much from the first row to the last.
    """
    X = pd.DataFrame(rng.normal(size=(n, 4)), columns=COLUMNS)
    groups = np.arange(n) % n_groups if n_groups else None
    latent = signal * (X["a"] + 0.5 * X["b"]).to_numpy()
    if groups is not None:
        X["a"] = np.sqrt(0.5) * (X["a"] + rng.normal(size=n_groups)[groups])
        latent = signal * (X["a"] + 0.5 * X["b"]).to_numpy()
        latent = latent + rng.normal(size=n_groups)[groups]
    times = np.arange(n) if drift else None
    latent = latent + drift * np.arange(n) / n + rng.logistic(size=n)
    return Drawn(X, np.digitize(latent, cuts), groups=groups, times=times)


def timed(n: int, rng: np.random.Generator, **law: Any) -> Drawn:
    """Draw independent rows of proportional odds with times."""
    return replace(linear(n, rng, **law), times=np.arange(n))


def by_class_in_groups(n: int, rng: np.random.Generator) -> Drawn:
    """Draw rows of 20 groups, of which higher classes are kept more often."""
    drawn = linear(4 * n, rng, n_groups=20)
    kept = rng.random(4 * n) < np.array([0.1, 0.2, 0.5])[drawn.y]
    rows = np.flatnonzero(kept)[:n]
    return replace(drawn.take(rows), groups=drawn.groups[rows])


def late_class(n: int, rng: np.random.Generator, timed: bool = True) -> Drawn:
    """Draw rows in time order, of which the highest class only occurs in the last two fifths.

    Before, its rows are of the class below; without times all rows are late ones.
    """
    drawn = linear(n, rng, cuts=(-1.0, 1.0, 3.0))
    if not timed:
        return drawn
    early = np.arange(n) < 0.6 * n
    y = np.where(early, np.minimum(drawn.y, 2), drawn.y)
    return replace(drawn, y=y, times=np.arange(n))


def heavy_tailed(n: int, rng: np.random.Generator) -> Drawn:
    """Draw rows of proportional odds whose columns have Cauchy distributions."""
    X = pd.DataFrame(rng.standard_cauchy(size=(n, 4)), columns=COLUMNS)
    latent = X["a"] + 0.5 * X["b"] + rng.logistic(size=n)
    return Drawn(X, np.digitize(latent, (-1.0, 1.0)))


def later(n: int, rng: np.random.Generator, drift: float) -> Drawn:
    """Draw the rows that come just after those of a law with drift."""
    drawn = linear(n, rng, cuts=(-1.0 - drift, 1.0 - drift))
    return replace(drawn, times=None)


def persistent(n: int, rng: np.random.Generator, correlation: float) -> np.ndarray:
    """Draw a stationary series of variance 1 with an autocorrelation."""
    start = 500  # values after which the first one is forgotten
    noise = rng.normal(size=n + start) * np.sqrt(1.0 - correlation**2)
    return lfilter([1.0], [1.0, -correlation], noise)[start:]


def serial(
    n: int,
    rng: np.random.Generator,
    level: float | None = None,
    feature: float = 0.0,
    timed: bool = False,
) -> Drawn:
    """Draw consecutive rows of which a level that no column has, and a feature, persist.

    ``level`` and ``feature`` are their autocorrelations; None: there is no level.
    """
    X = pd.DataFrame(rng.normal(size=(n, 4)), columns=COLUMNS)
    X["a"] = persistent(n, rng, feature)
    latent = (1.2 * X["a"] + 0.7 * X["b"]).to_numpy() + 0.6 * rng.logistic(size=n)
    if level is not None:
        latent = latent + 1.2 * persistent(n, rng, level)
    return Drawn(
        X, np.digitize(latent, (-1.5, 1.5)), times=np.arange(n) if timed else None
    )


def unequal(n: int, rng: np.random.Generator, largest: float, n_groups: int) -> Drawn:
    """Draw rows of groups, of which the first one has a share of the rows."""
    others = rng.integers(1, n_groups, n)
    groups = np.where(rng.random(n) < largest, 0, others)
    drawn = linear(n, rng)
    effects = rng.normal(size=(2, n_groups))[:, groups]
    X = drawn.X.assign(a=np.sqrt(0.5) * (drawn.X["a"] + effects[0]))
    latent = 1.5 * (X["a"] + 0.5 * X["b"]) + effects[1] + rng.logistic(size=n)
    return Drawn(X, np.digitize(latent, (-1.0, 1.0)), groups=groups)


def weighted_groups(n: int, rng: np.random.Generator, n_groups: int) -> Drawn:
    """Draw rows of groups, each of which has a lognormal weight."""
    drawn = linear(n, rng, n_groups=n_groups)
    weights = rng.lognormal(0.0, 1.0, n_groups)[drawn.groups]
    return replace(drawn, weights=weights)


def by_class(n: int, rng: np.random.Generator, cuts: tuple[float, ...]) -> Drawn:
    """Draw as many rows of each class, with weights of the classes times lognormal ones."""
    y = linear(40_000, rng, cuts).y
    shares = np.bincount(y) / len(y)
    size = n // len(shares)
    drawn = of_sizes((size,) * len(shares), rng, cuts)
    spread = rng.lognormal(0.0, 1.0, len(drawn.y))
    return replace(drawn, weights=shares[drawn.y] * len(shares) * spread)


def alone(n: int, rng: np.random.Generator, **law: Any) -> Drawn:
    """Draw rows of as many groups."""
    return replace(linear(n, rng, n_groups=n, **law), groups=None)


def levels(
    n: int, rng: np.random.Generator, sizes: tuple[int, ...], n_classes: int
) -> Drawn:
    """Draw rows that only have factors, as the cells of a contingency table."""
    codes = np.column_stack([rng.integers(0, size, n) for size in sizes])
    latent = (1.5 * codes / np.array(sizes)).sum(axis=1) * 2.0
    noisy = latent + 0.7 * rng.logistic(size=n)
    cuts = np.linspace(0.8, 1.4 * len(sizes) + 0.4, n_classes - 1)
    named = {f"factor {j}": np.array(list("uvwxyz"))[c] for j, c in enumerate(codes.T)}
    return Drawn(pd.DataFrame(named), np.digitize(noisy, cuts))


def of_sizes(
    sizes: tuple[int, ...], rng: np.random.Generator, cuts: tuple[float, ...], **law: Any
) -> Drawn:
    """Draw a table that has so many rows of each class."""
    drawn = linear(40 * sum(sizes), rng, cuts, **law)
    rows = [np.flatnonzero(drawn.y == k)[:size] for k, size in enumerate(sizes)]
    return drawn.take(rng.permutation(np.concatenate(rows)))


def in_shares(
    n: int, rng: np.random.Generator, shares: tuple[float, ...], cuts: tuple[float, ...]
) -> Drawn:
    """Draw rows of which the classes have given shares."""
    return of_sizes(tuple(rng.multinomial(n, shares)), rng, cuts)


def weighted(n: int, rng: np.random.Generator, spread: float) -> Drawn:
    """Draw rows with lognormal weights, independent of all else."""
    drawn = linear(n, rng)
    return replace(drawn, weights=rng.lognormal(0.0, spread, n))


def survey(n: int, rng: np.random.Generator, cuts: tuple[float, ...]) -> Drawn:
    """Draw some n rows of which the last class is asked ten times as often as the others.

    Each is asked or not by itself: among a number without replacement, the shares that are
    asked would not be as ten to one.
    """
    drawn = linear(20 * n, rng, cuts)
    often = np.where(drawn.y == len(cuts), 10.0, 1.0)
    rows = np.flatnonzero(rng.random(20 * n) < n * often / often.sum())
    return replace(drawn.take(rows), weights=1.0 / often[rows])


def coarse(n: int, rng: np.random.Generator) -> Drawn:
    """Draw rows of proportional odds whose columns are ages, rounded values and factors."""
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "sex": rng.choice(["f", "m"], n),
            "value": rng.normal(25.0, 4.0, n).round(1),
            "dose": rng.choice([10, 20, 40], n),
        }
    )
    latent = (X["age"] - 49) / 18 + (X["value"] - 25.0) / 4.0
    return Drawn(X, np.digitize(latent + rng.logistic(size=n), (-1.0, 1.0)))


def copied(
    n: int,
    rng: np.random.Generator,
    most: int = 6,
    reassessed: float = 0.0,
    noise: float = 0.0,
    grouped: bool = False,
) -> Drawn:
    """Draw n rows, each entered once to ``most`` times, in random order; these may be groups.

    Some labels are assessed again, independently of the row, and numbers may be measured
    again, with a noise in standard deviations.
    """
    drawn = coarse(n, rng) if noise == 0.0 else linear(n, rng)
    rows = rng.permutation(np.repeat(np.arange(n), rng.integers(1, most + 1, n)))
    copies = drawn.take(rows)
    again = rng.random(len(rows)) < reassessed
    y = np.where(again, rng.integers(0, 3, len(rows)), copies.y)
    X = copies.X
    if noise > 0.0:
        X = X + noise * rng.normal(size=X.shape)
    return Drawn(X, y, groups=rows if grouped else None)


def reassessed_rows(n: int, rng: np.random.Generator, share: float) -> Drawn:
    """Draw independent rows, of which some labels are assessed independently of the row."""
    drawn = coarse(n, rng)
    again = rng.random(n) < share
    return replace(drawn, y=np.where(again, rng.integers(0, 3, n), drawn.y))


def entered_twice(n: int, rng: np.random.Generator, **law: Any) -> Drawn:
    """Draw a table of factors that was joined with a copy of itself."""
    drawn = levels(n // 2, rng, **law)
    return drawn.take(rng.permutation(np.tile(np.arange(n // 2), 2)))


def counted(n: int, rng: np.random.Generator, **law: Any) -> Drawn:
    """Draw the cells of a contingency table, with the number of cases of each as weights."""
    drawn = levels(n, rng, **law)
    cells = drawn.X.assign(y=drawn.y).value_counts().rename("cases").reset_index()
    y, weights = cells.pop("y").to_numpy(), cells.pop("cases").to_numpy(np.float64)
    return Drawn(cells, y, weights=weights)


def persons(
    n: int, rng: np.random.Generator, sessions: int, key: str, grouped: bool = False
) -> Drawn:
    """Draw n rows of persons in a random order of codes, all of them new ones at each call.

    They are known by a code, a name, or a height. Codes that are groups are no feature, as in
    the command.
    """
    n_persons = -(-n // sessions)
    person = np.repeat(np.arange(n_persons), sessions)[:n]
    code = rng.choice(10 * n_persons, n_persons, replace=False) + 10 * rng.integers(10**6)
    drawn = linear(n, rng)
    latent = drawn.X["a"].to_numpy() + 2.0 * rng.normal(size=n_persons)[person]
    y = np.digitize(latent + rng.logistic(size=n), (-1.0, 1.0))
    if grouped:
        return Drawn(drawn.X, y, groups=person)
    keys = {
        "code": code,
        "name": np.array([f"K{one}" for one in code]),
        "height": rng.normal(170.0, 10.0, n_persons).round(1),
    }
    return Drawn(drawn.X.assign(site=keys[key][person]), y)


def _plain(n: int, costs: tuple[float, ...] = (1.0, 1.0, 3.0), **law: Any) -> Law:
    return Law(partial(linear, n, **law), partial(linear, **law), costs)


def _grouped(n_groups: int, size: int) -> Law:
    draw = partial(linear, n_groups * size, n_groups=n_groups)
    return Law(draw, alone, (1.0, 1.0, 3.0))


def _equal_cuts(n_classes: int) -> tuple[float, ...]:
    shares = np.arange(1, n_classes) / n_classes
    return tuple(2.2 * np.log(shares / (1.0 - shares)))


def _factors(n: int, sizes: tuple[int, ...], n_classes: int) -> Law:
    law = {"sizes": sizes, "n_classes": n_classes}
    return Law(partial(levels, n, **law), partial(levels, **law), (1.0,) * n_classes)


def _with_priors(table: tuple[float, ...], use: tuple[float, ...]) -> Law:
    cuts = (-1.0, 1.0)
    draw = partial(in_shares, 300, shares=table, cuts=cuts)
    new = partial(in_shares, shares=use, cuts=cuts)
    return Law(draw, new, (1.0, 1.0, 3.0), use)


def _small_classes(sizes: tuple[int, ...]) -> Law:
    cuts = tuple(np.linspace(-2.0, 2.0, len(sizes) - 1))
    shares = tuple(np.array(sizes) / sum(sizes))
    new = partial(in_shares, shares=shares, cuts=cuts)
    return Law(partial(of_sizes, sizes, cuts=cuts), new, (1.0,) * len(sizes))


def _serial(n: int, timed: bool = True, **law: Any) -> Law:
    later = partial(serial, **law)
    new = partial(serial, **dict.fromkeys(law, 0.0))
    draw = partial(later, n, timed=timed)
    return Law(draw, new, (1.0, 2.0, 4.0), draw_later=later)


RARE = (-1.0, 4.5)
LAWS = {
    "plain, 300 rows": _plain(300),
    "few levels": _factors(300, (5,), 3),
    "contingency table": _factors(800, (4, 3), 4),
    "entered 1 to 6 times": Law(partial(copied, 150), coarse, (1.0, 1.0, 3.0)),
    "entered 1 to 6 times, a fifth reassessed": Law(
        partial(copied, 150, reassessed=0.2),
        partial(reassessed_rows, share=0.2),
        (1.0, 1.0, 3.0),
    ),
    "near copies": Law(partial(copied, 150, noise=0.05), linear, (1.0, 1.0, 3.0)),
    "entered twice": Law(
        partial(entered_twice, 600, sizes=(5, 4), n_classes=3),
        partial(levels, sizes=(5, 4), n_classes=3),
        (1.0,) * 3,
    ),
    "counts": Law(
        partial(counted, 800, sizes=(4, 3), n_classes=4),
        partial(levels, sizes=(4, 3), n_classes=4),
        (1.0,) * 4,
    ),
    "persons by code": Law(
        partial(persons, 600, sessions=10, key="code"),
        partial(persons, sessions=10, key="code"),
        (1.0, 1.0, 3.0),
    ),
    "persons by name": Law(
        partial(persons, 600, sessions=10, key="name"),
        partial(persons, sessions=10, key="name"),
        (1.0, 1.0, 3.0),
    ),
    "persons by height": Law(
        partial(persons, 600, sessions=10, key="height"),
        partial(persons, sessions=10, key="height"),
        (1.0, 1.0, 3.0),
    ),
    "persons as groups": Law(
        partial(persons, 600, sessions=10, key="code", grouped=True),
        partial(persons, sessions=1, key="code", grouped=True),
        (1.0, 1.0, 3.0),
    ),
    "near copies as groups": Law(
        partial(copied, 150, noise=0.05, grouped=True), linear, (1.0, 1.0, 3.0)
    ),
    "priors up": _with_priors((0.45, 0.45, 0.1), (0.3, 0.3, 0.4)),
    "priors down": _with_priors((0.3, 0.3, 0.4), (0.45, 0.5, 0.05)),
    "classes of 4 to 10 rows": _small_classes((4, 6, 8, 10)),
    "6 groups": _grouped(6, 30),
    "10 groups": _grouped(10, 20),
    "25 groups": _grouped(25, 10),
    "100 groups": _grouped(100, 5),
    "25 groups, one of a third": Law(
        partial(unequal, 300, largest=0.33, n_groups=25), alone, (1.0, 1.0, 3.0)
    ),
    "15 groups, one of a half": Law(
        partial(unequal, 300, largest=0.5, n_groups=15), alone, (1.0, 1.0, 3.0)
    ),
    "30 groups, lognormal weights": Law(
        partial(weighted_groups, 300, n_groups=30), alone, (1.0, 1.0, 3.0)
    ),
    "as many of each class, weights": Law(
        partial(by_class, 300, cuts=(-1.0, 4.0)),
        partial(linear, cuts=(-1.0, 4.0)),
        (1.0, 1.0, 10.0),
    ),
    "weights, lognormal 1": Law(
        partial(weighted, 300, spread=1.0), linear, (1.0, 1.0, 3.0)
    ),
    "weights, lognormal 2": Law(
        partial(weighted, 300, spread=2.0), linear, (1.0, 1.0, 3.0)
    ),
    "survey, rare class 10 times": Law(
        partial(survey, 400, cuts=RARE), partial(linear, cuts=RARE), (1.0, 1.0, 10.0)
    ),
    "nearly separable": _plain(60, signal=60.0, cuts=(-40.0, 40.0)),
    "weak signal": _plain(150, signal=0.3),
    "ten classes": _plain(300, (1.0,) * 10, cuts=_equal_cuts(10)),
    "twenty classes": _plain(600, (1.0,) * 20, cuts=_equal_cuts(20)),
    "time drift": Law(
        partial(linear, 300, drift=2.0), partial(later, drift=2.0), (1.0, 1.0, 3.0)
    ),
    "independent with times": _serial(500),
    "slow level .95 with times": _serial(500, level=0.95),
    "slow level .95 without times": _serial(500, timed=False, level=0.95),
    "slow level .98 with times": _serial(500, level=0.98),
    "slow feature .95 with times": _serial(500, feature=0.95),
    "rare class": _plain(400, (1.0, 1.0, 10.0), cuts=RARE),
    "class of 1.7 %": _plain(600, (1.0, 1.0, 20.0), cuts=(-1.0, 5.2)),
    "two classes, one of 5 %": _plain(400, (1.0, 10.0), cuts=(4.5,)),
    "two classes in 12 groups": Law(
        partial(linear, 240, cuts=(0.0,), n_groups=12),
        partial(alone, cuts=(0.0,)),
        (1.0, 3.0),
    ),
    "two classes with times": Law(
        partial(timed, 300, cuts=(1.0,)), partial(linear, cuts=(1.0,)), (1.0, 3.0)
    ),
    "priors and 20 groups": Law(
        partial(by_class_in_groups, 300),
        alone,
        (1.0, 1.0, 3.0),
        (0.35, 0.3, 0.35),  # shares of the classes among rows of as many groups
    ),
    "five classes of 20 rows": _plain(100, (1.0,) * 5, cuts=_equal_cuts(5)),
    "a class that occurs late": Law(
        partial(late_class, 400),
        partial(late_class, timed=False),
        (1.0, 1.0, 3.0, 5.0),
    ),
    "Cauchy columns": Law(partial(heavy_tailed, 300), heavy_tailed, (1.0, 1.0, 3.0)),
}
