"""Cache of selections in a run folder: fitted candidates, the last costs and limits.

A later selection on the same table does not refit the candidates, an explanation takes the
fold models, and a page shows the last costs first.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec
import numpy as np

from moselect._types import Document
from moselect.io.documents import as_json
from moselect.io.model_file import DOCUMENT, as_bytes, model_from, model_parts
from moselect.io.packed import Archive, Arrays
from moselect.io.run_record import recorded_versions
from moselect.learning import SPLITS, Fitted, Predictions
from moselect.metrics import Costs
from moselect.predictor import Model
from moselect.selection import Decision

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
                        self._archive.keep(
                            candidate + FOLD_MODELS, _numbered(fit.fold_models)
                        )

    def fold_models(self, candidate: str) -> tuple[Model, ...]:
        """Read the fold models of a candidate; empty if they were not written."""
        parts: dict[str, Arrays] = {}
        for name, values in (self._archive.find(candidate + FOLD_MODELS) or {}).items():
            number, part = name.split("/", 1)
            parts.setdefault(number, {})[part] = values
        return tuple(_model_of(parts[number]) for number in sorted(parts, key=int))

    def keep_decision(self, decision: LastDecision) -> None:
        """Write the settings of a decision."""
        document = {**decision._asdict(), "costs": asdict(decision.costs)}
        self._archive.keep(LAST, {DOCUMENT: as_bytes(as_json(document))})

    @property
    def last_decision(self) -> LastDecision:
        """Settings of the last decision; without one, the defaults."""
        arrays = self._archive.find(LAST)
        if arrays is None:
            return LastDecision()
        document = msgspec.json.decode(arrays[DOCUMENT].tobytes())
        return LastDecision(**{**document, "costs": Costs(**document["costs"])})


def _model_arrays(model: Model) -> Arrays:
    document, arrays = model_parts(model)
    return {DOCUMENT: as_bytes(document), **arrays}


def _model_of(arrays: Arrays) -> Model:
    return model_from(arrays[DOCUMENT].tobytes(), arrays, FOLDER)


def _numbered(models: Sequence[Model]) -> Arrays:
    """Return the arrays of several models, named by their numbers."""
    return {
        f"{number}/{name}": values
        for number, model in enumerate(models)
        for name, values in _model_arrays(model).items()
    }


def _arrays_of(fit: Fitted) -> Arrays:
    return {
        **_model_arrays(fit.model),
        **{split: np.asarray(part.proba) for split, part in fit.predictions.items()},
        "terms": np.array(fit.terms),
        "seconds": np.array(fit.seconds),
    }


def _fit_of(arrays: Arrays) -> Fitted:
    return Fitted(
        _model_of(arrays),
        {split: Predictions.of(arrays[split]) for split in SPLITS if split in arrays},
        float(arrays["terms"]),
        float(arrays["seconds"]),
    )


def _mark(record: Document, decision: Decision) -> bytes:
    """Return a key that identifies data, folds, settings and versions."""
    # entries of another format version are fitted again
    form = 8
    about = {
        "form": form,
        "data": record["data"]["fingerprint"],
        "settings": {**record["settings"], "n_jobs": None},
        "versions": recorded_versions(),
        "rows": len(decision.samples),
    }
    return sha256(as_json(about) + decision.folds.parts.tobytes()).digest()
