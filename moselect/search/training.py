"""From a table to the samples that a search is fitted to, held out, and dealt out to folds."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_array

from moselect._types import Floats, Integers
from moselect._validation import check_unmasked, check_weights
from moselect.columns.steps import cross_fits
from moselect.columns.training import (
    columns_of,
    columns_transformer,
    fit_training_columns,
    kept_training_columns,
    refit_without_folds,
)
from moselect.decision.costs import Costs
from moselect.decision.kinds import KindMaker
from moselect.features import collected
from moselect.folds import Folds, split_holdout
from moselect.front import Front, Selector
from moselect.models.objective_values import as_objective
from moselect.samples import Samples, check_classes
from moselect.search.settings import SearchSettings

EVIDENCE_ROWS = 50_000  # dealt out to folds: more would hardly make rules or their figures surer
MOST_REPEATED = 10_000_000  # samples, counted as often as their weights say


@dataclass(frozen=True, eq=False)
class Training:
    """What a search is fitted to, in the columns that its models weigh."""

    inside: Samples  # what is not held out, as it came
    held_out: Integers  # rows that are, as often as they count
    transformer: Pipeline | None  # makes the columns; None for features as they are
    samples: Samples  # ``inside`` in these columns
    rows: Integers  # of the samples that are dealt out to folds
    folds: Integers | None  # of these

    @property
    def evidence(self) -> Samples:
        """The samples that are dealt out to folds."""
        everything = len(self.rows) == len(self.samples)
        return self.samples if everything else self.samples.take(self.rows)

    def held_out_of(self, samples: Samples) -> Samples | None:
        """Return those of all samples that were held out, in the same columns; None without any."""
        if len(self.held_out) == 0:
            return None
        return columns_of(samples.take(self.held_out), self.transformer)

    def refitted(self) -> list[Floats] | None:
        """Return the columns fitted without each fold; None if they are the same for all."""
        if self.folds is None:
            return None
        return refit_without_folds(self.inside.take(self.rows), self.transformer, self.folds)

    def selector(
        self,
        front: Front,
        samples: Samples,
        settings: SearchSettings,
        held_out: Samples | None,
        refitted: Sequence[Floats] | None,
    ) -> Selector:
        """Return what selects models from a front of these samples, which are among all samples."""
        maker = KindMaker(
            samples.X,
            settings.columns,
            settings.prepare,
            settings.random_state,
            settings.n_jobs,
        )
        return Selector(
            front,
            self.inside.take(self.rows),
            self.evidence,
            maker,
            None if self.folds is None else Folds.from_index(self.folds),
            refitted,
            rows=self.rows,
            held_out=None if held_out is None else samples.take(self.held_out),
            held_out_data=held_out,
            objectives=settings.objectives,
        )


def fit_training(
    samples: Samples,
    settings: SearchSettings,
    rng: np.random.Generator,
    sample_weight: ArrayLike | None = None,
    fitted: Pipeline | None = None,
) -> Training:
    """Hold out samples, deal out folds, and fit the columns to the training samples.

    ``fitted`` is the transformer of the same search of the same samples, if it ran before: models
    that score the samples are not fitted again.
    """
    counts = sample_counts(sample_weight, len(samples))
    kept, held_out = split_holdout(samples.codes, samples.classes, settings.holdout, rng)
    if counts is not None:
        kept, held_out = np.repeat(kept, counts[kept]), np.repeat(held_out, counts[held_out])
        check_classes(kept, samples.codes[kept], samples.classes, fewest=2)
    inside = samples if len(kept) == len(samples) and counts is None else samples.take(kept)
    transformer = columns_transformer(
        samples.X, settings.columns, settings.prepare, settings.random_state
    )
    folds = None
    if cross_fits(transformer) and settings.cv is not None:
        folds = _deal(inside, settings.cv)
    training = None if fitted is None else kept_training_columns(inside, fitted)
    if training is None:
        training = fit_training_columns(inside, transformer, folds)
    else:
        transformer = fitted
    sampled = settings.sampling is not None
    rows = training.draw_rows(EVIDENCE_ROWS) if sampled else np.arange(len(training))
    if folds is not None:
        folds = folds[rows]
    elif settings.cv is not None:
        folds = _deal(inside if len(rows) == len(training) else inside.take(rows), settings.cv)
    return Training(inside, held_out, transformer, training, rows, folds)


def with_objectives(settings: SearchSettings, classes: Any) -> SearchSettings:
    """Return settings whose objectives are no longer names, that of costs with those given.

    Examples
    --------
    >>> settings = SearchSettings(("cost", "vus"), class_costs=[1, 5])
    >>> with_objectives(settings, ["no", "yes"]).objectives[0].costs([3, 2])
    array([[0., 1.],
           [5., 0.]])
    """
    chosen = [as_objective(given) for given in settings.objectives]
    names = [objective.name for objective in chosen]
    if len(set(names)) < len(names):
        raise ValueError(f"two objectives have one name: {', '.join(names)}")
    if "cost" in names and not (settings.class_costs is None and settings.cost_matrix is None):
        costs = Costs(settings.class_costs, settings.loss, settings.cost_matrix, settings.priors)
        at = names.index("cost")
        chosen[at] = replace(chosen[at], costs=costs.in_order(classes).in_use)
    return replace(settings, objectives=tuple(chosen))


def plain_table(X: Any) -> Any:
    """Return an array of numbers (n, p); a DataFrame as it is, to be prepared by columns."""
    X = collected(X)
    if hasattr(X, "columns"):
        return X
    check_unmasked("X", X)
    return check_array(X, dtype=np.float64, ensure_all_finite=False, input_name="X")


def sample_counts(sample_weight: ArrayLike | None, n: int) -> Integers | None:
    """Return how often each sample counts (n,), or None for once each.

    The search counts samples, and so do its standard errors: a weight is a number of equal samples.
    """
    weights = check_weights(sample_weight, n)
    if weights is None or (weights == 1.0).all():
        return None
    broken = np.flatnonzero(weights != np.floor(weights))
    if len(broken):
        raise ValueError(
            f"sample_weight[{broken[0]}] is {weights[broken[0]]:g}: the search counts samples, so "
            "weights must be whole numbers (for other shares of the classes give priors)"
        )
    if weights.sum() > max(n, MOST_REPEATED):
        raise ValueError(
            f"sample_weight has the sum {weights.sum():g}: each sample is repeated as often as its "
            f"weight says, {MOST_REPEATED:,} in all at most (for other shares of the classes give "
            "priors)"
        )
    return weights.astype(np.int64)


def seed_of(random_state: Any) -> Any:
    """Return the seed of a search: that which is given, or one drawn by a generator, or anew."""
    if random_state is None:
        random_state = np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    return random_state


def _deal(samples: Samples, n_folds: int) -> Integers:
    """Deal samples out to as many folds as every class has samples for."""
    smallest = int(samples.class_counts.argmin())
    count = int(samples.class_counts[smallest])
    possible = max(2, min(n_folds, count))
    if 2 <= count < n_folds:
        warnings.warn(
            f"class {samples.classes[smallest]} has {count} rows: {possible} "
            f"folds instead of {n_folds}, so figures for new data are less sure",
            UserWarning,
            stacklevel=4,
        )
    return Folds.deal(samples.groups, samples.codes, possible).index
