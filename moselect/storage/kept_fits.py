"""The kinds that were fitted to the data of a run, and what they say of rows they never saw.

They are kept in its folder, so that another decision on the same table need not fit them again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from sklearn.pipeline import make_pipeline

from moselect.columns.steps import steps_of
from moselect.decision import Decision
from moselect.decision.kind_fits import KindFit, Responses
from moselect.models import OrdinalPool
from moselect.models.card import ScoreCalibration
from moselect.storage.atomic import make_folder, write_file
from moselect.storage.documents import as_json
from moselect.storage.model_file import ModelFile, model_content, read_model_file, suffix_of
from moselect.storage.run_record import recorded_versions

FOLDER = "evidence"
PARTS = ("training", "new_data", "outside")


def keep_fits(run: Path, record: Mapping[str, Any], decision: Decision) -> None:
    """Keep in a run folder, beside its record, the kinds that are fitted once for all goals."""
    mark = _mark(record, decision)
    folder = run / FOLDER
    for kind, fit in decision.fits.known.items():
        if fit.model is None or _read(folder, kind, mark) is not None:
            continue
        make_folder(folder)
        *before, model = steps_of(fit.model)
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
        content = model_content(model, {"mark": mark}, preparation=before[0] if before else None)
        write_file(_path(folder, kind, suffix_of(model)), content, follow=False)
        write_file(_path(folder, kind, ".npz"), arrays.getvalue(), follow=False)  # last: complete


def restore_fits(run: Path, record: Mapping[str, Any], decision: Decision) -> None:
    """Give a decision the kinds that `keep_fits` kept, of the same data, folds and settings.

    Files that are damaged or of other data are left alone: what they would hold is fitted again.
    """
    mark = _mark(record, decision)
    folder = run / FOLDER
    for path in folder.glob("*.npz"):
        kind = path.stem.replace("-", " ")
        fit = _read(folder, kind, mark)
        if fit is not None:
            decision.fits.known[kind] = fit


def _read(folder: Path, kind: str, mark: str) -> KindFit | None:
    try:
        with np.load(BytesIO(_path(folder, kind, ".npz").read_bytes())) as arrays:
            told = {name: arrays[name] for name in arrays.files}
        if str(told.pop("mark", "")) != mark:
            return None
        suffix = ".skops" if kind == "pool" else ".json"
        file = read_model_file(_path(folder, kind, suffix))
        return _fit_of(file, told) if file.about.get("mark") == mark else None
    except (OSError, ValueError, KeyError, BadZipFile):
        return None


def _fit_of(file: ModelFile, told: Mapping[str, Any]) -> KindFit:
    model = file.model
    if isinstance(model, OrdinalPool):
        model = make_pipeline(*[] if file.preparation is None else [file.preparation], model)
    calibration = None
    if "cuts" in told:
        calibration = ScoreCalibration(slope=float(told["slope"]), cuts=told["cuts"].tolist())
    return KindFit(
        model=model,
        calibration=calibration,
        training=Responses.of(told["training"]),
        new_data=Responses.of(told["new_data"]),
        outside=Responses.of(told["outside"]) if "outside" in told else None,
        terms=float(told["terms"]),
        seconds=float(told["seconds"]),
        path=told.get("path"),
    )


def _path(folder: Path, kind: str, suffix: str) -> Path:
    return folder / f"{kind.replace(' ', '-')}{suffix}"


def _mark(record: Mapping[str, Any], decision: Decision) -> str:
    """Return what is the same only for the same data, folds, settings and versions."""
    settings = {**record["settings"], "n_jobs": None}
    said = {
        "data": record["data"]["fingerprint"],
        "settings": settings,
        "versions": recorded_versions(),
        "rows": len(decision.samples),
    }
    return hashlib.sha256(as_json(said) + decision.folds.index.tobytes()).hexdigest()
