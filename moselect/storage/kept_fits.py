"""The kinds that were fitted to the data of a run, and what they say of rows they never saw.

They are kept in its folder, so that another decision on the same table need not fit them again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from moselect.decision import Decision
from moselect.decision.kind_fits import KindFit, Responses
from moselect.models.card import ScoreCalibration
from moselect.storage.atomic import make_folder, write_file
from moselect.storage.documents import as_json
from moselect.storage.model_file import ModelFile, model_content, read_model_file, suffix_of
from moselect.storage.run_record import recorded_versions

FOLDER = "evidence"
PARTS = ("training", "new_data", "outside")


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


def _write(folder: Path, name: str, fit: KindFit, mark: str) -> None:
    told: dict[str, Any] = {
        part: responses.proba for part in PARTS if (responses := getattr(fit, part)) is not None
    }
    told |= {"terms": fit.terms, "seconds": fit.seconds}
    if fit.calibration is not None:
        told |= {"slope": fit.calibration.slope, "cuts": fit.calibration.cuts}
    if fit.path is not None:
        told["path"] = fit.path
    arrays = BytesIO()
    np.savez(arrays, mark=mark, **told)
    content = model_content(fit.model, {"mark": mark})
    write_file(folder / f"{name}{suffix_of(fit.model)}", content, follow=False)
    write_file(folder / f"{name}.npz", arrays.getvalue(), follow=False)  # last: complete


def _read(folder: Path, name: str, mark: str) -> KindFit | None:
    try:
        with np.load(BytesIO((folder / f"{name}.npz").read_bytes())) as arrays:
            told = {part: arrays[part] for part in arrays.files}
        if str(told.pop("mark", "")) != mark:
            return None
        (path,) = (path for path in folder.glob(f"{name}.*") if path.suffix != ".npz")
        file = read_model_file(path)
        return _fit_of(file, told) if file.about.get("mark") == mark else None
    except (OSError, ValueError, KeyError, BadZipFile):
        return None


def _fit_of(file: ModelFile, told: Mapping[str, Any]) -> KindFit:
    calibration = None
    if "cuts" in told:
        calibration = ScoreCalibration(slope=float(told["slope"]), cuts=told["cuts"].tolist())
    return KindFit(
        model=file.model,
        calibration=calibration,
        training=Responses.of(told["training"]),
        new_data=Responses.of(told["new_data"]),
        outside=Responses.of(told["outside"]) if "outside" in told else None,
        terms=float(told["terms"]),
        seconds=float(told["seconds"]),
        path=told.get("path"),
    )


def _mark(record: Mapping[str, Any], decision: Decision) -> str:
    """Return what is the same only for the same data, folds, settings and versions."""
    settings = {**record["settings"], "n_jobs": None}
    said = {
        "data": record["data"]["fingerprint"],
        "settings": settings,
        "versions": recorded_versions(),
        "rows": len(decision.samples),
    }
    return hashlib.sha256(as_json(said) + decision.folds.parts.tobytes()).hexdigest()
