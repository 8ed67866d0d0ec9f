"""What moselect's files hold: JSON documents, and skops archives of fitted models.

Nothing in either is executed.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from io import BytesIO
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from moselect.listing import reason_of, shortened

Document = TypeVar("Document")

# The types in pools of the models that have names, beside arrays, plain values and the
# estimators that skops itself trusts. Nothing is ever added to it by a file.
TRUSTED_TYPES = (
    "moselect.columns.model_columns.ModelColumns",
    "moselect.models.additive.additive_odds.AdditiveOdds",
    "moselect.models.additive.spline_columns.SplineColumns",
    "moselect.models.calibration.Calibration",
    "moselect.models.pool.boosting.BoostedClasses",
    "moselect.models.pool.boosting.BoostedRanks",
    "moselect.models.pool.boosting.HistogramRanks",
    "moselect.models.pool.gaussian_process.GaussianProcessRanks",
    "moselect.models.pool.ordinal_extra_trees.OrdinalExtraTrees",
    "moselect.models.pool.ordinal_pool.OrdinalPool",
    "moselect.models.pool.pooled_model.PooledModel",
    "moselect.models.proportional_odds.ProportionalOdds",
    "moselect.models.training.SeenClasses",
    "moselect.models.wrapped_classifier.WrappedClassifier",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.gaussian_process.kernels.ConstantKernel",
    "sklearn.gaussian_process.kernels.DotProduct",
    "sklearn.gaussian_process.kernels.Product",
    "sklearn.gaussian_process.kernels.RBF",
    "sklearn.gaussian_process.kernels.Sum",
    "sklearn.model_selection._split.PredefinedSplit",
    "sklearn.tree._tree.Tree",
)
FIRST_BYTES = b"PK"  # of every such file, a zip archive
SCHEMA = "schema.json"  # in the archive: what is in it, and in which arrays
TEXT = "document.json"  # beside it: a text of ours
# of an object, in the schema
ADDRESS = re.compile(r'(?<="__id__": )\d+|(?<="file": ")\d+')
# equal ones may be one or two
OF_SCALAR = re.compile(r'(?<="is_json": true),\s+"__id__": \d+')
LONG_AGO = (1980, 1, 1, 0, 0, 0)


class Header(Struct, frozen=True):
    """The format and the schema that a document says it has."""

    format: Any = None
    schema: Any = None


def decoded(
    content: bytes, kind: type[Document], reads: Header, what: str, renew: str
) -> Document:
    """Return a document of a kind; ValueError, in one line, if it is none of this version.

    ``what`` is what messages call it, and ``renew`` says how to make one like it anew.
    """
    try:
        header = msgspec.json.decode(content, type=Header)
        if header == reads:
            return msgspec.json.decode(content, type=kind)
    except ValueError as error:
        raise ValueError(f"{what} is damaged ({shortened(error)}): {renew}") from None
    if header.format != reads.format:
        raise ValueError(f"{what} is no {reads.format}: {renew}")
    newer = isinstance(header.schema, int) and header.schema > reads.schema
    way_out = "update moselect (pip install --upgrade moselect)" if newer else renew
    raise ValueError(
        f"{what} has schema {shortened(header.schema)}, but this version reads schema "
        f"{reads.schema}: {way_out}"
    )


def as_json(record: Any) -> bytes:
    """Return a record as a JSON file; NaN becomes null, TypeError for what JSON cannot hold."""
    return (
        msgspec.json.format(msgspec.json.encode(record, enc_hook=_plain), indent=2)
        + b"\n"
    )


def _plain(value: Any) -> Any:
    """Convert numbers, arrays and tables of numpy and pandas; of a table the rows by name."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "to_dict"):
        return value.to_dict("index")
    raise TypeError(f"{value!r} cannot be recorded")


def to_skops(value: Any, what: str) -> bytes:
    """Return a value as bytes, the same for the same value; ValueError for types not trusted.

    ``what`` is what messages call it.
    """
    from skops import io

    content: bytes = io.dumps(value)
    foreign = sorted(set(io.get_untrusted_types(data=content)) - set(TRUSTED_TYPES))
    if foreign:
        raise ValueError(
            f"{what} cannot be written to a file: it holds {shortened(foreign[0])}, and files are "
            "read with types of moselect and scikit-learn only"
        )
    return _without_addresses(content)


def from_skops(content: bytes, what: str) -> Any:
    """Return the value that `to_skops` wrote; ValueError for what it never writes, or damage."""
    from skops import io
    from skops.io.exceptions import UntrustedTypesFoundException

    try:
        return io.loads(content, trusted=list(TRUSTED_TYPES))
    except UntrustedTypesFoundException as error:
        raise ValueError(
            f"{what} holds types that moselect never writes: it is not opened ({shortened(error)})"
        ) from None
    except Exception as error:  # noqa: BLE001 - of whichever package a model is
        raise ValueError(
            f"{what} cannot be read, it is damaged or of other versions of its packages: "
            f"{reason_of(error)}"
        ) from None


def with_text(content: bytes, text: bytes) -> bytes:
    """Return an archive of `to_skops` with a text in it."""
    packed = BytesIO(content)
    with zipfile.ZipFile(packed, "a") as archive:
        _put(archive, TEXT, text)
    return packed.getvalue()


def text_of(content: bytes, what: str) -> bytes:
    """Return the text in an archive; ValueError if there is none."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return archive.read(TEXT)
    except (zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{what} cannot be read: {reason_of(error)}") from None
    except KeyError:
        raise ValueError(f"{what} is none: it has no {TEXT}") from None


def _without_addresses(content: bytes) -> bytes:
    """Name the objects of an archive by their order instead of their addresses in memory."""
    numbers: dict[str, str] = {}
    packed = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(content)) as archive,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as renamed,
    ):
        schema = ADDRESS.sub(
            lambda match: numbers.setdefault(match[0], str(len(numbers))),
            OF_SCALAR.sub("", archive.read(SCHEMA).decode()),
        )
        files = {
            name.partition(".")[0]: name for name in archive.namelist() if name != SCHEMA
        }
        for address, number in numbers.items():
            if address in files:
                name = files[address]
                part = archive.read(name)
                part = _without_padding(part) if name.endswith(".npy") else part
                _put(renamed, name.replace(address, number), part)
        _put(renamed, SCHEMA, schema)
    return packed.getvalue()


def _put(archive: zipfile.ZipFile, name: str, content: str | bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, LONG_AGO), content, zipfile.ZIP_DEFLATED)


def _without_padding(content: bytes) -> bytes:
    """Return the file of an array with zeros between the fields of records, such as of trees."""
    import numpy as np  # slow to import

    array = np.load(BytesIO(content))
    if array.dtype.names is None:
        return content
    plain = np.zeros(array.size, array.dtype)
    for name in array.dtype.names:
        plain[name] = array[name].ravel("K")
    return content[: len(content) - array.nbytes] + plain.view(np.uint8).tobytes()
