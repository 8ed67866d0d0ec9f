"""What the page needs to score a row that is typed in: the score as terms, and their columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from moselect.columns.cells import as_frame, read_dates, read_levels, read_numbers
from moselect.columns.steps import column_terms
from moselect.models import OrdinalLinearClassifier
from moselect.models.card import names_of
from moselect.models.terms import DatePart, Level, Number, Term, Time, Truth, leaves
from moselect.samples import Samples

N_POINTS = 25  # along the range of a number, the median in the middle
MOST_LEVELS = 200  # of a column that can be chosen, the most frequent ones


def case_of(model: OrdinalLinearClassifier, samples: Samples) -> dict[str, Any]:
    """Return the terms of a score, and the columns to fill in, each with where to begin.

    A term is its weight, its mean in training, and itself as plain values. A column begins with its
    median, or its levels with the most frequent one.
    """
    columns, values, terms = model.columns, samples.X, tuple[Term, ...]()
    if columns is None:
        terms = tuple(Number(name) for name in names_of(model))
    else:
        values, terms = columns.transform(samples.X), column_terms(columns)
    means = np.asarray(values, dtype=np.float64).mean(axis=0).tolist()
    weighed = zip(model.coef_.tolist(), means, map(_plain, terms), strict=True)
    return {"terms": list(weighed), "columns": _columns(terms, samples)}


def _plain(term: Term) -> list[Any]:
    parts = vars(term).values()
    return [type(term).__name__, *(_plain(p) if isinstance(p, Term) else p for p in parts)]


def _columns(terms: Iterable[Term], samples: Samples) -> dict[str, dict[str, Any]]:
    table = as_frame(samples.X)
    if samples.feature_names is not None:
        table = table.set_axis(samples.feature_names, axis="columns")
    found: dict[str, dict[str, Any]] = {}
    for leaf in (leaf for term in terms for leaf in leaves(term)):
        match leaf:
            case Number(name, gap):
                values, bad = read_numbers(table[name])
                shares = np.linspace(0.0, 1.0, N_POINTS)
                at = np.nanquantile(values[~bad], shares, method="nearest").tolist()
                column: dict[str, Any] = {"start": at[N_POINTS // 2], "range": at}
            case Truth(name, gap) | Level(name, missing=gap):
                codes, levels = read_levels(table[name])
                order = np.argsort(-np.bincount(codes[codes >= 0]), kind="stable")[:MOST_LEVELS]
                column = {"start": levels[order[0]], "levels": [levels[k] for k in order]}
            case Time(name, fill=gap):
                texts = table[name].dropna().astype(str)
                column = {"start": texts.mode().iloc[0], "text": True}
            case DatePart(name, date_format=date_format, fill=gap):
                dates = read_dates(table[name], date_format)[0].dropna().sort_values()
                middle = pd.Timestamp(dates.iloc[len(dates) // 2]).isoformat()
                timed = (dates != dates.dt.normalize()).any()
                column = {"start": middle[: 16 if timed else 10], "date": True}
            case _:
                continue
        found[name] = column | {"gaps": gap is not None}
    return found
