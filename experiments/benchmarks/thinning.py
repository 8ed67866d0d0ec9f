"""Hypervolume that is lost when a front is thinned to the 1,000 models that are shown.

    MOSELECT_DATA=... OMP_NUM_THREADS=1 python experiments/benchmarks/thinning.py [DATA ...]

Both hypervolumes above chance are approximated with the same nodes, so that their errors cancel: a
thinned front keeps the best of each objective, by which the nodes are scaled.
"""

from __future__ import annotations

import argparse

from moselect import ParetoSearch
from moselect.datasets import load_dataset
from moselect.search import hypervolume_above_chance, spread_subset

SETS = (
    "boston",
    "abalone_ord",
    "auto_ord",
    "bostonhousing_ord",
    "machine_ord",
    "stock_ord",
    "wisconsin_breast_ord",
)
MOST = ParetoSearch().max_models
GOAL = 0.5  # percent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="*", default=SETS)
    given = parser.parse_args()
    print(f"{'data':24}{'models':>8}{'hypervolume':>13}{f'lost (goal {GOAL} %)':>20}")
    for name in given.data:
        data = load_dataset(name)
        search = ParetoSearch(cv=None, max_models=None, random_state=1)
        front = search.fit(data.X, data.y).front_
        points, chance = front.objectives.to_numpy(), front.chance
        kept = points[spread_subset(points, MOST)]
        whole, thinned = (
            hypervolume_above_chance(some, chance, exact_up_to=0)
            for some in (points, kept)
        )
        lost = 100.0 * (1.0 - thinned / whole)
        print(f"{name:24}{len(points):>8,}{whole:>13.4g}{lost:>18.2f} %", flush=True)


if __name__ == "__main__":
    main()
