"""Cache of selections in a run folder: fitted candidates, the last costs and limits.

A later selection on the same table does not refit the candidates, and a page shows the last
costs first.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.pipeline import Pipeline

from moselect._types import Array, Document
from moselect.budgets import MEMORY
from moselect.candidates.candidates import FitStore
from moselect.candidates.cross_validation import SPLITS, Fitted
from moselect.candidates.registry import scorecards
from moselect.costs.costs import Costs
from moselect.costs.limits import CONFIDENCE
from moselect.datasets import Dataset
from moselect.io.archives import (
    Archive,
    document_in,
    text_in,
    with_document,
)
from moselect.io.documents import as_json
from moselect.io.model_file import model_from, model_parts
from moselect.io.run_file import Run
from moselect.io.run_record import recorded_versions, settings_of
from moselect.io.run_samples import samples_from
from moselect.io.table_file import read_dataset
from moselect.models.learner import Predictions
from moselect.models.linear.linear_rule import Compute
from moselect.predictor import Model
from moselect.report.columns import contributions_of_rows, explained_rows
from moselect.report.headline import criterion_words
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.selection import Evidence, Selector

FOLDER = "evidence"
LAST = "last-decision"
FITS_FORM = 13  # entries of another format version are fitted again


class LastDecision(NamedTuple):
    """Settings of the last decision of a run, columns of groups, and its report.

    ``result`` is None if the settings alone do not give the same model again.

    Examples
    --------
    >>> LastDecision().by
    ()
    """

    costs: Costs = Costs()
    limits: Mapping[str, float] = MappingProxyType({})
    confidence: float = CONFIDENCE
    criterion: str | None = None
    by: Sequence[str] = ()
    result: Document | None = None


class KeptFits(FitStore):
    """Fitted candidates, columns refitted in folds and the last decision in a run folder.

    Damaged entries, and entries of other data, are ignored and fitted again.
    """

    def __init__(
        self, run: Path, record: Document, samples: Samples, folds: Folds
    ) -> None:
        # What identifies data, folds, settings and versions.
        about = {
            "form": FITS_FORM,
            "data": record["data"]["fingerprint"],
            "settings": {**record["settings"], "n_jobs": None},
            "versions": recorded_versions(),
            "rows": len(samples),
        }
        mark = sha256(as_json(about) + folds.parts.tobytes()).hexdigest()
        self._archive = Archive(run / FOLDER, mark)

    def get(self, candidate: str) -> Fitted | None:
        """Read the fit of a candidate, fold models excluded."""
        arrays = self._archive.find(candidate)
        if arrays is None:
            return None
        return Fitted(
            model_from(text_in(arrays), arrays, FOLDER),
            {split: Predictions.of(arrays[split]) for split in SPLITS if split in arrays},
            float(arrays["terms"]),
            float(arrays["seconds"]),
        )

    def put(self, candidate: str, fitted: Fitted) -> None:
        """Write the fit of a candidate, if it has a model of a type that files hold."""
        if fitted.model is None:
            return
        # Files do not hold all types of user-supplied models.
        with suppress(TypeError, ValueError):
            arrays: dict[str, ArrayLike] = {**with_document(*model_parts(fitted.model))}
            for split, part in fitted.predictions.items():
                arrays[split] = np.asarray(part.proba)
            arrays |= {"terms": fitted.terms, "seconds": fitted.seconds}
            self._archive.keep(candidate, arrays)

    def refit(
        self, samples: Samples, transformer: Pipeline | None, folds: Folds
    ) -> list[Samples]:
        """Return `refit_without_folds`; columns of the same rows and folds are kept."""
        if samples.directions:  # the columns have directions, too
            return super().refit(samples, transformer, folds)
        rows = np.arange(len(samples)) if samples.rows is None else samples.rows
        about = sha256(rows.tobytes() + folds.parts.tobytes()).hexdigest()

        def compute() -> Mapping[str, Array]:
            refitted = super(KeptFits, self).refit(samples, transformer, folds)
            widths = [part.X.shape[1] for part in refitted]
            # Most cells are the same in all folds: side by side they take little space.
            values = np.zeros((max(widths), len(samples), len(widths)))
            for fold, part in enumerate(refitted):
                values[: widths[fold], :, fold] = part.X.T
            return {"values": values, "widths": np.array(widths)}

        kept = self.computed(f"columns {about[:12]}", compute)
        return [
            samples.with_features(np.ascontiguousarray(columns[:width].T), None)
            for columns, width in zip(
                np.moveaxis(kept["values"], 2, 0), kept["widths"], strict=True
            )
        ]

    def computed(self, name: str, compute: Compute) -> Mapping[str, Array]:
        """Return arrays that depend on no decision loss; they are computed once."""
        kept = self._archive.find(name)
        if kept is not None:
            return kept
        arrays = compute()
        if sum(values.nbytes for values in arrays.values()) <= MEMORY.kept_bytes:
            self._archive.keep(name, arrays)
        return arrays

    def contributions(self, model: Model, evidence: Evidence) -> pd.DataFrame:
        """Return `contributions_of_rows`, which are computed once for each fit."""
        # Predictions identify the fit: a candidate may have been fitted again since.
        # Background rows are drawn under the class shares in use.
        predicted = evidence.chosen.fit.cv
        values = predicted.codes if predicted.proba is None else predicted.proba
        background = model.reference.background().to_csv().encode()
        fit = sha256(values.tobytes() + background).hexdigest()

        def compute() -> Mapping[str, Array]:
            added = contributions_of_rows(model, evidence)
            return {"values": added.to_numpy(), "columns": np.array([*map(str, added)])}

        name = f"contributions of {evidence.selected} {fit[:12]}"
        kept = self.computed(name, compute)
        rows = explained_rows(evidence)
        return pd.DataFrame(kept["values"], rows.index, kept["columns"])

    def keep_decision(self, evidence: Evidence, decision: LastDecision) -> None:
        """Write the settings of a decision for costs, and its report as `result_of` gives it.

        Where a page begins with other costs or limits, the criterion names them.
        """
        if evidence.costs is None:
            return
        costs = decision.costs
        criterion = None
        if evidence.loss.metric is not None:
            criterion = f"the costs that optimise {criterion_words(evidence)}"
        elif costs.by_row:
            criterion = "the means of the costs of each row"
        if criterion is not None:
            square = evidence.costs.matrix[:, : len(evidence.costs.matrix)]
            costs = replace(costs, metric=None, cost_matrix=square)
        # A page has no limits in groups.
        limits = {
            name: most for name, most in decision.limits.items() if " by " not in name
        }
        if limits != decision.limits:
            criterion = criterion or "as selected, but without limits in groups"
        if criterion is not None:
            decision = decision._replace(limits=limits, criterion=criterion, result=None)
        document = {**decision._asdict(), "costs": asdict(costs)}
        self._archive.keep(LAST, with_document(document, {}))

    @property
    def last_decision(self) -> LastDecision:
        """Settings of the last decision; without one, the defaults."""
        arrays = self._archive.find(LAST)
        if arrays is None:
            return LastDecision()
        document = document_in(arrays)
        return LastDecision(**{**document, "costs": Costs(**document["costs"])})


def cached_selector(
    run: Run,
    show: Callable[[str, int, int], None],
    n_jobs: int | None,
    conditions: int | None = None,
) -> tuple[Dataset, Selector, KeptFits]:
    """Return the data of a run, its model selection, and the store of fitted candidates.

    ``show`` takes the task, the number of folds done and in all. Scorecards of other
    ``conditions`` than usual are not stored.
    """
    dataset = read_dataset(run.path, run.record)
    settings = settings_of(run.record, labels=dataset.labels, n_jobs=n_jobs)
    remarks = run.record["table_remarks"]
    samples = samples_from(run.arrays, dataset.X, run.front, run.scale, settings, remarks)
    # Warnings of the search hold for selections on its samples.
    for remark in samples.samples.remarks:
        warnings.warn(remark, stacklevel=2)
    folds = samples.folds or Folds.of_samples(samples.samples)
    kept = KeptFits(run.path, run.record, samples.samples, folds)
    samples = replace(samples, refit=kept.refit)

    def report(candidate: str, done: int, n_folds: int) -> None:
        show(f"fitting {candidate}: {done} of {n_folds} folds", done, n_folds)

    selector = Selector.of_search(run.front, samples, store=kept, report=report)
    selector.splits = replace(selector.splits, n_source_rows=dataset.n_source_rows)
    if conditions is not None:
        selector.fits.add(scorecards(conditions))
    return dataset, selector, kept
