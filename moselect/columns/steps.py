"""What the columns of a model say of themselves, whichever transformers make them.

Beside those of scikit-learn, the transformers here and `SplineColumns` have methods of their own,
which one's own transformers may have:

- ``terms(features)``: their columns as formulas of the features' formulas; the first step has
  ``terms()`` if it takes tables of any columns,
- ``summary``: what they do, in words, and ``described_columns``: what to call their columns,
- ``problems(table)`` and ``remarks(table)``: what is wrong with rows, and what is unusual in them,
- ``only_selects``: whether their columns are those of the table, whatever they are fitted to,
- ``fit_in_folds``: whether they give each sample columns that were fitted without its fold.
"""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import Pipeline

from moselect.columns.number_columns import ELSEWHERE
from moselect.models.terms import Number, Term


def steps_of(columns: Any) -> list[Any]:
    """Return the transformers of which one consists; none of None."""
    if isinstance(columns, Pipeline):
        return [step for _, step in columns.steps]
    return [] if columns is None else [columns]


def column_terms(columns: Any) -> tuple[Term, ...]:
    """Return a term for each column that a fitted transformer makes, in order.

    Each operation is the same on doubles, in the same order, so that a term has the value of its
    column to the last bit.

    Raises
    ------
    ValueError
        If a step has no formula: models as columns, dates, durations.
    """
    first, *others = steps_of(columns)
    if not all(hasattr(step, "terms") for step in (first, *others)):
        name = next(type(step).__name__ for step in (first, *others) if not hasattr(step, "terms"))
        raise ValueError(f"columns of {name} have no formula, {ELSEWHERE}")
    if hasattr(first, "problems"):
        terms = first.terms()
    else:
        names = getattr(first, "feature_names_in_", None)
        names = [f"x{j}" for j in range(first.n_features_in_)] if names is None else names
        terms = first.terms(tuple(Number(str(name)) for name in names))
    for step in others:
        terms = step.terms(terms)
    return tuple(terms)


def summaries(columns: Any) -> list[str]:
    """Return what is done to the columns of a table before they are weighed."""
    return [step.summary for step in steps_of(columns) if hasattr(step, "summary")]


def only_selects(columns: Any) -> bool:
    """Return whether fitted columns are columns of the table, whatever they are fitted to."""
    return all(getattr(step, "only_selects", False) for step in steps_of(columns))


def cross_fits(columns: Any) -> bool:
    """Return whether each sample gets columns that were fitted without its fold."""
    return any(hasattr(step, "fit_in_folds") for step in steps_of(columns))
