"""A comparison as one file, to be read and extended later."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from moselect.comparison import MEASURES, Comparison, HeldOut, ModelResult
from moselect.decision import Costs
from moselect.storage.atomic import replacing
from moselect.storage.json_text import as_json
from moselect.storage.run_folder import recorded_versions
from moselect.storage.schema import check_schema

COMPARISON_FORMAT = "moselect comparison"
COMPARISON_SCHEMA = 2

Arrays = dict[str, NDArray[Any]]


def write_comparison(path: Path, comparison: Comparison) -> None:
    """Write a comparison to a file, complete or not at all.

    Parameters
    ----------
    path : Path
        The file: an ``npz`` archive of plain arrays, one of which is a record in JSON with the
        settings, the fingerprint of the data and the versions in use. It holds no features.
    comparison : Comparison
        A comparison. It comes back from `read_comparison` to the last bit.
    """
    arrays: Arrays = {"codes": comparison.codes, **_pack("folds", comparison.folds)}
    models = []
    for i, (name, result) in enumerate(comparison.results.items()):
        models.append(
            {
                "name": name,
                "description": result.description,
                "failure": result.failure,
                "for_costs": result.for_costs,
                "warnings": [held_out.warnings for held_out in result.held_out],
            }
        )
        if result.failure is None:
            arrays |= _pack_model(f"model{i}", result.held_out)
    record = {
        "format": COMPARISON_FORMAT,
        "schema": COMPARISON_SCHEMA,
        "classes": comparison.classes.tolist(),
        "measures": comparison.measures,
        "fingerprint": comparison.fingerprint,
        "random_state": comparison.random_state,
        "fitted_for": _costs_record(comparison.fitted_for),
        "models": models,
        "versions": recorded_versions(),
    }
    arrays["record"] = np.frombuffer(as_json(record), dtype=np.uint8)
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)
    with replacing(path) as file:
        file.write(content.getvalue())


def read_comparison(path: Path) -> Comparison:
    """Read a comparison from a file. Nothing in the file is executed.

    Raises
    ------
    ValueError
        If there is no such file, it is no comparison, is damaged, or comes from another version.
    """
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            arrays: Arrays = {name: file[name] for name in file.files}
        record = json.loads(arrays["record"].tobytes())
        if record["format"] != COMPARISON_FORMAT:
            raise KeyError(record["format"])
    except OSError as error:
        raise ValueError(f"cannot read the comparison '{path}': {error.strerror}") from None
    except (  # what numpy and JSON raise for other and for incomplete files
        ValueError,
        KeyError,
        TypeError,
        EOFError,
        AttributeError,
        zipfile.BadZipFile,
        zlib.error,
    ):
        raise ValueError(f"'{path}' is not a comparison, or it is damaged") from None
    schema = record.get("schema")
    if schema != 1:
        renew = "compare again, moselect compare"
        check_schema(f"the comparison '{path}'", schema, COMPARISON_SCHEMA, renew)
    try:
        if schema == 1:
            _renew_schema_1(record, arrays)
        return _comparison(record, arrays)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise ValueError(f"the comparison '{path}' is damaged: {error}") from None


def _renew_schema_1(record: dict[str, Any], arrays: Arrays) -> None:
    """Turn the content of a file of schema 1 (moselect 0.1) into that of schema 2.

    Its models were not fitted for costs, and their numbers of terms are unknown.
    """
    record |= {"schema": 2, "fitted_for": None}
    for i, model in enumerate(record["models"]):
        model["for_costs"] = False
        if model["failure"] is None:
            numbers = arrays[f"model{i}.numbers"]
            unknown = np.full((len(numbers), 1), np.nan)
            arrays[f"model{i}.numbers"] = np.hstack([numbers, unknown])


def _pack_model(prefix: str, held_out: tuple[HeldOut, ...]) -> Arrays:
    """Return the predictions of a model for all folds, one after the other."""
    arrays = {
        f"{prefix}.predicted": np.concatenate([fold.predicted for fold in held_out]),
        f"{prefix}.scores": np.concatenate([fold.scores for fold in held_out]),
        f"{prefix}.numbers": np.array(
            [
                (
                    fold.centre,
                    fold.spread,
                    fold.fit_seconds,
                    fold.predict_seconds,
                    fold.n_terms,
                )
                for fold in held_out
            ]
        ),
    }
    proba = [fold.proba for fold in held_out if fold.proba is not None]
    if proba:
        arrays[f"{prefix}.proba"] = np.concatenate(proba)
    return arrays


def _pack(name: str, folds: tuple[tuple[NDArray[np.int64], NDArray[np.int64]], ...]) -> Arrays:
    """Return the rows of all folds, one after the other, and the sizes of their parts."""
    return {
        f"{name}.sizes": np.array([[len(train), len(test)] for train, test in folds]),
        f"{name}.rows": np.concatenate([rows for fold in folds for rows in fold]),
    }


def _comparison(record: dict[str, Any], arrays: Arrays) -> Comparison:
    codes = arrays["codes"]
    sizes = arrays["folds.sizes"]
    parts = np.split(arrays["folds.rows"], np.cumsum(sizes.ravel())[:-1])
    folds = tuple(zip(parts[0::2], parts[1::2], strict=True))
    ends = np.cumsum(sizes[:, 1])
    classes = np.asarray(record["classes"])
    if [len(part) for part in parts] != sizes.ravel().tolist():
        raise ValueError("its folds are not complete")
    if not all(rows.min() >= 0 and rows.max() < len(codes) for rows in parts):
        raise ValueError("its folds do not fit its samples")
    if codes.ndim != 1 or not (codes.min() >= 0 and codes.max() < len(classes)):
        raise ValueError("its samples do not fit its classes")
    unknown = [name for name in record["measures"] if name not in MEASURES]
    if unknown:
        raise ValueError(f"it has an unknown measure {unknown[0]!r}")
    results = {}
    for i, model in enumerate(record["models"]):
        held_out: tuple[HeldOut, ...] = ()
        if model["failure"] is None:
            held_out = _held_out(f"model{i}", model["warnings"], arrays, ends, len(classes))
        results[model["name"]] = ModelResult(
            model["description"], held_out, model["failure"], model["for_costs"]
        )
    given = record["fitted_for"]
    fitted_for = None if given is None else Costs(**given)
    if fitted_for is not None:
        fitted_for.matrix(len(classes))
    return Comparison(
        classes=classes,
        codes=codes,
        folds=folds,
        measures=tuple(record["measures"]),
        results=results,
        fingerprint=record["fingerprint"],
        random_state=record["random_state"],
        fitted_for=fitted_for,
    )


def _costs_record(costs: Costs | None) -> dict[str, Any] | None:
    """Return costs as plain values, as they were given."""
    if costs is None:
        return None
    given = {name: getattr(costs, name) for name in ("class_costs", "cost_matrix", "priors")}
    plain = {name: None if v is None else np.asarray(v).tolist() for name, v in given.items()}
    return {"loss": costs.loss, **plain}


def _held_out(
    prefix: str, warnings: list[list[str]], arrays: Arrays, ends: NDArray[Any], r: int
) -> tuple[HeldOut, ...]:
    predicted, scores = arrays[f"{prefix}.predicted"], arrays[f"{prefix}.scores"]
    proba = arrays.get(f"{prefix}.proba")
    shapes = [predicted.shape, scores.shape, (ends[-1],) if proba is None else proba.shape[:1]]
    if set(shapes) != {(ends[-1],)} or not (predicted.min() >= 0 and predicted.max() < r):
        raise ValueError(f"{prefix} does not fit its folds and classes")
    held_out = []
    starts = (0, *ends[:-1])
    for start, end, numbers, told in zip(
        starts, ends, arrays[f"{prefix}.numbers"], warnings, strict=True
    ):
        centre, spread, fit_seconds, predict_seconds, n_terms = map(float, numbers)
        part = slice(start, end)
        held_out.append(
            HeldOut(
                predicted[part],
                scores[part],
                None if proba is None else proba[part],
                centre,
                spread,
                fit_seconds,
                predict_seconds,
                n_terms,
                tuple(told),
            )
        )
    return tuple(held_out)
