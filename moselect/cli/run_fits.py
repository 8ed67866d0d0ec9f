"""Candidates of a run folder: its data, fitted models, and the cache of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

import moselect
from moselect.cli.terminal import Show
from moselect.io.run_record import load_recorded, search_of

if TYPE_CHECKING:  # slow to import
    import pandas as pd

    from moselect.io.kept import KeptEvidence


def table_with_roles(dataset: moselect.datasets.Dataset) -> pd.DataFrame:
    """Join the features of a data set and its columns of weights, groups and times."""
    roles = {str(values.name): values for values in dataset.roles.values()}
    return dataset.X.assign(**roles)


def fits_of(
    run: moselect.io.Run,
    data: str | None,
    show: Show,
    n_jobs: int | None,
    conditions: int | None = None,
) -> tuple[moselect.datasets.Dataset, moselect.front.Selector, KeptEvidence]:
    """Return the data of a run, its model selection, and the fitted candidates.

    Scorecards of other ``conditions`` than usual are not kept.
    """
    from moselect.io.kept import KeptEvidence

    dataset = load_recorded(run.record, data, "--data DATA")
    search = search_of(run.record, labels=dataset.labels, n_jobs=n_jobs)
    selector = search.selector(run.front, dataset.X, dataset.y, **dataset.roles)
    kept = KeptEvidence(run.path, run.record, selector)
    if conditions is not None:
        selector.fits.take_conditions(conditions)

    def report(candidate: str, done: int, n_folds: int) -> None:
        doing = f"fitting {candidate}: {done} of {n_folds} folds"
        show(doing, done, n_folds)
        if done == n_folds and conditions is None:
            kept.keep()

    selector.fits.report = report
    return dataset, selector, kept
