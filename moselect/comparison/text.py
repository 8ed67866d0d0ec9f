"""The measures of a comparison as a table to read."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from moselect.metrics.objectives import short_measure

NOT_AVAILABLE = "n/a"


def measures_table(values: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    """Return mean ± sd of all models and measures as text, best models first and with a star."""
    table = pd.DataFrame(index=values.index)
    for measure in measures:
        part = values[measure]
        stars = part["rank"].eq(1.0).map({True: "*", False: " "})
        told = [
            _cell(mean, sd) for mean, sd in zip(part["mean"], part["sd"], strict=True)
        ]
        table[f"{short_measure(measure)} "] = told + stars
    table["fit s"] = (
        values["seconds", "fit"].map("{:.3f}".format).replace("nan", NOT_AVAILABLE)
    )
    ranks = pd.DataFrame({measure: values[measure, "rank"] for measure in measures})
    return table.loc[ranks.mean(axis=1).sort_values(kind="stable").index].rename_axis(
        None
    )


def _cell(mean: float, sd: float) -> str:
    if mean != mean:
        return NOT_AVAILABLE
    if sd != sd:
        return f"{mean:.3f}"
    return f"{mean:.3f}±{sd:.2f}".replace("±0.", "±.")
