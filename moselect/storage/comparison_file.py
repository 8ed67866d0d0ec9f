"""A comparison as one file, to be read and extended later."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from moselect._validation import check_priors, check_probabilities, shortened
from moselect.comparison import Comparison, Fold, HeldOut, ModelResult, find_measures
from moselect.decision import Costs
from moselect.labels import as_label_array
from moselect.storage.arrays import read_arrays
from moselect.storage.atomic import replacing
from moselect.storage.comparison_record import (
    COMPARISON_FORMAT,
    COMPARISON_SCHEMA,
    ComparisonRecord,
)
from moselect.storage.documents import decoded, heading_of
from moselect.storage.json_text import as_json
from moselect.storage.run_folder import recorded_versions
from moselect.storage.schema import check_schema

MOST = 1e15  # seconds of a fit, terms of a model
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

    Examples
    --------
    >>> import tempfile
    >>> import moselect
    >>> X, y = [[0.0], [2.0], [1.0], [3.0]] * 10, [1, 1, 2, 2] * 10
    >>> found = moselect.compare(["trivial", "ordinal_ridge"], X, y, cv=2, random_state=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_comparison(Path(folder) / "comparison.npz", found)
    ...     read_comparison(Path(folder) / "comparison.npz").table.equals(found.table)
    True
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

    Examples
    --------
    >>> import tempfile
    >>> import moselect
    >>> X, y = [[0.0], [2.0], [1.0], [3.0]] * 10, [1, 1, 2, 2] * 10
    >>> found = moselect.compare(["trivial", "ordinal_ridge"], X, y, cv=2, random_state=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_comparison(Path(folder) / "comparison.npz", found)
    ...     list(read_comparison(Path(folder) / "comparison.npz").results)
    ['trivial', 'ordinal_ridge']
    """
    try:
        arrays = read_arrays(path.read_bytes())
        text = arrays["record"].tobytes()
    except OSError as error:
        raise ValueError(f"cannot read the comparison '{path}': {error.strerror}") from None
    except (ValueError, KeyError):
        raise ValueError(f"'{path}' is not a comparison, or it is damaged") from None
    format_, schema = heading_of(text)
    if format_ != COMPARISON_FORMAT:
        raise ValueError(f"'{path}' is not a comparison, or it is damaged")
    first = type(schema) is int and schema == 1
    if type(schema) is int and not first:
        renew = "compare again, moselect compare"
        check_schema(f"the comparison '{path}'", schema, COMPARISON_SCHEMA, renew)
    try:
        if first:
            text = _renew_schema_1(text)
        decoded(text, ComparisonRecord)
        record = json.loads(text)
        if first:
            _add_unknown_terms(record, arrays)
        return _comparison(record, arrays)
    except KeyError as error:
        raise ValueError(f"the comparison '{path}' is damaged: it has no array {error}") from None
    except ValueError as error:
        raise ValueError(f"the comparison '{path}' is damaged: {shortened(error)}") from None


def _renew_schema_1(text: bytes) -> bytes:
    """Turn the record of schema 1 (moselect 0.1) into that of schema 2: nothing was for costs."""
    record: dict[str, Any] = msgspec.json.decode(text, type=dict)
    models = record.get("models")
    for model in models if isinstance(models, list) else []:
        if isinstance(model, dict):
            model["for_costs"] = False
    return msgspec.json.encode(record | {"schema": COMPARISON_SCHEMA, "fitted_for": None})


def _add_unknown_terms(record: dict[str, Any], arrays: Arrays) -> None:
    """Add the column of numbers of terms, which files of schema 1 do not have."""
    for i, model in enumerate(record["models"]):
        if model["failure"] is None:
            numbers = np.atleast_2d(arrays[f"model{i}.numbers"])
            arrays[f"model{i}.numbers"] = np.hstack([numbers, np.full((len(numbers), 1), np.nan)])


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
    classes = as_label_array(record["classes"])
    find_measures(record["measures"])
    codes = _codes(arrays["codes"], "its samples do not fit its classes", len(classes))
    folds = _folds(arrays, len(codes))
    tested = np.array([len(test) for _, test in folds])
    results = {}
    for i, model in enumerate(record["models"]):
        held_out: tuple[HeldOut, ...] = ()
        if model["failure"] is None:
            held_out = _held_out(f"model{i}", model["warnings"], arrays, tested, len(classes))
        results[model["name"]] = ModelResult(
            model["description"], held_out, model["failure"], model["for_costs"]
        )
    given = record["fitted_for"]
    fitted_for = None if given is None else Costs(**given)
    if fitted_for is not None:
        fitted_for.matrix(len(classes))
        if fitted_for.priors is not None:
            check_priors(fitted_for.priors, len(classes))
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


def _folds(arrays: Arrays, n: int) -> tuple[Fold, ...]:
    """Return the rows that models were fitted to, and those held out, of each fold."""
    sizes, rows = arrays["folds.sizes"], arrays["folds.rows"]
    if sizes.ndim != 2 or sizes.shape[1] != 2 or sizes.dtype != np.int64 or len(sizes) == 0:
        raise ValueError("its folds have no sizes")
    if rows.ndim != 1 or rows.dtype != np.int64:
        raise ValueError("its folds have no rows")
    if not (sizes > 0).all() or sizes.sum() != len(rows):
        raise ValueError("its folds are not complete")
    if rows.min() < 0 or rows.max() >= n:
        raise ValueError("its folds do not fit its samples")
    parts = np.split(rows, np.cumsum(sizes.ravel())[:-1])
    return tuple(zip(parts[0::2], parts[1::2], strict=True))


def _codes(codes: NDArray[Any], otherwise: str, r: int) -> NDArray[np.int64]:
    """Return class codes; ValueError unless they are whole numbers 0 .. r - 1."""
    whole = codes.ndim == 1 and codes.dtype == np.int64 and len(codes) > 0
    if not whole or codes.min() < 0 or codes.max() >= r:
        raise ValueError(otherwise)
    return codes


def _costs_record(costs: Costs | None) -> dict[str, Any] | None:
    """Return costs as plain values, as they were given."""
    if costs is None:
        return None
    given = {name: getattr(costs, name) for name in ("class_costs", "cost_matrix", "priors")}
    plain = {name: None if v is None else np.asarray(v).tolist() for name, v in given.items()}
    return {"loss": costs.loss, **plain}


def _held_out(
    prefix: str, warnings: list[list[str]], arrays: Arrays, tested: NDArray[Any], r: int
) -> tuple[HeldOut, ...]:
    """Return what a model says about the samples held out, ``tested`` of them in each fold."""
    n = int(tested.sum())
    predicted = _codes(
        arrays[f"{prefix}.predicted"], f"{prefix} does not fit its folds and classes", r
    )
    scores, numbers = arrays[f"{prefix}.scores"], arrays[f"{prefix}.numbers"]
    proba = arrays.get(f"{prefix}.proba")
    if len(predicted) != n or len(warnings) != len(tested):
        raise ValueError(f"{prefix} does not fit its folds and classes")
    for name, values, shape in (("scores", scores, (n,)), ("numbers", numbers, (len(tested), 5))):
        if values.shape != shape or values.dtype != np.float64:
            raise ValueError(f"{prefix} does not fit its folds and classes ({name})")
        if not np.isfinite(values[:, :-1] if name == "numbers" else values).all():
            raise ValueError(f"{prefix} has {name} that are not finite")
    if (numbers[:, 1:] < 0.0).any() or (numbers[:, 2:] > MOST).any():
        raise ValueError(f"{prefix} has spreads, seconds or terms that are negative or too large")
    if proba is not None:
        if proba.shape != (n, r) or proba.dtype != np.float64:
            raise ValueError(f"{prefix} does not fit its folds and classes (proba)")
        check_probabilities(proba)
    held_out = []
    ends = np.cumsum(tested)
    for fold, (start, end) in enumerate(zip((0, *ends[:-1]), ends, strict=True)):
        centre, spread, fit_seconds, predict_seconds, n_terms = map(float, numbers[fold])
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
                tuple(warnings[fold]),
            )
        )
    return tuple(held_out)
