"""A comparison as lines of JSON: a heading, then a line for each model, as soon as it is done."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from moselect._types import Integers
from moselect._validation import shortened
from moselect.comparison import Comparison, ModelResult
from moselect.decision import Costs
from moselect.decision.held_out import HeldOut
from moselect.folds import Folds
from moselect.labels import as_label_array
from moselect.storage.atomic import replacing
from moselect.storage.documents import Labels, Seed, heading_of
from moselect.storage.run_folder import recorded_versions
from moselect.storage.schema import check_schema

COMPARISON_FORMAT = "moselect comparison"
COMPARISON_SCHEMA = 3


class Heading(Struct, forbid_unknown_fields=True, kw_only=True):
    """The first line: what models are compared on. ``folds`` has rows to fit to and held out."""

    format: str = COMPARISON_FORMAT
    schema: int = COMPARISON_SCHEMA
    classes: Labels
    codes: list[int]
    folds: list[tuple[list[int], list[int]]]
    measures: list[str]
    fingerprint: str
    random_state: Seed
    fitted_for: dict[str, Any] | None
    versions: dict[str, str]


class FoldLine(Struct, forbid_unknown_fields=True, kw_only=True):
    """What the model of one fold says about the rows held out, as in `HeldOut`; NaN is null."""

    predicted: list[int]
    scores: list[float]
    proba: list[list[float]] | None
    fit_seconds: float
    predict_seconds: float
    n_terms: float | None
    warnings: list[str]


class ModelLine(Struct, forbid_unknown_fields=True, kw_only=True):
    """One of the other lines: a model, and why it failed, if it did."""

    name: str
    description: str
    failure: str | None
    for_costs: bool
    folds: list[FoldLine]


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
            file.write(_model(*last[0]) if last else _heading(comparison))
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
        use, then the predictions of each model. It holds no features.
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
        file.writelines(_model(name, result) for name, result in comparison.results.items())


def read_comparison(path: Path) -> Comparison:
    """Read a comparison from a file. Nothing in the file is executed.

    A last line without an end, of a process that was killed, is left out.

    Raises
    ------
    ValueError
        If there is no such file, it is no comparison, is damaged, or comes from another version.
    """
    try:
        first, *others = path.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise ValueError(f"cannot read the comparison '{path}': {error.strerror}") from None
    except ValueError:
        first, others = b"", []
    format_, schema = heading_of(first)
    if format_ != COMPARISON_FORMAT:
        raise ValueError(f"'{path}' is not a comparison of this version: compare again")
    check_schema(f"the comparison '{path}'", schema, COMPARISON_SCHEMA, "compare again")
    try:
        heading = msgspec.json.decode(first, type=Heading)
        lines = [
            msgspec.json.decode(line, type=ModelLine) for line in others if line.endswith(b"\n")
        ]
        return _comparison(heading, lines)
    except (ValueError, IndexError) as error:
        raise ValueError(f"the comparison '{path}' is damaged: {shortened(error)}") from None


def _heading(comparison: Comparison) -> bytes:
    costs = comparison.fitted_for
    heading = Heading(
        classes=comparison.classes.tolist(),
        codes=comparison.codes.tolist(),
        folds=[(train.tolist(), test.tolist()) for train, test in comparison.folds],
        measures=list(comparison.measures),
        fingerprint=comparison.fingerprint,
        random_state=comparison.random_state,
        fitted_for=None if costs is None else _plain(vars(costs)),
        versions=recorded_versions(),
    )
    return msgspec.json.encode(heading) + b"\n"


def _model(name: str, result: ModelResult) -> bytes:
    line = ModelLine(
        name=name,
        description=result.description,
        failure=result.failure,
        for_costs=result.for_costs,
        folds=[_fold(part) for part in result.held_out],
    )
    return msgspec.json.encode(line) + b"\n"


def _fold(part: HeldOut) -> FoldLine:
    return FoldLine(**_plain({name: getattr(part, name) for name in FoldLine.__struct_fields__}))


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {name: None if v is None else np.asarray(v).tolist() for name, v in values.items()}


def _comparison(heading: Heading, models: list[ModelLine]) -> Comparison:
    splits = tuple((np.array(train), np.array(test)) for train, test in heading.folds)
    return Comparison(
        classes=as_label_array(heading.classes),
        codes=np.array(heading.codes),
        folds=Folds(splits, len(heading.codes)),
        measures=tuple(heading.measures),
        results={
            model.name: ModelResult(
                model.description,
                tuple(
                    _held_out(test, part)
                    for (_, test), part in zip(splits, model.folds, strict=model.failure is None)
                ),
                model.failure,
                model.for_costs,
            )
            for model in models
        },
        fingerprint=heading.fingerprint,
        random_state=heading.random_state,
        fitted_for=None if heading.fitted_for is None else Costs(**heading.fitted_for),
    )


def _held_out(rows: Integers, part: FoldLine) -> HeldOut:
    if not len(rows) == len(part.predicted) == len(part.scores):
        raise ValueError("a model does not fit its folds")
    return HeldOut(
        rows,
        np.array(part.predicted),
        np.array(part.scores),
        None if part.proba is None else np.array(part.proba),
        part.fit_seconds,
        part.predict_seconds,
        np.nan if part.n_terms is None else part.n_terms,
        tuple(part.warnings),
    )
