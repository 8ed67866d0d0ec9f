"""A comparison as lines of JSON: a heading, then a line for each model, as soon as it is done."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from moselect._validation import shortened
from moselect.comparison import Comparison, ModelResult
from moselect.decision import Costs
from moselect.decision.held_out import HeldOut
from moselect.folds import Folds
from moselect.labels import as_label_array
from moselect.storage.atomic import replacing
from moselect.storage.documents import Header, check_schema, decoded
from moselect.storage.run_record import recorded_versions

COMPARISON_FORMAT = "moselect comparison"
COMPARISON_SCHEMA = 3


def append_comparison(path: Path, comparison: Comparison) -> None:
    """Add the last model of a comparison to its file; without models, begin a new file.

    What was written before stays whole, whenever this process is killed.

    Raises
    ------
    FileExistsError
        If the file to begin is there already.
    """
    last = list(comparison.results.items())[-1:]
    with path.open("ab" if last else "xb") as file:
        try:
            file.write(_line(last[0]) if last else _heading(comparison))
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            if not last:
                path.unlink()
            raise


def write_comparison(path: Path, comparison: Comparison) -> None:
    """Write a comparison to a file, complete or not at all.

    Parameters
    ----------
    path : Path
        The file: lines of JSON, first the settings, folds, fingerprint of the data and versions in
        use, then the name and predictions of each model. It holds no features.
    comparison : Comparison
        A comparison. It comes back from `read_comparison` to the last bit.

    Examples
    --------
    >>> import tempfile
    >>> import moselect
    >>> X, y = [[0.0], [2.0], [1.0], [3.0]] * 10, [1, 1, 2, 2] * 10
    >>> comparison = moselect.compare(["trivial", "ordinal_ridge"], X, y, cv=2, random_state=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_comparison(Path(folder) / "models.jsonl", comparison)
    ...     read_comparison(Path(folder) / "models.jsonl").table.equals(comparison.table)
    True
    """
    with replacing(path) as file:
        file.write(_heading(comparison))
        file.writelines(map(_line, comparison.results.items()))


def read_comparison(path: Path) -> Comparison:
    """Read a comparison from a file. Nothing in the file is executed.

    A last line without an end, of a process that was killed, is left out.

    Raises
    ------
    ValueError
        If there is no such file, it is no comparison, is damaged, or comes from another version.

    Examples
    --------
    >>> read_comparison(Path("missing.jsonl"))
    Traceback (most recent call last):
        ...
    ValueError: ...
    """
    try:
        lines = path.read_bytes().splitlines(keepends=True)
        header = decoded(lines[0] if lines else b"", Header)
    except OSError as error:
        raise ValueError(f"cannot read the comparison '{path}': {error.strerror}") from None
    except ValueError:
        header = Header()
    if header.format != COMPARISON_FORMAT:
        raise ValueError(f"'{path}' is not a comparison of this version: compare again")
    check_schema(f"the comparison '{path}'", header.schema, COMPARISON_SCHEMA, "compare again")
    try:
        heading = msgspec.json.decode(lines[0])["comparison"]
        models = [msgspec.json.decode(line) for line in lines[1:] if line.endswith(b"\n")]
        return _comparison(heading, {name: _result(record) for name, record in models})
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"the comparison '{path}' is damaged: {shortened(error)}") from None


def _heading(comparison: Comparison) -> bytes:
    return _line(
        {
            "format": COMPARISON_FORMAT,
            "schema": COMPARISON_SCHEMA,
            "comparison": replace(comparison, results={}),
            "versions": recorded_versions(),
        }
    )


def _line(record: Any) -> bytes:
    return msgspec.json.encode(record, enc_hook=lambda array: array.tolist()) + b"\n"


def _comparison(heading: dict[str, Any], results: dict[str, ModelResult]) -> Comparison:
    folds, costs = heading["folds"], heading["fitted_for"]
    splits = tuple((np.array(train), np.array(test)) for train, test in folds["splits"])
    given = {
        "classes": as_label_array(heading["classes"]),
        "codes": np.array(heading["codes"]),
        "folds": Folds(splits, folds["n_samples"]),
        "measures": tuple(heading["measures"]),
        "fitted_for": None if costs is None else Costs(**costs),
        "results": results,
    }
    return Comparison(**heading | given)


def _result(record: dict[str, Any]) -> ModelResult:
    return ModelResult(**record | {"held_out": tuple(map(_held_out, record["held_out"]))})


def _held_out(record: dict[str, Any]) -> HeldOut:
    arrays = {name: np.array(value) for name, value in record.items() if isinstance(value, list)}
    terms = np.nan if record["n_terms"] is None else record["n_terms"]
    return HeldOut(**record | arrays | {"n_terms": terms, "warnings": tuple(record["warnings"])})
