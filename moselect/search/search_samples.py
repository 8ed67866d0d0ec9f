"""From a table to the samples that a search is fitted to, held out, and dealt out to folds."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_array

from moselect._types import Floats
from moselect._validation import check_unmasked
from moselect.columns.sample_columns import (
    columns_of,
    columns_transformer,
    fit_training_columns,
    kept_training_columns,
    refit_without_folds,
)
from moselect.columns.steps import cross_fits
from moselect.decision.costs import Costs
from moselect.decision.learners import KindMaker
from moselect.features import collected
from moselect.folds import Folds, split_holdout
from moselect.front import Front, Selector
from moselect.models.objective_values import as_objective
from moselect.samples import Samples
from moselect.search.settings import SearchSettings

# of samples with times, which are held out unless another share is given
LAST_SHARE = 0.3
# dealt out to folds: more would hardly make rules or their figures surer
EVIDENCE_ROWS = 50_000


@dataclass(frozen=True, eq=False)
class SearchSamples:
    """What a search is fitted to, in the columns that its models weigh."""

    table: Any  # all rows, as they came
    held_out: Samples | None  # those that are, as they came
    transformer: Pipeline | None  # makes the columns; None for features as they are
    samples: Samples  # those that are not, in these columns
    raw_evidence: Samples  # of these, what is dealt out to folds, as it came
    evidence: Samples  # the same in these columns
    folds: Folds | None  # of the evidence

    def held_out_columns(self) -> Samples | None:
        """Return the samples that were held out, in the same columns; None without any."""
        return (
            None if self.held_out is None else columns_of(self.held_out, self.transformer)
        )

    def refitted(self) -> list[Floats] | None:
        """Return the columns fitted without each fold; None if they are the same for all."""
        if self.folds is None:
            return None
        return refit_without_folds(self.raw_evidence, self.transformer, self.folds)

    def selector(
        self,
        front: Front,
        settings: SearchSettings,
        held_out: Samples | None,
        refitted: Sequence[Floats] | None,
    ) -> Selector:
        """Return what selects models from a front of these samples."""
        maker = KindMaker(
            self.table,
            settings.columns,
            settings.prepare,
            settings.random_state,
            settings.n_jobs,
        )
        return Selector(
            front,
            self.raw_evidence,
            self.evidence,
            maker,
            self.folds,
            refitted,
            held_out=self.held_out,
            held_out_data=held_out,
            objectives=settings.objectives,
        )


def fit_training(
    samples: Samples,
    settings: SearchSettings,
    rng: np.random.Generator,
    fitted: Pipeline | None = None,
) -> SearchSamples:
    """Hold out samples, deal out folds, and fit the columns to the training samples.

    ``fitted`` is the transformer of the same search of the same samples, if it ran
    before: models that score the samples are not fitted again.
    """
    share = settings.holdout
    if share is None and samples.times is not None:
        share = LAST_SHARE
    kept, held_out_rows = split_holdout(samples, share, rng)
    inside = samples if len(kept) == len(samples) else samples.take(kept)
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
    raw, evidence = inside, training
    if settings.sampling is not None and len(training) > EVIDENCE_ROWS:
        rows = training.draw_rows(EVIDENCE_ROWS)
        raw, evidence = inside.take_part(rows), training.take_part(rows)
        folds = None if folds is None else Folds.from_index(folds.index[rows])
    if folds is None and settings.cv is not None:
        folds = _deal(raw, settings.cv)
    held_out = samples.take(held_out_rows) if len(held_out_rows) else None
    return SearchSamples(samples.X, held_out, transformer, training, raw, evidence, folds)


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
    if "cost" in names and not (
        settings.class_costs is None and settings.cost_matrix is None
    ):
        costs = Costs(
            settings.class_costs, settings.loss, settings.cost_matrix, settings.priors
        )
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


def seed_of(random_state: Any) -> Any:
    """Return the seed of a search: that which is given, or one drawn by a generator, or anew."""
    if random_state is None:
        random_state = np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    return random_state


def _deal(samples: Samples, cv: Any) -> Folds:
    """Deal samples out to as many folds as every class has groups for, by time, or as asked for."""
    if not isinstance(cv, int):
        folds = Folds.of(cv, samples.X, samples.undivided, samples.codes)
        folds.check_classes(samples.codes, samples.classes)
        _ = folds.parts  # ValueError if a sample is held out twice
        return folds
    n_folds = cv
    if samples.times is not None:
        return Folds.of_samples(samples, n_folds)
    of_class = np.unique([samples.undivided, samples.codes], axis=1)[1]
    counts = np.bincount(of_class, minlength=samples.n_classes)
    smallest = int(counts.argmin())
    count = int(counts[smallest])
    possible = max(2, min(n_folds, count))
    if 2 <= count < n_folds:
        what = "rows" if samples.groups is None else "groups"
        warnings.warn(
            f"class {samples.classes[smallest]} has {count} {what}: {possible} "
            f"folds instead of {n_folds}, so figures for new data are less sure",
            UserWarning,
            stacklevel=4,
        )
    return Folds.of_samples(samples, possible)
