"""Comparison of models: out-of-fold predictions, measures and costs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape

import moocore
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers, Labels
from moselect.comparison.model_result import (
    SECONDS,
    FoldMeasures,
    ModelResult,
    measure_folds,
    readable_table,
)
from moselect.metrics.costs import Costs, as_costs
from moselect.metrics.objectives import short_measure
from moselect.metrics.scorers import find_measures
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.validation import require_samples
from moselect.selection.criteria import resolve_costs
from moselect.selection.evaluation import Splits
from moselect.selection.evidence import Evidence


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Models compared on the same folds by the same measures; made by `moselect.compare`.

    Out-of-fold predictions are kept: further measures and costs need no refitting.

    Attributes
    ----------
    classes, codes : ndarray of shape (r,) and (n,)
        Class labels, lowest first, and the class code 0 .. r - 1 of each sample.
    folds : Folds
        Training and test rows.
    measures : tuple of str
        The measures of `table`.
    results : dict of str to ModelResult
        Result of each model.
    fingerprint : str
        Hash of the data.
    random_state : int
        Seed of folds and models.
    interrupted : bool
        Whether Ctrl-C ended the comparison; unfinished models are left out.
    fitted_for : Costs, optional
        Costs passed to the models that take costs.
    weights, groups : ndarray of shape (n,), optional
        Relative weights and groups of the samples.
    scale : ndarray
        All classes, lowest first, including classes without samples.
    guessed : bool
        Whether the order of the classes was inferred from a known scale.

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

    scale: Labels
    classes: Labels
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
    guessed: bool = False

    @cached_property
    def _samples(self) -> Samples:
        """The samples, without their features."""
        n = len(self.codes)
        return Samples(
            np.empty((n, 0)),
            self.codes,
            self.classes,
            weights=self.weights,
            groups=self.groups,
            rows=np.arange(n),
        )

    @property
    def failures(self) -> dict[str, str]:
        """Reason of each failure."""
        reasons = {name: result.failure for name, result in self.results.items()}
        return {name: reason for name, reason in reasons.items() if reason}

    @property
    def warnings(self) -> dict[str, dict[str, int]]:
        """Warnings of each model, with the number of folds."""
        return {
            name: dict(Counter(lines))
            for name, result in self.results.items()
            if (
                lines := [
                    line for part in result.fold_predictions for line in part.warnings
                ]
            )
        }

    @property
    def undefined(self) -> dict[tuple[str, str], str]:
        """Reasons why (model, measure) is undefined in all or some folds (not in the mean)."""
        return self._measured.reasons

    @property
    def notes(self) -> list[str]:
        """Failures, undefined measures and warnings, one line each."""
        lines = [f"{name} failed: {reason}" for name, reason in self.failures.items()]
        missing: dict[tuple[str, str], list[str]] = {}
        for (name, measure), reason in self.undefined.items():
            missing.setdefault((measure, reason), []).append(name)
        for (measure, reason), names in missing.items():
            who = f"{short_measure(measure)} not available for {', '.join(names)}"
            lines.append(f"{who}: {reason}")
        for name, counts in self.warnings.items():
            lines += [f"{name} warned in {n} folds: {line}" for line, n in counts.items()]
        if self.interrupted:
            lines.append("interrupted: unfinished models are excluded")
        return lines

    @cached_property
    def per_fold(self) -> pd.DataFrame:
        """Measures, ``fit_seconds`` and ``predict_seconds``, one row per model and fold."""
        return self._measured.values.drop(columns="n_terms")

    @cached_property
    def table(self) -> pd.DataFrame:
        """Mean, sd and rank of each measure and median seconds per fold, one row per model.

        Rank 1 is best, equal means share the better rank, and a model without the measure
        has none. The sd is between folds; it is not the standard error of the mean.
        """
        parts = {}
        for measure in find_measures(self.measures):
            values = self._by_model(measure.name)
            mean = values.mean()
            rank = mean.rank(method="min", ascending=measure.sign < 0.0)
            columns = {"mean": mean, "sd": values.std(), "rank": rank}
            parts[measure.name] = pd.DataFrame(columns)
        fit, predict = (self._by_model(seconds).median() for seconds in SECONDS)
        parts["seconds"] = pd.DataFrame({"fit": fit, "predict": predict})
        return pd.concat(parts, axis=1).rename_axis("model")

    def measured(self, measures: Sequence[str]) -> pd.DataFrame:
        """Compute mean, sd and rank of any measures, as in `table`."""
        names = [measure.name for measure in find_measures(measures)]
        known = set(names) <= set(self.measures)
        return (self if known else replace(self, measures=tuple(names))).table[names]

    def front(self, measures: Sequence[str] | None = None) -> list[str]:
        """Return the Pareto-optimal models by the means of the measures.

        By default, the measures of the table. Models with an undefined measure are left
        out, and ties are kept.
        """
        measures = self.measures if measures is None else measures
        means = self.measured(measures).xs("mean", axis=1, level=1).dropna()
        gains = means * [measure.sign for measure in find_measures(measures)]
        best = moocore.is_nondominated(gains.to_numpy(), maximise=True, keep_weakly=True)
        return list(map(str, means.index[best]))

    def costs(self, costs: Costs | ArrayLike | None = None) -> pd.DataFrame:
        """Compute the cross-validated misclassification cost of each model, cheapest first.

        Models that decide for costs keep their predictions. Other models with probabilities P
        predict the class of least expected cost P C. Models without probabilities ignore
        the costs.

        Parameters
        ----------
        costs : Costs or array-like, optional
            As in `compare`; by default the costs for which models decide, or else the
            distance in ranks.

        Returns
        -------
        DataFrame
            ``cost``: mean cost per sample, each counted once, and its ``std_error``
            (for `Costs` with a metric a column of its name, with the values of the metric,
            and differences in place of relative costs);
            ``excess``: relative excess cost over the cheapest model, paired by sample and
            corrected for selection bias, with its 95 % interval from ``excess_low`` to
            ``excess_high``; ``decision``: ``"fitted"`` for costs, ``"plug-in"`` or ``"as
            it is"``; ``terms``: median number over the folds, NaN for a model that is not
            a sum of terms; ``seconds``: the median time of a fit.

        Raises
        ------
        ValueError
            If costs or priors do not fit the classes, or every model failed.
        """
        evidence = self.evidence(costs)
        decisions = {name: self.results[name].decision for name in evidence.evaluations}
        table = evidence.candidates.rename_axis("model")
        return table.assign(decision=pd.Series(decisions))

    def evidence(self, costs: Costs | ArrayLike | None = None) -> Evidence:
        """Evaluate the models for costs, and select the cheapest.

        The result of `ParetoSearch.select` has the same evidence: besides `costs` the paired
        differences, trade-offs, prices of limits and groups. Parameters as in `costs`.

        Examples
        --------
        >>> import moselect
        >>> X, y = moselect.datasets.load_boston()
        >>> models = ["proportional_odds", "linear"]
        >>> comparison = moselect.compare(models, X, y, cv=3, random_state=0)
        >>> evidence = comparison.evidence([1, 1, 1, 5, 5])
        >>> evidence.selected, list(evidence.differences)
        ('proportional_odds', ['linear'])
        """
        names = [name for name in self.results if name not in self.failures]
        if not names:
            raise ValueError("every model failed: there is nothing to choose from")
        splits = Splits.of(self._samples, self.folds)
        # By default the costs for which models of the comparison decide.
        stated = self.fitted_for
        if costs is not None or stated is None:
            stated = as_costs(costs).for_seen(
                self.classes, self.scale, guessed=self.guessed
            )
        criteria = resolve_costs(stated, splits.train)
        criteria = replace(criteria, decides_by_row=stated.by_row)
        if stated.priors is not None:
            in_use = criteria.ratios > 0.0
            needed = "the cost under these priors"
            require_samples(splits.cv.class_weights[in_use], self.classes[in_use], needed)
        terms = self._by_model("n_terms").median(skipna=False)
        seconds = self._by_model("fit_seconds").median()
        fits = {
            name: self.results[name].fitted(terms[name], seconds[name]) for name in names
        }
        evaluated = Evidence.of(fits, criteria, splits)
        # Overlapping test folds have no clusters that could set the class shares.
        selected, resampled = evaluated.selection(names, "cheapest", by_shares=False)
        return replace(evaluated, selected=selected, resampled=resampled)

    def best_for(self, costs: Costs | ArrayLike | None = None) -> str:
        """Return the model of least cost; parameters and exceptions as in `costs`."""
        return self.evidence(costs).selected

    def __repr__(self) -> str:
        return f"Comparison of {', '.join(self.results)} in {len(self.folds)} folds"

    def __str__(self) -> str:
        return "\n".join(
            [readable_table(self.table).to_string(), self._cells, *self.notes]
        )

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{escape(line)}</p>" for line in (self._cells, *self.notes))
        return readable_table(self.table).to_html(border=0) + lines

    @property
    def _cells(self) -> str:
        return f"mean ± sd over {len(self.folds)} folds; * best"

    @cached_property
    def _measured(self) -> FoldMeasures:
        return measure_folds(
            self.results, self.folds, self._samples, self.scale, self.measures
        )

    def _by_model(self, name: str) -> pd.DataFrame:
        """Return a measure, or a time, by fold (rows) and model (columns)."""
        return self._measured.values[name].unstack("model")[[*self.results]]
