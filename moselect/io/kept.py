"""Cache of selections in a run folder: fitted candidates, the last costs and limits.

A later selection on the same table does not refit the candidates, an explanation takes the
fold models, and a page shows the last costs first.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from hashlib import sha256
from itertools import count, takewhile
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from moselect._types import Document
from moselect.candidates.cross_validation import SPLITS, Fitted
from moselect.costs.costs import Costs
from moselect.datasets import Dataset
from moselect.io.archives import (
    Archive,
    Arrays,
    document_in,
    joined,
    part_of,
    with_document,
)
from moselect.io.documents import as_json
from moselect.io.model_file import model_arrays, model_from
from moselect.io.run_file import Run
from moselect.io.run_record import load_recorded, recorded_versions, search_of
from moselect.models.learner import Predictions
from moselect.predictor import Model
from moselect.report.headline import criterion_words
from moselect.selection import Decision, Evidence
from moselect.selection.front_selector import Selector

FOLDER = "evidence"
LAST = "last decision"
FOLD_MODELS = ", fold models"  # after the name of a candidate


class LastDecision(NamedTuple):
    """Settings of the last decision of a run, columns of groups, and the model's file.

    ``written`` has the ``candidate`` and its ``file``; None if the settings alone do not
    give the same model again.

    Examples
    --------
    >>> LastDecision().by
    ()
    """

    costs: Costs = Costs()
    limits: Mapping[str, float] = MappingProxyType({})
    criterion: str | None = None
    by: Sequence[str] = ()
    written: Mapping[str, str] | None = None


class KeptEvidence:
    """Cache of fitted candidates in a run folder, for candidates independent of the decision loss.

    Damaged entries, and entries of other data, are ignored and fitted again.
    """

    def __init__(self, run: Path, record: Document, decision: Decision) -> None:
        self._archive = Archive(run / FOLDER, _mark(record, decision))
        self._known = decision.fits.known
        decision.fits.find_fold_models = self.fold_models
        for name in self._archive:
            # Fold models are read only when a candidate is explained.
            is_fit = name != LAST and not name.endswith(FOLD_MODELS)
            arrays = self._archive.find(name) if is_fit else None
            if arrays is not None:
                self._known[name] = _fit_of(arrays)
        # Only candidates that are fitted later are written.
        self._kept = set(self._known)

    def keep(self) -> None:
        """Write the candidates fitted since the last call."""
        for candidate in self._known.keys() - self._kept:
            self._kept.add(candidate)
            fit = self._known[candidate]
            if fit.model is not None:
                # Files do not hold all types of user-supplied models.
                with suppress(TypeError, ValueError):
                    self._archive.keep(candidate, _arrays_of(fit))
                    if fit.fold_models:
                        numbered = {
                            str(k): model_arrays(model)
                            for k, model in enumerate(fit.fold_models)
                        }
                        self._archive.keep(candidate + FOLD_MODELS, joined(numbered))

    def fold_models(self, candidate: str) -> tuple[Model, ...]:
        """Read the fold models of a candidate; empty if they were not written."""
        arrays = self._archive.find(candidate + FOLD_MODELS) or {}
        # Models are numbered from 0; the first absent number ends them.
        numbered = (part_of(arrays, str(k)) for k in count())
        stored = takewhile(bool, numbered)
        return tuple(model_from(fold, FOLDER) for fold in stored)

    def keep_decision(
        self,
        evidence: Evidence,
        costs: Costs | None,
        limits: Mapping[str, float],
        by: Sequence[str] = (),
        file: str | None = None,
    ) -> None:
        """Write the settings of a decision for costs; ``file`` is that of its model."""
        if costs is None or evidence.costs is None:
            return
        criterion = None  # words for the costs with which a page begins
        if evidence.criteria.metric is not None:
            criterion = f"the costs that optimise {criterion_words(evidence)}"
        elif costs.by_row:
            criterion = "the means of the costs of each row"
        if criterion is not None:
            square = evidence.costs.matrix[:, : len(evidence.costs.matrix)]
            costs = replace(costs, metric=None, cost_matrix=square)
        # A page has no limits in groups.
        overall = {words: most for words, most in limits.items() if " by " not in words}
        written = None
        if overall == limits and criterion is None and file is not None:
            written = {"candidate": evidence.selected, "file": file}
        decision = LastDecision(costs, overall, criterion, list(by), written)
        document = {**decision._asdict(), "costs": asdict(decision.costs)}
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
    data: str | None,
    show: Callable[[str, int, int], None],
    n_jobs: int | None,
    conditions: int | None = None,
) -> tuple[Dataset, Selector, KeptEvidence]:
    """Return the data of a run, its model selection, and the cache of fitted candidates.

    ``data`` is the present source of the data, and ``show`` takes the task, the number of
    folds done and in all. Scorecards of other ``conditions`` than usual are not cached.
    """
    dataset = load_recorded(run.record, data, "data=DATA")
    search = search_of(run.record, labels=dataset.labels, n_jobs=n_jobs)
    selector = search.selector(run.front, dataset.X, dataset.y, **dataset.roles)
    kept = KeptEvidence(run.path, run.record, selector)
    if conditions is not None:
        selector.fits.take_conditions(conditions)

    def report(candidate: str, done: int, n_folds: int) -> None:
        show(f"fitting {candidate}: {done} of {n_folds} folds", done, n_folds)
        if done == n_folds and conditions is None:
            kept.keep()

    selector.fits.report = report
    return dataset, selector, kept


def _arrays_of(fit: Fitted) -> Arrays:
    return {
        **model_arrays(fit.model),
        **{split: np.asarray(part.proba) for split, part in fit.predictions.items()},
        "terms": np.array(fit.terms),
        "seconds": np.array(fit.seconds),
    }


def _fit_of(arrays: Arrays) -> Fitted:
    return Fitted(
        model_from(arrays, FOLDER),
        {split: Predictions.of(arrays[split]) for split in SPLITS if split in arrays},
        float(arrays["terms"]),
        float(arrays["seconds"]),
    )


# entries of another format version are fitted again
FITS_FORM = 9


def _mark(record: Document, decision: Decision) -> str:
    """Return a key that identifies data, folds, settings and versions."""
    about = {
        "form": FITS_FORM,
        "data": record["data"]["fingerprint"],
        "settings": {**record["settings"], "n_jobs": None},
        "versions": recorded_versions(),
        "rows": len(decision.samples),
    }
    return sha256(as_json(about) + decision.folds.parts.tobytes()).hexdigest()
