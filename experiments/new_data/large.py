"""Costs of the rules on new samples of a large synthetic table, paired.

python -m experiments.new_data.large [--rows 300000] [--settings 6] [--seed 0]
"""

from __future__ import annotations

import argparse

import pandas as pd

from experiments.benchmarks.scale import make_table
from experiments.heldout_costs.run import draw_costs
from moselect import ParetoSearch
from moselect.decision import paired_saving
from moselect.models import ProportionalOdds

FEATURES, CLASSES = 20, 5


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--settings", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    X, y = make_table(2 * options.rows, FEATURES, CLASSES)
    X, X_new, y, y_new = X[::2], X[1::2], y[::2], y[1::2]
    search = ParetoSearch(random_state=options.seed, n_jobs=2).fit(X, y)
    front = search.front_
    stated = ProportionalOdds().fit(X, y).predict_proba(X_new)
    rows = {}
    for setting in range(options.settings):
        costs = draw_costs(CLASSES, setting, options.seed)
        model = search.select(cost_matrix=costs)
        member = front[front.cheapest(costs)]
        paid = costs[y_new, model.predict(X_new)]
        rivals = {
            "proportional odds": (stated @ costs).argmin(axis=1),
            "cheapest member": member.predict(X_new),
        }
        row = {"cost": paid.mean(), "front share": model.evidence.front_share}
        for name, predicted in rivals.items():
            saving = paired_saving(paid, costs[y_new, predicted])
            row |= {name: saving.estimate, f"z, {name}": saving.estimate / saving.standard_error}
        rows[setting] = row
    print(pd.DataFrame(rows).T.round(4).to_string())


if __name__ == "__main__":
    main()
