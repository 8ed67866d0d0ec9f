"""Our search beside its peers (systems.py), at equal evaluations and at equal time.

    MOSELECT_DATA=... python experiments/benchmarks/peers.py --out results [--seeds 10]
        [--budgets 5000 30000] [--sets "boston normalised" stock_ord] [--systems NSGA2 CMOPSO]

`volume` is the hypervolume above chance after the budget of evaluations, `in our time` that after
the seconds that our run of this budget and seed took (each peer goes on until both are known). The
percentages are shares of the hypervolume of the front that all runs on the data set give together.
Medians over the seeds 100, 101, ...; +- is the standard error of the mean. Kernels are compiled
before the clock starts; seconds count everything from the table on.

Every run is written to the folder at once and not repeated: an interrupted benchmark goes on, and a
larger one adds what is missing. Delete the folder after a change of the search. A seed takes about
8 minutes for all sets; two processes may share a folder if they work on different sets, but then
disturb each other's clocks. Needs jmetalpy.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from systems import OURS, SYSTEMS, load, set_names, warm_up, watched

from moselect import OrdinalProblem
from moselect.pareto import ParetoArchive, hypervolume_above_chance

FIRST_SEED = 100
EXACT_UP_TO = 2_500  # points: the exact hypervolume is fast enough for a single run


class Results:
    """What is known of one data set: a row for each run, and the front of all together."""

    def __init__(self, folder: Path, name: str) -> None:
        self._rows = folder / f"{name}.csv"
        self._front = folder / f"{name}.npy"
        self.table = pd.read_csv(self._rows) if self._rows.exists() else pd.DataFrame()
        self.front = np.load(self._front) if self._front.exists() else np.empty((0, 6))

    def find(self, **of: str | int) -> pd.DataFrame:
        """Give the rows of a system, a budget or a seed."""
        table = self.table
        for column, value in of.items():
            table = table[table[column] == value] if len(table) else table
        return table

    def add(self, row: dict[str, str | int | float], fronts: list[np.ndarray]) -> None:
        """Write a run down, its front first: what is not in the table will be run again."""
        archive = ParetoArchive(6, 0)
        for points in (self.front, *fronts):
            archive.add(points, np.empty((len(points), 0)))
        self.front = archive.points.copy()
        unfinished = self._front.with_suffix(".unfinished.npy")
        np.save(unfinished, self.front)
        unfinished.replace(self._front)
        self.table = pd.concat([self.table, pd.DataFrame([row])], ignore_index=True)
        pd.DataFrame([row]).to_csv(
            self._rows, mode="a", header=not self._rows.exists(), index=False
        )


def complete(results: Results, name: str, budget: int, seeds: range, systems: list[str]) -> None:
    """Run what is missing, each seed of our own before that of the peers."""
    table = load(name)
    chance = OrdinalProblem(*table).chance
    for seed in seeds:
        for system in systems:
            if len(results.find(system=system, budget=budget, seed=seed)):
                continue
            limit = [] if system == OURS else ours_seconds(results, budget, seed)
            watch = watched(system, table, seed, budget, evaluations=[budget], seconds=limit)
            fronts = watch.fronts[0] + watch.fronts[1]
            volumes = [
                hypervolume_above_chance(points, chance, exact_up_to=EXACT_UP_TO)
                for points in fronts
            ]
            row = {
                "budget": budget,
                "system": system,
                "seed": seed,
                "volume": volumes[0],
                "seconds": watch.seconds[0],
                "volume_in_our_time": volumes[-1],
            }
            results.add(row, fronts)
            print(f"{name}, {budget:,}, seed {seed}, {system}: {volumes[0]:.5f}", flush=True)


def ours_seconds(results: Results, budget: int, seed: int) -> list[float]:
    return results.find(system=OURS, budget=budget, seed=seed)["seconds"].tolist()


def show(results: Results, name: str, budget: int, systems: list[str]) -> str:
    """Print the table of one data set and budget, and give how ours stands in it."""
    chance = OrdinalProblem(*load(name)).chance
    merged = hypervolume_above_chance(results.front, chance, exact_up_to=EXACT_UP_TO)
    print(f"\n{name}, {budget:,} evaluations; all runs together {merged:.5f}")
    print(f"{'':22}{'volume':>20}{'':>8}{'seconds':>9}{'in our time':>22}")
    medians, errors = {}, {}
    for system in systems:
        runs = results.find(system=system, budget=budget)
        cells = []
        for column in ("volume", "volume_in_our_time"):
            median, error = runs[column].median(), runs[column].sem()
            medians[system, column], errors[system, column] = median, error
            cells.append(f"{median:.5f} +- {error:.5f}{median / merged:8.1%}")
        print(f"{system:22}{cells[0]:>28}{runs['seconds'].median():9.2f}{cells[1]:>30}")
    verdicts = []
    for column in ("volume", "volume_in_our_time"):
        rivals = {system: medians[system, column] for system in systems if system != OURS}
        best = max(rivals, key=rivals.__getitem__)
        ahead = medians[OURS, column] - rivals[best]
        tied = abs(ahead) <= max(errors[OURS, column], errors[best, column])
        word = "tie" if tied else "ahead" if ahead > 0.0 else "BEHIND"
        verdicts.append(f"{ahead:+.5f} {word} ({best})")
    return f"{name:24}{budget:8,}   {verdicts[0]:40}{verdicts[1]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for the results")
    parser.add_argument("--seeds", type=int, default=10, help="how many, from 100 on")
    parser.add_argument("--budgets", type=int, nargs="+", default=[5_000, 30_000])
    parser.add_argument("--sets", nargs="+", default=set_names())
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=list(SYSTEMS))
    options = parser.parse_args()
    systems = list(dict.fromkeys([OURS, *options.systems]))
    seeds = range(FIRST_SEED, FIRST_SEED + options.seeds)
    options.out.mkdir(parents=True, exist_ok=True)
    warm_up(systems, load(set_names()[0]))
    verdicts = []
    for name in options.sets:
        results = Results(options.out, name)
        for budget in options.budgets:
            complete(results, name, budget, seeds, systems)
        verdicts += [show(results, name, budget, systems) for budget in options.budgets]
    print(f"\nmoselect before the best peer\n{'':35}{'at equal evaluations':40}at equal time")
    print("\n".join(verdicts))


if __name__ == "__main__":
    main()
