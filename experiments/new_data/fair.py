"""Costs of the rules for statsmodels' `fair`, cross-validated and paired.

python -m experiments.new_data.fair [--costs 5,3,1,1,1] [--seed 0]
"""

from __future__ import annotations

import argparse

import numpy as np
from statsmodels.datasets import fair
from threadpoolctl import threadpool_limits

from moselect import ParetoSearch, cost_matrix
from moselect.decision import Goal, LinearRuleFitter, exact_thresholds, paired_saving, verdict


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--costs", default="5,3,1,1,1", help="of a mistake, by class")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    data = fair.load_pandas().data
    codes = data["rate_marriage"].to_numpy(dtype=np.int64) - 1
    X = data.drop(columns="rate_marriage").to_numpy(dtype=np.float64)
    costs = cost_matrix([float(cost) for cost in options.costs.split(",")])
    front = ParetoSearch(random_state=options.seed).fit(X, codes).front_
    with threadpool_limits(1, "blas"):
        fitter = LinearRuleFitter(X, codes, len(costs))
        fronts = [fold.weights for fold in front.fold_fronts]
        rule = fitter.fit(Goal(costs), front.weights, fronts)
        alone = fitter.fit(Goal(costs))
        paid = costs[codes, rule.cross_fitted]
        rivals = {
            "the rule without the front": costs[codes, alone.cross_fitted],
            "proportional odds": costs[codes, fitter.plug_in(costs)[1]],
        }
        member = np.empty(len(codes))
        for j, weights in enumerate(fronts or []):
            inside, outside = fitter.folds != j, fitter.folds == j
            found = [
                (*exact_thresholds(X[inside] @ w, codes[inside], costs), w)
                for w in np.unique(weights, axis=0)
            ]
            thresholds, _, w = min(found, key=lambda member: member[1])
            predicted = np.searchsorted(thresholds, X[outside] @ w, side="left")
            member[outside] = costs[codes[outside], predicted]
        rivals["the cheapest member"] = member
    print(f"selected: {paid.mean():.4f}, share of the front {rule.front_share:.2f}")
    for name, rival in rivals.items():
        saving = paired_saving(paid, rival)
        z = saving.estimate / (saving.standard_error or 1.0)
        print(f"{name}: {rival.mean():.4f}, z = {z:.1f}; {verdict(saving, name)}")


if __name__ == "__main__":
    main()
