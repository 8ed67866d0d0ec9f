"""Target encoding of integers that identify things, such as persons, schools or shops."""

from typing import ClassVar, Self

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.preprocessing.level_columns import EncodedColumn
from moselect.preprocessing.number_columns import Column, NumberColumn
from moselect.preprocessing.terms import Curve, TableTerms, Term
from moselect.tables.cells import MOST_LEVELS
from moselect.tables.schema import are_integers


class IntegerColumn(Column, tag="integers", frozen=True, kw_only=True):
    """Target encoding of the integers in a column of numbers, as in `EncodedColumn`.

    A person's number, such as 1207, becomes the mean class of this person, which no trend
    along the numbers captures. The encoding is a step function: ``steps[k]`` from
    ``breaks[k - 1]`` on, where all numbers between the integers have the overall mean.
    """

    option = "keep"
    endings: ClassVar[list[str]] = [" (mean class)"]
    inputs: ClassVar[tuple[Column, ...]] = ()  # the numbers are in use already

    number: NumberColumn
    breaks: list[float]
    steps: list[float]

    @classmethod
    def learn(
        cls, number: NumberColumn, table: TableTerms, codes: Integers
    ) -> Self | None:
        """Learn from a table and class codes (n,).

        None for numbers other than integers, and for integers without effects of their own.
        """
        values = number.evaluate(table)[:, 0]
        if not identify_things(values, codes):
            return None
        integers, places = np.unique(values, return_inverse=True)
        encoded = EncodedColumn.learn(
            number.name, places, list(map(str, integers)), codes
        )
        # The step of an integer ends at the next floating-point number.
        breaks = np.column_stack([integers, np.nextafter(integers, np.inf)]).ravel()
        steps = np.full(len(breaks) + 1, encoded.unknown)
        steps[1::2] = list(encoded.levels.values())
        return cls(
            name=number.name, number=number, breaks=breaks.tolist(), steps=steps.tolist()
        )

    @property
    def note(self) -> str:
        """Short description of the transformation."""
        return f"each of {len(self.steps) // 2} integers target-encoded, too"

    def terms(self) -> list[Term]:
        """Return the output column as a formula."""
        centres = (0.0,) * len(self.steps)
        coefficients = tuple((step,) for step in self.steps)
        number = self.number.terms()[0]
        return [Curve(number, tuple(self.breaks), centres, coefficients)]

    def encoded_cells(self, table: TableTerms) -> pd.Series:
        """Return the numbers (n,) of the cells, missing ones imputed."""
        return pd.Series(self.number.evaluate(table)[:, 0], name=self.name)


# Level of significance: columns without effects are rarely encoded.
MAX_P_VALUE = 0.001


def identify_things(values: Floats, codes: Integers) -> bool:
    """Test whether numbers (n,) are integers whose mean classes depart from a trend.

    Analysis of variance of the class codes (n,) between the integers, within bins that follow
    the trend. The departures must be significant, and larger than the trend: trees find the
    steps of amounts themselves.

    Examples
    --------
    >>> persons = np.repeat(np.arange(40), 5)
    >>> identify_things(persons, persons % 2), identify_things(persons, persons // 20)
    (True, False)
    """
    places, counts = np.unique(values, return_inverse=True, return_counts=True)[1:]
    n = len(places)
    n_integers = len(counts)
    if not (are_integers(values) and MOST_LEVELS < n_integers < n):
        return False
    # Bins of about equally many rows, which divide no integer.
    bins = ((np.cumsum(counts) - 1) * MOST_LEVELS // n)[places]
    within_bins = _squares(codes, bins)
    within_integers = _squares(codes, places)
    departures = within_bins - within_integers
    df_between = n_integers - len(np.unique(bins))
    df_within = n - n_integers
    if departures < n * codes.var() - within_bins:
        return False
    # Nothing is left within integers of one class each: the ratio stays finite.
    ratio = departures / max(within_integers, np.finfo(float).eps)
    from scipy.special import fdtrc  # predictions never need it

    return bool(
        fdtrc(df_between, df_within, ratio * df_within / df_between) < MAX_P_VALUE
    )


def _squares(codes: Integers, groups: Integers) -> float:
    """Compute the sum of squared distances of codes (n,) to the means of their groups."""
    column = pd.Series(codes)
    return float(((column - column.groupby(groups).transform("mean")) ** 2).sum())
