"""A comparison as lines of JSON: its settings, then the predictions of each model."""

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np

from moselect._types import Document, FilePath
from moselect.comparison import Comparison, ModelResult
from moselect.io.atomic import write_file
from moselect.io.documents import Header, decoded
from moselect.io.run_record import recorded_versions
from moselect.listing import shortened
from moselect.metrics import Costs
from moselect.metrics.metric_names import metric_named
from moselect.samples.folds import Folds
from moselect.samples.labels import as_label_array, encode_labels

COMPARISON_FORMAT = "moselect comparison"
COMPARISON_SCHEMA = 4


def write_comparison(
    path: FilePath, comparison: Comparison, *, overwrite: bool = True
) -> None:
    """Write a comparison to a file atomically.

    Parameters
    ----------
    path : str or PathLike
        The file: lines of JSON, first the settings, folds, fingerprint of the data and
        versions of packages, then the name and predictions of each model. It has no
        features.
    comparison : Comparison
        A comparison; `read_comparison` restores it to the last bit.
    overwrite : bool, default=True
        Whether an existing file may be replaced.

    Raises
    ------
    ValueError
        If the file exists and may not be replaced.

    Examples
    --------
    >>> import tempfile
    >>> import moselect
    >>> X, y = [[0.0], [2.0], [1.0], [3.0]] * 10, [1, 1, 2, 2] * 10
    >>> names = ["always_one_class", "ordinal_ridge"]
    >>> comparison = moselect.compare(names, X, y, cv=2, random_state=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_comparison(Path(folder) / "models.jsonl", comparison)
    ...     read_comparison(Path(folder) / "models.jsonl").table.equals(comparison.table)
    True
    """
    heading = {
        "format": COMPARISON_FORMAT,
        "schema": COMPARISON_SCHEMA,
        "comparison": replace(comparison, results={}),
        "versions": recorded_versions(),
    }
    encoder = msgspec.json.Encoder(enc_hook=lambda array: array.tolist())
    content = encoder.encode_lines([heading, *comparison.results.items()])
    write_file(Path(path), content, overwrite=overwrite)


def read_comparison(path: FilePath) -> Comparison:
    """Read a comparison from a file. Nothing in the file is executed.

    Raises
    ------
    ValueError
        If there is no such file, it is no comparison, is damaged, or comes from another
        version.

    Examples
    --------
    >>> read_comparison("missing.jsonl")
    Traceback (most recent call last):
        ...
    ValueError: ...
    """
    try:
        heading, *models = Path(path).read_bytes().splitlines() or [b""]
    except OSError as error:
        raise ValueError(
            f"cannot read the comparison '{path}': {error.strerror}"
        ) from None
    reads = Header(COMPARISON_FORMAT, COMPARISON_SCHEMA)
    document = decoded(heading, Document, reads, f"'{path}'", "compare again")
    try:
        results = {
            name: _result(record) for name, record in map(msgspec.json.decode, models)
        }
        return _comparison(document["comparison"], results)
    except (LookupError, TypeError, ValueError) as error:
        raise ValueError(
            f"the comparison '{path}' is damaged: {shortened(error)}"
        ) from None


def _comparison(heading: Document, results: dict[str, ModelResult]) -> Comparison:
    folds = heading["folds"]
    scale = as_label_array(heading["scale"])
    costs = heading["fitted_for"]
    if costs is not None and costs["metric"] is not None:
        observed = encode_labels(heading["classes"], scale)
        costs["metric"] = metric_named(costs["metric"]["name"], scale, observed)
    splits = tuple((np.array(train), np.array(test)) for train, test in folds["splits"])
    fields = {
        "scale": scale,
        "classes": as_label_array(heading["classes"]),
        "codes": np.array(heading["codes"]),
        "folds": Folds(splits, folds["n_samples"]),
        "measures": tuple(heading["measures"]),
        "fitted_for": None if costs is None else Costs(**costs),
        **{
            name: np.array(values)
            for name in ("weights", "groups")
            if (values := heading.get(name)) is not None
        },
        "results": results,
    }
    return Comparison(**heading | fields)


def _result(record: Document) -> ModelResult:
    for part in record["fold_predictions"]:
        part["n_terms"] = np.nan if part["n_terms"] is None else part["n_terms"]
    return msgspec.convert(
        record, ModelResult, dec_hook=lambda _, values: np.array(values)
    )
