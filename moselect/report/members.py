"""Figures of a member of the front, as the search found it."""

import pandas as pd

from moselect.inference.standard_errors import interval
from moselect.listing import with_interval
from moselect.metrics.objectives import objective_named
from moselect.predictor import ModelCard
from moselect.predictor.card import Section
from moselect.report.columns import column_sections
from moselect.search.front import Front


def figure_rows(front: Front, index: int, heading: str) -> list[list[str]]:
    """Format the measures of a member of the front, a row an objective below the headings."""
    figures = front.figures_of(index)
    if len(front.classes) == 2:
        # accuracy is 1 - MAE, and all ranking measures are equal
        figures = figures[~figures.round(9).duplicated()]
    shown = figures.drop(columns="std_error", errors="ignore")
    rows = [[heading, *shown]]
    for name, row in shown.iterrows():
        cells = row.map("{:.4f}".format, na_action="ignore").fillna("")
        if "std_error" in figures and row["cross-validated"] == row["cross-validated"]:
            error = figures["std_error"][str(name)]
            ends = interval(row["cross-validated"], error, most=1.0)
            cells["cross-validated"] = with_interval(ends, 4)
        rows.append([objective_named(str(name)).label, *cells])
    return rows


def figure_warnings(figures: pd.DataFrame) -> list[str]:
    """Describe cross-validated objectives that are undefined or do not differ from chance."""
    if "cross-validated" not in figures:
        return []
    # A model without features has these levels: a gain within one error may be noise.
    gain = figures["cross-validated"] - figures["chance"]
    # a ranking needs samples of every class, and a standard error two folds
    reasons = {
        "no cross-validated value, as only one fold or none has rows of every class": gain.isna(),
        "not significantly above chance": gain <= figures["std_error"],
    }
    return [
        f"{', '.join(objective_named(str(name)).label for name in gain.index[rows])}: {reason}"
        for reason, rows in reasons.items()
        if rows.any()
    ]


def card_of_member(
    front: Front, index: int, predicts: str, data: str, n_rows: int
) -> ModelCard:
    """Describe a model of the front as it is."""
    return ModelCard(
        predicts=predicts,
        n_rows=n_rows,
        data=data,
        headline=[f"Model {index} of the front, as the search found it."],
        sections=[
            Section("Performance", table=figure_rows(front, index, "objective")),
            *column_sections(front[index]),
        ],
    )
