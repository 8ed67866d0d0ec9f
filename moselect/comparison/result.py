"""`Comparison`: what models predict for the samples held out from them, and what follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast, get_args

import moocore
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect._types import Integers
from moselect.comparison.costs import (
    compare_costs,
    cost_verdict,
    decide,
    decision_of,
    use_priors,
)
from moselect.comparison.differences import (
    RankingMeasure,
    holm,
    paired_tests,
    pooled_ranking_test,
)
from moselect.comparison.folds import Fold, check_folds, find_repeats
from moselect.comparison.held_out import ModelResult
from moselect.comparison.measures import find_measures
from moselect.decision import Costs, as_costs


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Models compared on the same folds by the same measures; made by `moselect.compare`.

    What models say about the samples held out is kept, so measures, tests and costs need no model
    to be fitted again. Print it for a table.

    Attributes
    ----------
    classes : ndarray of shape (r,)
        Class labels, lowest first.
    codes : ndarray of shape (n,)
        Class code 0 .. r - 1 of each sample.
    folds : tuple of (train, test)
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
        Whether Ctrl-C ended the comparison; models that were not done by then are not in it.
    fitted_for : Costs, optional
        The costs for which the models were fitted that take costs.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> found = moselect.compare(["trivial", "ordinal_ridge"], X, y, cv=3, random_state=1)
    >>> found.table["accuracy"].index.tolist()
    ['trivial', 'ordinal_ridge']
    >>> found.best_for([1, 1, 1, 5, 5])
    'ordinal_ridge'
    """

    classes: NDArray[Any]
    codes: Integers
    folds: tuple[Fold, ...]
    measures: tuple[str, ...]
    results: Mapping[str, ModelResult]
    fingerprint: str
    random_state: int
    interrupted: bool = False
    fitted_for: Costs | None = None

    def __post_init__(self) -> None:
        check_folds(self.folds, self.codes, self.classes)

    @property
    def failures(self) -> dict[str, str]:
        """Why models failed, in one line each."""
        failures = {name: result.failure for name, result in self.results.items()}
        return {name: reason for name, reason in failures.items() if reason is not None}

    @property
    def warnings(self) -> dict[str, dict[str, int]]:
        """What each model warned of, with the number of folds in which it did."""
        told: dict[str, dict[str, int]] = {}
        for name, result in self.results.items():
            for held_out in result.held_out:
                for line in held_out.warnings:
                    counts = told.setdefault(name, {})
                    counts[line] = counts.get(line, 0) + 1
        return told

    @property
    def undefined(self) -> dict[tuple[str, str], str]:
        """Why (model, measure) has no value in all or some folds, which its mean leaves out."""
        reasons = {}
        for measure in self.measures:
            told: dict[str, list[str]] = {}
            for (name, _), reason in self._measured(measure)[1].items():
                told.setdefault(name, []).append(reason)
            for name, lines in told.items():
                some = f" ({len(lines)} of {len(self.folds)} folds)"
                reasons[name, measure] = lines[0] + (some if len(lines) < len(self.folds) else "")
        return reasons

    @cached_property
    def per_fold(self) -> pd.DataFrame:
        """One row a model and fold: the measures, ``fit_seconds`` and ``predict_seconds``."""
        values = {name: self._measured(name)[0] for name in self.measures}
        values |= {name: self._seconds(name) for name in ("fit_seconds", "predict_seconds")}
        index = pd.MultiIndex.from_product(
            [list(self.results), range(len(self.folds))], names=["model", "fold"]
        )
        return pd.DataFrame(
            {name: part.to_numpy().ravel(order="F") for name, part in values.items()}, index=index
        )

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row a model: mean, sd and rank of each measure, and median seconds of a fold.

        Rank 1 is best, equal means share the better rank, and a model that failed or lacks the
        measure has none. The sd is that of the values of single folds, not of their mean.
        """
        seconds = pd.DataFrame(
            {
                ("seconds", what): self._seconds(f"{what}_seconds").median()
                for what in ("fit", "predict")
            }
        )
        return pd.concat([self.measured(self.measures), seconds], axis=1).rename_axis("model")

    def measured(self, measures: Sequence[str]) -> pd.DataFrame:
        """Return mean, sd and rank of any measures, as `table` does of its own."""
        parts = {}
        for measure in find_measures(measures):
            values = self._measured(measure.name)[0]
            mean = values.mean()
            rank = mean.rank(method="min", ascending=not measure.higher_is_better)
            parts[measure.name] = pd.DataFrame({"mean": mean, "sd": values.std(), "rank": rank})
        return pd.concat(parts, axis=1).rename_axis("model")

    def test(self, measure: str, reference: str | None = None) -> pd.DataFrame:
        """Test the differences of all models from one.

        Parameters
        ----------
        measure : str
            A measure, of the table or not.
        reference : str, optional
            A model; by default the one with the best mean.

        Returns
        -------
        DataFrame
            One row a model that has values. ``difference`` from the reference, its ``standard
            error``, ``t`` and ``p`` are those of the corrected resampled t-test over the folds
            (`corrected_t_test`), ``p adjusted`` Holm's for the number of models. For VUS and the
            pairwise measures, ``pooled p`` and ``pooled p adjusted`` are those of
            `moselect.metrics.ranking_inference` on all samples held out; NaN unless the folds hold
            each sample out once a repeat.

        Raises
        ------
        ValueError
            If the measure or the reference is unknown or has no value.

        Notes
        -----
        Scores of different folds come from different models. For the pooled test, those of each
        fold are shifted and scaled by mean and standard deviation of the scores of the samples that
        its model was fitted to, which changes no ranking within a fold. Repeats are averaged as
        `pooled_ranking_test` says.

        References
        ----------
        Nadeau, Bengio (2003), Inference for the generalization error, Machine Learning 52:239-281.
        """
        (chosen,) = find_measures([measure])
        values = self._measured(measure)[0].dropna(axis="columns", how="all")
        names = list(map(str, values.columns))
        if not names:
            raise ValueError(f"no model has a value of {measure}")
        if reference is None:
            reference = str((chosen.sign * values.mean()).idxmax())
        if reference not in names:
            raise ValueError(
                f"model {reference!r} has no value of {measure}: choose from {', '.join(names)}"
            )
        found = paired_tests(values, self.folds, reference)
        if measure in get_args(RankingMeasure):
            found["pooled p"] = self._pooled_p(cast(RankingMeasure, measure), names, reference)
            found["pooled p adjusted"] = holm(found["pooled p"])
        return found.rename_axis(f"compared with {reference}")

    def front(self, measures: Sequence[str] | None = None) -> list[str]:
        """Return the models that no other one dominates in the means of the measures.

        Parameters
        ----------
        measures : sequence of str, optional
            Measures, of the table or not; by default those of the table.

        Returns
        -------
        list of str
            Names, in the order of the table. A model without a value of a measure is not among
            them, and equally good models all are.
        """
        chosen = find_measures(self.measures if measures is None else measures)
        means = pd.DataFrame({m.name: m.sign * self._measured(m.name)[0].mean() for m in chosen})
        known = means.dropna()
        if known.empty:
            return []
        best = moocore.is_nondominated(known.to_numpy(), maximise=True, keep_weakly=True)
        return list(map(str, known.index[best]))

    def costs(self, costs: Costs | ArrayLike | None = None) -> pd.DataFrame:
        """Return what the mistakes of each model cost on held-out samples, cheapest first.

        Models that were fitted for costs decide as they do. Those that give probabilities P decide
        for the class of least expected cost P C, whatever the costs are. Others know of no costs.

        Parameters
        ----------
        costs : Costs or array-like, optional
            What mistakes cost: `moselect.Costs`, the costs of the classes (r,), or a matrix
            (r, r), rows true classes. By default those that models were fitted for.

        Returns
        -------
        DataFrame
            ``cost``: mean cost of a sample, each counted once however often it is held out, and
            its ``standard error``; ``above least``: difference from the cheapest model, and its
            ``standard error of difference``, both over the samples; ``p adjusted`` of that
            difference by the corrected resampled t-test over the folds, adjusted for the number of
            models (NaN with a single fold), and whether it is ``significant`` (below 0.05);
            ``decision``: ``"fitted"`` for costs, ``"plug-in"`` or ``"as it is"``.

        Raises
        ------
        ValueError
            If costs or priors do not fit the classes, or every model failed.
        """
        stated = as_costs(self.fitted_for if costs is None else costs).in_order(self.classes)
        stated.require()
        matrix = stated.matrix(len(self.classes))
        working = {name: found for name, found in self.results.items() if found.failure is None}
        if not working:
            raise ValueError("every model failed: there is nothing to choose from")
        decided = {
            name: decide(result, self.folds, self.codes, stated, matrix)
            for name, result in working.items()
        }
        if stated.priors is not None:
            matrix = use_priors(matrix, stated.priors, self.codes[self._rows], self.classes)
        table = compare_costs(self.codes, self.folds, decided, matrix)
        return table.assign(decision=[decision_of(working[str(name)]) for name in table.index])

    def kinds(self, costs: Costs | ArrayLike | None = None) -> pd.DataFrame:
        """Return the models side by side by what they cost and how complex they are.

        Parameters
        ----------
        costs : Costs or array-like, optional
            As in `costs`. If models were fitted for none, a mistake costs its distance in ranks.

        Returns
        -------
        DataFrame
            The columns of `costs`, and ``terms``: the median number over the folds, NaN for a model
            that is no sum of terms, which cannot be written down; ``seconds``: the median time of a
            fit. Cheapest first.
        """
        if costs is None and self.fitted_for is None:
            costs = Costs(np.ones(len(self.classes)))
        table = self.costs(costs)
        terms = {
            name: np.median([held_out.n_terms for held_out in self.results[name].held_out])
            for name in map(str, table.index)
        }
        seconds = self.table["seconds", "fit"].reindex(table.index)
        return table.assign(terms=pd.Series(terms, dtype=np.float64), seconds=seconds)

    def best_for(self, costs: Costs | ArrayLike | None = None) -> str:
        """Return the model whose mistakes cost least on held-out samples.

        Parameters and errors are those of `costs`.
        """
        return str(self.costs(costs).index[0])

    def cost_verdict(self, costs: Costs | ArrayLike | None = None) -> str:
        """Return in a sentence which model costs least, and which cannot be told from it.

        Parameters and errors are those of `costs`.
        """
        return cost_verdict(self.costs(costs))

    def __repr__(self) -> str:
        return f"Comparison of {', '.join(self.results)} in {len(self.folds)} folds"

    def __str__(self) -> str:
        from moselect.comparison.text import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from moselect.comparison.text import as_html

        return as_html(self)

    @cached_property
    def _rows(self) -> Integers:
        """Rows that some fold holds out, ascending."""
        return np.unique(np.concatenate([test for _, test in self.folds]))

    @cached_property
    def _cache(self) -> dict[str, tuple[pd.DataFrame, dict[tuple[str, int], str]]]:
        return {}

    def _measured(self, name: str) -> tuple[pd.DataFrame, dict[tuple[str, int], str]]:
        """Return a measure (J, m) of all folds and models, and why (model, fold) has none."""
        if name in self._cache:
            return self._cache[name]
        (measure,) = find_measures([name])
        classes = np.unique(self.codes[self._rows])
        values = self._empty()
        reasons = {}
        for model, result in self.results.items():
            for j, held_out in enumerate(result.held_out):
                true = self.codes[self.folds[j][1]]
                try:
                    values.loc[j, model] = measure(true, held_out, classes, len(self.classes))
                except ValueError as error:
                    reasons[model, j] = str(error)
        return self._cache.setdefault(name, (values, reasons))

    def _seconds(self, what: str) -> pd.DataFrame:
        values = self._empty()
        for name, result in self.results.items():
            if result.failure is None:
                values[name] = [getattr(held_out, what) for held_out in result.held_out]
        return values

    def _empty(self) -> pd.DataFrame:
        return pd.DataFrame(np.nan, index=range(len(self.folds)), columns=list(self.results))

    def _pooled_p(self, measure: RankingMeasure, names: list[str], reference: str) -> pd.Series:
        """Test on the samples of all folds of a repeat together; NaN if there are no repeats."""
        repeats = find_repeats(self.folds)
        if repeats is None:
            return pd.Series(np.nan, index=names)
        pooled = np.empty((len(repeats), len(self._rows), len(names)))
        for scores, folds in zip(pooled, repeats, strict=True):
            for j in folds:
                rows = np.searchsorted(self._rows, self.folds[j][1])
                scores[rows] = np.column_stack(
                    [self.results[name].held_out[j].standardised for name in names]
                )
        codes = self.codes[self._rows]
        found = pooled_ranking_test(codes, list(pooled), measure, names.index(reference))
        return pd.Series(found["p"].to_numpy(), index=names)
