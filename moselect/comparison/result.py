"""`Comparison`: what models predict for the samples held out from them, and what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

import moocore
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats, Integers
from moselect.comparison.costs import compare_costs, matrix_in_use
from moselect.comparison.measures import find_measures
from moselect.comparison.model_result import ModelResult
from moselect.comparison.text import measures_table
from moselect.decision.costs import Costs, as_costs
from moselect.folds import Folds
from moselect.metrics.objectives import short_measure
from moselect.samples import Samples


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Models compared on the same folds by the same measures; made by `moselect.compare`.

    What models say about the samples held out is kept, so nothing needs to be fitted
    again.

    Attributes
    ----------
    classes : ndarray of shape (r,)
        Class labels, lowest first.
    codes : ndarray of shape (n,)
        Class code 0 .. r - 1 of each sample.
    folds : Folds
        Rows that models were fitted to, and rows held out.
    measures : tuple of str
        The measures of `table`.
    results : dict of str to ModelResult
        What became of each model.
    fingerprint : str
        By which the data are recognised.
    random_state : int
        Seed of folds and models.
    interrupted : bool
        Whether Ctrl-C ended the comparison; models that were not done by then are not in
        it.
    fitted_for : Costs, optional
        The costs for which the models were fitted that take costs.
    weights, groups : ndarray of shape (n,), optional
        Relative weights of the samples, and what they belong to.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> names = ["always_one_class", "ordinal_ridge"]
    >>> comparison = moselect.compare(names, X, y, cv=3, random_state=1)
    >>> comparison.table["accuracy"].index.tolist()
    ['always_one_class', 'ordinal_ridge']
    >>> comparison.best_for([1, 1, 1, 5, 5])
    'ordinal_ridge'
    """

    classes: NDArray[Any]
    codes: Integers
    folds: Folds
    measures: tuple[str, ...]
    results: Mapping[str, ModelResult]
    fingerprint: str
    random_state: int
    interrupted: bool = False
    fitted_for: Costs | None = None
    weights: Floats | None = None
    groups: Integers | None = None

    @cached_property
    def _samples(self) -> Samples:
        """The samples, without their features."""
        nothing = np.empty((len(self.codes), 0))
        return Samples(nothing, self.codes, self.classes, None, self.weights, self.groups)

    @property
    def failures(self) -> dict[str, str]:
        """Why models failed, in one line each."""
        failures = {name: result.failure for name, result in self.results.items()}
        return {name: reason for name, reason in failures.items() if reason is not None}

    @property
    def warnings(self) -> dict[str, dict[str, int]]:
        """What each model warned of, with the number of folds in which it did."""
        lines = {
            name: Counter(line for part in result.held_out for line in part.warnings)
            for name, result in self.results.items()
        }
        return {name: dict(counts) for name, counts in lines.items() if counts}

    @property
    def undefined(self) -> dict[tuple[str, str], str]:
        """Why (model, measure) has no value in all or some folds, which its mean leaves out."""
        reasons = {}
        for measure in self.measures:
            for name, lines in self._measured(measure)[1].items():
                some = f" ({len(lines)} of {len(self.folds)} folds)"
                reasons[name, measure] = lines[0] + (
                    some if len(lines) < len(self.folds) else ""
                )
        return reasons

    @property
    def notes(self) -> list[str]:
        """What tables cannot say, a line each: failures, missing values, and warnings."""
        lines = [f"{name} failed: {reason}" for name, reason in self.failures.items()]
        missing: dict[tuple[str, str], list[str]] = {}
        for (name, measure), reason in self.undefined.items():
            missing.setdefault((measure, reason), []).append(name)
        lines += [
            f"{short_measure(measure)} not available for {', '.join(names)}: {reason}"
            for (measure, reason), names in missing.items()
        ]
        for name, told in self.warnings.items():
            lines += [
                f"{name} warned in {count} folds: {line}" for line, count in told.items()
            ]
        if self.interrupted:
            lines.append("interrupted: models that were not done are left out")
        return lines

    @cached_property
    def per_fold(self) -> pd.DataFrame:
        """One row a model and fold: the measures, ``fit_seconds`` and ``predict_seconds``."""
        values = {name: self._measured(name)[0] for name in self.measures}
        values |= {name: self._told(name) for name in ("fit_seconds", "predict_seconds")}
        index = pd.MultiIndex.from_product(
            [list(self.results), range(len(self.folds))], names=["model", "fold"]
        )
        return pd.DataFrame(
            {name: part.to_numpy().ravel(order="F") for name, part in values.items()},
            index=index,
        )

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row a model: mean, sd and rank of each measure, and median seconds of a fold.

        Rank 1 is best, equal means share the better rank, and a model that failed or
        lacks the measure has none. The sd is that of the values of single folds, not of
        their mean.
        """
        seconds = {
            ("seconds", what): self._told(f"{what}_seconds").median()
            for what in ("fit", "predict")
        }
        parts = [self.measured(self.measures), pd.DataFrame(seconds)]
        return pd.concat(parts, axis=1).rename_axis("model")

    def measured(self, measures: Sequence[str]) -> pd.DataFrame:
        """Return mean, sd and rank of any measures, as `table` does of its own."""
        parts = {}
        for measure in find_measures(measures):
            values = self._measured(measure.name)[0]
            mean = values.mean()
            rank = mean.rank(method="min", ascending=measure.sign < 0.0)
            parts[measure.name] = pd.DataFrame(
                {"mean": mean, "sd": values.std(), "rank": rank}
            )
        return pd.concat(parts, axis=1).rename_axis("model")

    def front(self, measures: Sequence[str] | None = None) -> list[str]:
        """Return the models that no other one dominates in the means of the measures.

        Measures may be of the table or not; by default they are those of the table. A
        model without a value of a measure is not on the front, and equally good models
        all are.
        """
        chosen = find_measures(self.measures if measures is None else measures)
        means = pd.DataFrame(
            {m.name: m.sign * self._measured(m.name)[0].mean() for m in chosen}
        )
        known = means.dropna()
        best = moocore.is_nondominated(known.to_numpy(), maximise=True, keep_weakly=True)
        return list(map(str, known.index[best]))

    def costs(self, costs: Costs | ArrayLike | None = None) -> pd.DataFrame:
        """Return what the mistakes of each model cost on held-out samples, cheapest first.

        Models that were fitted for costs decide as they do. Those that give probabilities
        P decide for the class of least expected cost P C, whatever the costs are. Others
        know of no costs.

        Parameters
        ----------
        costs : Costs or array-like, optional
            What mistakes cost: `moselect.Costs`, the costs of the classes (r,), or a
            matrix (r, r), rows true classes. By default those that models were fitted
            for; if they were for none, a mistake costs its distance in ranks.

        Returns
        -------
        DataFrame
            ``cost``: mean cost of a sample, each counted once however often it is held
            out, and its ``standard error``; ``behind``: what it costs more than the
            cheapest model, as a share of the least cost and paired by sample, with its 95
            % interval, ``behind low`` to ``behind high``; ``decision``: ``"fitted"`` for
            costs, ``"plug-in"`` or ``"as it is"``; ``terms``: their median number over
            the folds, NaN for a model that is no sum of terms; ``seconds``: the median
            time of a fit.

        Raises
        ------
        ValueError
            If costs or priors do not fit the classes, or every model failed.
        """
        stated = as_costs(self.fitted_for if costs is None else costs).in_order(
            self.classes
        )
        working = {
            name: result for name, result in self.results.items() if not result.failure
        }
        if not working:
            raise ValueError("every model failed: there is nothing to choose from")
        decided = {
            name: result.decide(self.folds, self._samples, stated)
            for name, result in working.items()
        }
        matrix = matrix_in_use(stated, self._samples.take(self.folds.held_out))
        return compare_costs(self._samples, self.folds, decided, matrix).assign(
            decision=pd.Series(
                {name: result.decision for name, result in working.items()}
            ),
            terms=self._told("n_terms").median(skipna=False),
            seconds=self._told("fit_seconds").median(),
        )

    def best_for(self, costs: Costs | ArrayLike | None = None) -> str:
        """Return the model of least cost; parameters and errors are those of `costs`."""
        return str(self.costs(costs).index[0])

    def __repr__(self) -> str:
        return f"Comparison of {', '.join(self.results)} in {len(self.folds)} folds"

    def __str__(self) -> str:
        table = measures_table(self.table, self.measures).to_string()
        return "\n".join([table, self._cells, *self.notes])

    def _repr_html_(self) -> str:
        table = measures_table(self.table, self.measures).to_html(border=0)
        return table + "".join(
            f"<p>{escape(line)}</p>" for line in (self._cells, *self.notes)
        )

    @property
    def _cells(self) -> str:
        return f"mean ± sd over {len(self.folds)} folds; * best"

    @cached_property
    def _cache(self) -> dict[str, tuple[pd.DataFrame, dict[str, list[str]]]]:
        return {}

    def _measured(self, name: str) -> tuple[pd.DataFrame, dict[str, list[str]]]:
        """Return a measure (J, m) of all folds and models, and why a model has none in a fold."""
        if name in self._cache:
            return self._cache[name]
        (measure,) = find_measures([name])
        classes = np.unique(self.codes[self.folds.held_out])
        values = self._empty()
        reasons: dict[str, list[str]] = {}
        for model, result in self.results.items():
            for j, part in enumerate(result.held_out):
                try:
                    values.loc[j, model] = measure(
                        self._samples.take(part.rows), part, classes
                    )
                except ValueError as error:
                    reasons.setdefault(model, []).append(str(error))
        return self._cache.setdefault(name, (values, reasons))

    def _told(self, what: str) -> pd.DataFrame:
        """Return a number (J, m) that all folds of all models have."""
        values = self._empty()
        for name, result in self.results.items():
            if result.failure is None:
                values[name] = [getattr(part, what) for part in result.held_out]
        return values

    def _empty(self) -> pd.DataFrame:
        return pd.DataFrame(
            np.nan, index=range(len(self.folds)), columns=list(self.results)
        )
