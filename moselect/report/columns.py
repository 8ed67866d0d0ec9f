"""Sections about columns: how they were read, and their influence on predictions."""

from __future__ import annotations

from textwrap import shorten
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from moselect.listing import listing
from moselect.predictor import Model
from moselect.predictor.card import Section
from moselect.predictor.contributions import N_ORDERS, contributions
from moselect.predictor.reference import Profile
from moselect.tables.levels import merge_spellings, read_levels

if TYPE_CHECKING:
    from moselect.selection import Evidence

N_EXPLAINED = 100  # rows over which contributions are averaged: errors of about a seventh
MOST_FEATURES = 10  # columns listed
MOST_READINGS = 30  # rows on preprocessing, so that two pages hold all
LONGEST_READING = 120  # characters
# A column has a direction if value and contribution have a higher rank correlation.
MONOTONE = 0.5


def column_sections(model: Model) -> list[Section]:
    """Describe how each column of the table was read, or that it was excluded."""
    table = model.columns.first.readings
    if table is None:
        return []
    readings = table.astype(str).groupby("read as", sort=False)["column"]
    rows = [
        [
            listing(names, MOST_FEATURES),
            shorten(str(reading), LONGEST_READING, placeholder=" ..."),
        ]
        for reading, names in readings
    ]
    heading = ["columns", "read as"]
    n_more = len(rows) - MOST_READINGS
    sentences = [f"And {n_more} more rows in columns.csv."] if n_more > 0 else []
    return [Section("How columns were read", sentences, [heading, *rows[:MOST_READINGS]])]


def explained_rows(evidence: Evidence) -> pd.DataFrame:
    """Return evenly spaced rows of the training table, over which influences are means."""
    last = len(evidence.table) - 1
    return evidence.table.iloc[np.unique(np.linspace(0, last, N_EXPLAINED).astype(int))]


def contributions_of_rows(model: Model, evidence: Evidence) -> pd.DataFrame:
    """Estimate the contributions of columns to the scores of the explained rows.

    They do not depend on costs, but for a linear rule.
    """
    # Means over rows need no exact values, which take a third of the time of a selection.
    background = model.reference.background()
    table = explained_rows(evidence)
    return contributions(model, background, table, N_ORDERS).iloc[:, :-1]


def influence_sections(
    model: Model, evidence: Evidence, added: pd.DataFrame
) -> list[Section]:
    """Rank columns by their mean absolute contribution to the score, with directions."""
    table = explained_rows(evidence)
    sizes = added.abs().mean().sort_values(ascending=False, kind="stable")
    shares = sizes[sizes > 0.0] / (sizes.sum() or 1.0)
    profiles = {profile.name: profile for profile in model.reference.columns}
    listed = [
        [str(name), f"{share:.0%}", _direction(profiles[name], table[name], added[name])]
        for name, share in shares.head(MOST_FEATURES).items()
    ]
    heading = ["column", "influence", "direction"]
    how = "Share of each column in the size of all contributions to the score (Shapley values)."
    return [Section("What the model looks at", [how], [heading, *listed])]


def _direction(profile: Profile, values: pd.Series, added: pd.Series) -> str:
    """Describe in which direction a column moves predictions."""
    if profile.edges is not None and len(profile.edges) > 3:
        numbers = pd.Series(profile.numbers(values), values.index)
        correlation = numbers.rank().corr(added.rank())
        if abs(correlation) < MONOTONE:
            return "not monotone"
        later = "later" if profile.content[0] == "date" else "higher"
        return f"{later} values: {'higher' if correlation > 0.0 else 'lower'} class"
    # Other spellings of a level have its coefficient, and are no levels of their own.
    places, levels, _ = merge_spellings(*read_levels(values))
    labels = np.array([*levels, "missing"], object)[places]
    means = added.groupby(labels).mean().sort_values()
    names = list(map(str, means.index))
    if len(names) > MOST_FEATURES:
        return f"lowest class: {names[0]}; highest: {names[-1]}"
    return f"from lower to higher class: {listing(names)}"
