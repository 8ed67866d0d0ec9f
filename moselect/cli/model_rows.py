"""Rows of a table in the form in which a model takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import moselect

if TYPE_CHECKING:  # slow to import
    import pandas as pd

    from moselect.datasets.tables import Source


def read_rows(
    model: moselect.predictor.Model,
    source: Source,
    names: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Give a table as a model takes it.

    ``names`` are names in the model of columns that the table calls otherwise.
    """
    from moselect.preprocessing.steps import steps_of

    steps = steps_of(model.columns)
    renamed = source.renamed(names or {})
    table = as_in_training(renamed, steps, model.feature_names or ())
    priced = [] if model.row_costs is None else model.row_costs.columns
    known = [name for name in priced if name in table]
    return table.assign(**{name: renamed.as_numbers(name) for name in known})


def as_in_training(
    source: Source, steps: Sequence[object], features: Sequence[str]
) -> pd.DataFrame:
    """Return the table with its categories as they are written, and amounts as numbers.

    ``features`` are the numbers of a model without such steps.
    """
    from moselect.datasets.amounts import with_parts

    texts = [name for step in steps for name in getattr(step, "columns_of_text", ())]
    units = dict.fromkeys(features, "")
    for step in steps:
        units = getattr(step, "columns_of_numbers", units)
    table = with_parts(source.table, units)
    return table.assign(
        **{name: source.as_text(name) for name in texts if name in source.table},
        **{
            name: source.as_numbers(name, units[name])
            for name in units
            if name in source.table
        },
    )
