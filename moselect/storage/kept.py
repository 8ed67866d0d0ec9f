"""What a run folder keeps of decisions: kinds that were fitted, and the last costs and limits.

Another decision on the same table need not fit the kinds again, and a page begins with
the costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from moselect.decision import Costs, Decision
from moselect.learning import Fitted, Responses
from moselect.storage.archive import Archive
from moselect.storage.documents import as_json
from moselect.storage.model_file import ArchivedClassifier, model_from, model_parts
from moselect.storage.run_record import recorded_versions

FOLDER = "evidence"
FORM = 2  # what was kept in another form is fitted again
PARTS = ("training", "new_data", "outside")
LAST = "last decision"


class KeptEvidence:
    """The kinds of a run folder that are fitted once for all goals, given to a decision.

    What is damaged or of other data is left alone: it is fitted again.
    """

    def __init__(self, run: Path, record: Mapping[str, Any], decision: Decision) -> None:
        self._archive = Archive(run / FOLDER, _mark(record, decision))
        self._known = decision.fits.known
        for name in self._archive:
            arrays = None if name == LAST else self._archive.find(name)
            if arrays is not None:
                self._known[name] = _fit_of(arrays)
        self._kept = set(self._known)

    def keep(self) -> None:
        """Write the kinds that were fitted since."""
        new = {kind: fit for kind, fit in self._known.items() if kind not in self._kept}
        for kind, fit in new.items():
            if fit.model is not None:
                with suppress(ValueError):  # it holds what no file may
                    self._keep(kind, fit)
        self._kept |= new.keys()

    def _keep(self, kind: str, fit: Fitted) -> None:
        arrays = _arrays_of(fit)
        self._archive.keep(kind, arrays)
        if "models" in arrays:  # so that a file of the model need not archive them again
            archive, estimator = arrays["models"].tobytes(), fit.model.scorer.estimator
            scorer = ArchivedClassifier(archive, FOLDER, estimator)
            self._known[kind] = replace(fit, model=fit.model.replace(scorer=scorer))

    def keep_decision(self, costs: Costs, limits: Mapping[str, float]) -> None:
        """Write the costs and limits of a decision."""
        document = as_json({"costs": asdict(costs), "limits": limits})
        self._archive.keep(LAST, {"document": _as_array(document)})

    @property
    def last_decision(self) -> tuple[Costs, dict[str, float]]:
        """The costs and limits of the last decision; without one, no costs and no limits."""
        arrays = self._archive.find(LAST)
        if arrays is None:
            return Costs(), {}
        document = msgspec.json.decode(arrays["document"].tobytes())
        return Costs(**document["costs"]), document["limits"]


def _as_array(content: bytes) -> np.ndarray[Any, Any]:
    return np.frombuffer(content, dtype=np.uint8)


def _arrays_of(fit: Fitted) -> dict[str, Any]:
    said = {part: getattr(fit, part) for part in PARTS}
    arrays = {
        part: responses.proba for part, responses in said.items() if responses is not None
    }
    arrays |= {name: _as_array(part) for name, part in model_parts(fit.model).items()}
    arrays |= {"terms": fit.terms, "seconds": fit.seconds}
    path = fit.new_data.path
    return arrays if path is None else arrays | {"path": path}


def _fit_of(arrays: Mapping[str, Any]) -> Fitted:
    said: dict[str, Any] = {
        part: Responses.of(arrays[part]) for part in PARTS if part in arrays
    }
    models = arrays.get("models")
    model = model_from(
        arrays["document"].tobytes(), None if models is None else models.tobytes(), FOLDER
    )
    terms, seconds = float(arrays["terms"]), float(arrays["seconds"])
    return Fitted(
        model,
        said["training"],
        said["new_data"]._replace(path=arrays.get("path")),
        said.get("outside"),
        terms,
        seconds,
    )


def _mark(record: Mapping[str, Any], decision: Decision) -> bytes:
    """Return what is the same only for the same data, folds, settings and versions."""
    about = {
        "form": FORM,
        "data": record["data"]["fingerprint"],
        "settings": {**record["settings"], "n_jobs": None},
        "versions": recorded_versions(),
        "rows": len(decision.samples),
    }
    return sha256(as_json(about) + decision.folds.parts.tobytes()).digest()
