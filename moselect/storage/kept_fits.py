"""The kinds that were fitted to the data of a run, and what they say of rows they never saw.

They are kept in its folder, so that another decision on the same table need not fit them again.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from moselect.decision import Decision
from moselect.decision.kind_fits import KindFit, Responses
from moselect.storage.atomic import make_folder, write_file
from moselect.storage.documents import as_json
from moselect.storage.model_file import model_content, read_model, suffix_of
from moselect.storage.run_record import recorded_versions

FOLDER = "evidence"
PARTS = ("training", "new_data", "outside")
SEAL = 32  # bytes of a checksum


class KeptFits:
    """The kinds of a run folder that are fitted once for all goals, given to a decision.

    Files that are damaged or of other data are left alone: what they would hold is fitted again.
    """

    def __init__(self, run: Path, record: Mapping[str, Any], decision: Decision) -> None:
        self._folder, self._mark = run / FOLDER, _mark(record, decision)
        self._known = decision.fits.known
        for path in self._folder.glob("*.npz"):
            fit = _read(self._folder, path.stem, self._mark)
            if fit is not None:
                self._known[path.stem.replace("-", " ")] = fit
        self._kept = set(self._known)

    def keep(self) -> None:
        """Write the kinds that were fitted since."""
        new = {kind: fit for kind, fit in self._known.items() if kind not in self._kept}
        for kind, fit in new.items():
            if fit.model is not None:
                make_folder(self._folder)
                with suppress(ValueError):  # it holds what no file may
                    _write(self._folder, kind.replace(" ", "-"), fit, self._mark)
        self._kept |= new.keys()


def _write(folder: Path, name: str, fit: KindFit, mark: bytes) -> None:
    told: dict[str, Any] = {
        part: responses.proba for part in PARTS if (responses := getattr(fit, part)) is not None
    }
    told |= {"terms": fit.terms, "seconds": fit.seconds}
    if fit.path is not None:
        told["path"] = fit.path
    arrays = BytesIO()
    np.savez(arrays, **told)
    content, numbers = model_content(fit.model), arrays.getvalue()
    write_file(folder / f"{name}{suffix_of(fit.model)}", content, follow=False)
    sealed = numbers + sha256(mark + content + numbers).digest()
    write_file(folder / f"{name}.npz", sealed, follow=False)  # last: complete


def _read(folder: Path, name: str, mark: bytes) -> KindFit | None:
    """Return a kept kind; None if it is not, byte by byte, what was written for this mark."""
    try:
        sealed = (folder / f"{name}.npz").read_bytes()
        (path,) = (path for path in folder.glob(f"{name}.*") if path.suffix != ".npz")
        numbers, seal = sealed[:-SEAL], sealed[-SEAL:]
        if sha256(mark + path.read_bytes() + numbers).digest() != seal:
            return None
    except (OSError, ValueError):
        return None
    with np.load(BytesIO(numbers)) as told:
        return _fit_of(read_model(path), told)


def _fit_of(model: Any, told: Mapping[str, Any]) -> KindFit:
    return KindFit(
        model=model,
        training=Responses.of(told["training"]),
        new_data=Responses.of(told["new_data"]),
        outside=Responses.of(told["outside"]) if "outside" in told else None,
        terms=float(told["terms"]),
        seconds=float(told["seconds"]),
        path=told.get("path"),
    )


def _mark(record: Mapping[str, Any], decision: Decision) -> bytes:
    """Return what is the same only for the same data, folds, settings and versions."""
    settings = {**record["settings"], "n_jobs": None}
    said = {
        "data": record["data"]["fingerprint"],
        "settings": settings,
        "versions": recorded_versions(),
        "rows": len(decision.samples),
    }
    return sha256(as_json(said) + decision.folds.parts.tobytes()).digest()
