"""Draw what is missed against false alarms: trade_off.png, from the guide's claims.

python experiments/figures/draw_trade_off.py
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

import moselect
from moselect import plots

HERE = Path(__file__).parent
CLASSES = ["none", "slight", "serious", "severe"]


def main() -> None:
    table = pd.read_csv(HERE.parents[1] / "docs" / "data" / "claims.csv")
    X, y = table.drop(columns=["severity", "claim"]), table["severity"]
    search = moselect.ParetoSearch(labels=CLASSES, random_state=1).fit(X, y)
    model = search.select(class_costs=[1, 2, 5, 10])
    plots.trade_off(model.evidence).savefig(HERE / "trade_off.png", dpi=100)


if __name__ == "__main__":
    main()
