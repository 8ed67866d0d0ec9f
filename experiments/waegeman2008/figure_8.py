"""Figure 8: fronts of the Boston data, by the search of the paper and by the default one."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from moocore import is_nondominated

from experiments.waegeman2008.spread import over_seeds
from experiments.waegeman2008.trade_offs import measure_trade_offs
from moselect import Front, ParetoSearch, datasets, metrics, plots

READINGS = ("normalised", "printed")
PAPER, AS_PRINTED, DEFAULT = "paper", "paper, velocities from 0 to 1", "default"
LEGEND = {PAPER: "search of the paper", DEFAULT: "default search"}
QUICK = {"n_runs": 1, "n_particles": 50, "n_iterations": 20}
NUMBERS_OF_A_SEARCH = ("hypervolume", "dominated")


def run(
    out: Path, n_seeds: int, quick: bool, report: Callable[[float], None]
) -> list[dict[str, Any]]:
    """Search with several seeds, draw the first, and measure the claims on all fronts."""
    for name in (PAPER, AS_PRINTED, DEFAULT):  # compile, before times are taken
        search_front(name, 0, *datasets.load_boston(), **QUICK)
    rows: list[dict[str, Any]] = []
    found = []
    for i, reading in enumerate(READINGS):
        X, y = datasets.load_boston(reading)
        rows += describe_classes(reading, X, y)
        for seed in range(n_seeds):
            fronts, figures = search_all(seed, quick, X, y)
            for name in LEGEND:
                if (
                    name == DEFAULT or not quick
                ):  # claims on the paper's need its full size
                    figures[name] |= measure_trade_offs(fronts[name], X, y)
            found += [
                {"reading": reading, "search": name, "seed": seed, **numbers}
                for name, numbers in figures.items()
            ]
            if seed == 0:
                draw(fronts).savefig(out / f"figure_8_{reading}.png", dpi=70)
                rows.append(equation_19(reading, fronts[DEFAULT], X, y))
            report((i + (seed + 1) / n_seeds) / len(READINGS))
    table = pd.DataFrame(found)
    searched = table.loc[:, :"seconds"]
    searched.to_csv(out / "searches.csv", index=False, float_format="%.4g")
    if quick:
        table = table[table["search"] == DEFAULT].drop(columns="dominated")
    for (reading, search), part in table.groupby(["reading", "search"], sort=False):
        claims = [c for c in part if c in NUMBERS_OF_A_SEARCH or c not in searched]
        rows += [
            over_seeds(f"8 {claim} ({reading}, {search})", part[claim])
            for claim in claims
            if part[claim].notna().all()
        ]
    return rows


def search_front(
    name: str, seed: int, X: pd.DataFrame, y: pd.Series, **changes: Any
) -> tuple[Front, dict[str, float]]:
    """Search; give the front, its size and hypervolume, its best values and what it took."""
    if name == DEFAULT:
        search = ParetoSearch(random_state=seed, **changes)
    else:
        if name == AS_PRINTED:
            changes["velocity_range"] = (0.0, 1.0)
        search = ParetoSearch.preset("waegeman2008", random_state=seed, **changes)
    started = time.perf_counter()
    front = search.fit(X, y).front_
    seconds = time.perf_counter() - started
    return front, {
        "models": len(front),
        "hypervolume": front.hypervolume,
        **front.objectives.max().add_prefix("best "),
        "evaluations": search.n_evaluations_,
        "seconds": seconds,
    }


def search_all(
    seed: int, quick: bool, X: pd.DataFrame, y: pd.Series
) -> tuple[dict[str, Front], dict[str, dict[str, float]]]:
    """Search in all ways; give the fronts and their numbers by name of the search."""
    fronts, numbers = {}, {}
    for name in (PAPER, AS_PRINTED, DEFAULT):
        changes = QUICK if quick and name != DEFAULT else {}
        fronts[name], numbers[name] = search_front(name, seed, X, y, **changes)
    for name, other in ((PAPER, DEFAULT), (DEFAULT, PAPER)):
        both = pd.concat([fronts[name].objectives, fronts[other].objectives])
        stays = is_nondominated(both, maximise=True, keep_weakly=True)[
            : len(fronts[name])
        ]
        numbers[name] = {"dominated": 1.0 - stays.mean(), **numbers[name]}
    return fronts, numbers


def describe_classes(reading: str, X: pd.DataFrame, y: pd.Series) -> list[dict[str, Any]]:
    """Count the parameters of a model, and the pairs of samples of large and small classes."""
    n = y.value_counts()
    return [
        {"key": f"8 parameters ({reading})", "here": X.shape[1] + len(n) - 1},
        {"key": f"8 pairs of classes 1, 2 ({reading})", "here": int(n[1] * n[2])},
        {"key": f"8 pairs of classes 4, 5 ({reading})", "here": int(n[4] * n[5])},
    ]


def equation_19(
    reading: str, front: Front, X: pd.DataFrame, y: pd.Series
) -> dict[str, Any]:
    """Compare U_pairs with the mean of the AUCs of pairs, weighted by their numbers of pairs."""
    sizes = np.bincount(y)[1:]
    pairs = np.triu_indices(len(sizes), 1)
    weights = np.outer(sizes, sizes)[pairs]
    scores = X.to_numpy() @ front.subset(50).weights.T
    auc = metrics.pairwise_auc_matrix(y, scores)[:, *pairs]
    difference = auc @ weights / weights.sum() - metrics.u_pairs_score(y, scores)
    return {"key": f"8 equation 19 ({reading})", "here": np.abs(difference).max()}


def draw(fronts: dict[str, Front]) -> Figure:
    """Lay the front of the default search over that of the paper's."""
    tables = {legend: fronts[name].objectives for name, legend in LEGEND.items()}
    return plots.pairwise_fronts(tables, chance=fronts[DEFAULT].chance)
