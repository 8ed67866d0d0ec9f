"""Table 3.1 as a picture: mean and range over the splits, and the printed figure."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from experiments.sommer2015.table_3_1 import MAXIMUM

FAMILIES = ("GP", "PO", "network", "Frank-Hall", "SVM", "multinomial")
MEASURES = ("ACC", "MAE", "VUS", "BSC")
HERE_COLOUR, OTHER_COLOUR, PRINTED_COLOUR = "#0072b2", "#9a9a9a", "#d55e00"


def draw(results: pd.DataFrame) -> Figure:
    """Draw one row a set and one column a measure; each panel has all families."""
    table = results.set_index("key")[["here", "low", "high"]].astype(float)
    expected = pd.read_csv(Path(__file__).parent / "expected.csv", index_col="key")[
        "paper"
    ]
    sets = list(dict.fromkeys(key.split()[1] for key in table.index))
    figure = Figure(figsize=(11.0, 1.75 * len(sets) + 0.8), layout="constrained")
    grid = figure.subplots(len(sets), len(MEASURES), squeeze=False, sharey=True)
    for i, name in enumerate(sets):
        for j, measure in enumerate(MEASURES):
            ax = grid[i, j]
            for place, family in enumerate(FAMILIES):
                for suffix, colour, shift in (
                    ("", HERE_COLOUR, 0.14),
                    (MAXIMUM, OTHER_COLOUR, -0.2),
                ):
                    key = f"3.1: {name} {family} {measure}{suffix}"
                    if key not in table.index:
                        continue
                    here, low, high = table.loc[key]
                    ax.plot([low, high], [place + shift] * 2, color=colour, linewidth=2.2)
                    ax.plot(here, place + shift, "o", color=colour, markersize=4)
                    if pd.notna(printed := expected[key]):
                        ax.plot(
                            float(printed),
                            place + shift,
                            "x",
                            color=PRINTED_COLOUR,
                            markersize=6,
                            markeredgewidth=1.8,
                            zorder=3,
                        )
            ax.spines[["top", "right"]].set_visible(False)
            ax.tick_params(labelsize=8)
            if i == 0:
                unit = "" if measure == "MAE" else " in %"
                ax.set_title(measure + unit, fontsize=10)
            if j == 0:
                ax.set_yticks(range(len(FAMILIES)), FAMILIES)
                ax.set_ylabel(name, fontsize=10, fontweight="bold")
    grid[0, 0].invert_yaxis()
    marks = [
        figure.axes[0].plot(
            [], [], color=HERE_COLOUR, marker="o", markersize=4, linewidth=2.2
        )[0],
        figure.axes[0].plot(
            [], [], color=OTHER_COLOUR, marker="o", markersize=4, linewidth=2.2
        )[0],
        figure.axes[0].plot([], [], "x", color=PRINTED_COLOUR, markeredgewidth=1.8)[0],
    ]
    words = ("here: mean and range", "here, ranked by the maximum probability", "printed")
    figure.legend(
        marks, words, loc="outside upper center", ncols=3, frameon=False, fontsize=9
    )
    return figure
