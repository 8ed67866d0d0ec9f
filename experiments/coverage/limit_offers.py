"""Cost and found cases of the limit that a decision offers "at the same cost", on new rows.

    python experiments/coverage/limit_offers.py [--tables 20]

Tables of 400 rows with a class of 7 % whose mistakes cost five times as much are drawn from a
known law. Where the selection offers a limit, the model is selected again within it, and both are
compared on 20,000 further rows.
"""

from __future__ import annotations

import argparse
import re
import warnings

import numpy as np
import pandas as pd

from experiments.coverage.decisions import CLASS_COSTS, N_NEW, decision, draw
from moselect import cost_matrix
from moselect.costs import Costs
from moselect.export import summarise

CUTS = (0.35, 2.6)
OFFER = re.compile(r"--limit '(.+):([\d.]+)'")


def compare_on_new_rows(seed: int) -> dict[str, float] | None:
    """Return costs and found shares with and without the limit; None without an offer."""
    rng = np.random.default_rng(seed)
    X, y = draw(400, 1.0, rng, CUTS)
    X_new, y_new = draw(N_NEW, 1.0, rng, CUTS)
    selector = decision(X, y)
    model = selector.select(Costs(CLASS_COSTS))
    card = summarise(model, predicts="class")
    offer = OFFER.search(" ".join(" ".join(each.sentences) for each in card.sections))
    if offer is None:
        return None
    limited = selector.select(Costs(CLASS_COSTS), limits={offer[1]: float(offer[2])})
    costs = cost_matrix(CLASS_COSTS)
    figures: dict[str, float] = {"seed": seed, "limit": float(offer[2])}
    for name, each in {"free": model, "limited": limited}.items():
        predicted = each.predict(X_new)
        figures[f"cost {name}"] = costs[y_new, predicted].mean()
        figures[f"found {name}"] = (predicted[y_new == 2] == 2).mean()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=20)
    tables = parser.parse_args().tables
    warnings.simplefilter("ignore")
    found = list(filter(None, map(compare_on_new_rows, range(5000, 5000 + tables))))
    table = pd.DataFrame(found).set_index("seed")
    print(table.round(3).to_string())
    more = table["cost limited"] / table["cost free"] - 1.0
    error = more.std() / np.sqrt(len(more))
    print(
        f"offers in {len(table)} of {tables} tables; cost {more.mean():+.3f} +- {error:.3f}"
    )


if __name__ == "__main__":
    main()
