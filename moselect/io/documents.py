"""Formats of moselect's files: JSON documents, and skops archives of fitted models.

Nothing in either is executed.
"""

from __future__ import annotations

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
    "moselect.models.model_columns.ModelColumns",
    "moselect.models.additive.additive_odds.AdditiveOdds",
    "moselect.preprocessing.spline_columns.SplineColumns",
    "moselect.models.calibration.Calibration",
    "moselect.models.ensemble.boosting.BoostedClasses",
    "moselect.models.ensemble.boosting.BoostedRanks",
    "moselect.models.ensemble.boosting.HistogramRanks",
    "moselect.models.ensemble.gaussian_process.GaussianProcessRanks",
    "moselect.models.ensemble.ordinal_extra_trees.OrdinalExtraTrees",
    "moselect.models.ensemble.ordinal_stacking.OrdinalStacking",
    "moselect.models.ensemble.stacked_model.StackedModel",
    "moselect.models.proportional_odds.ProportionalOdds",
    "moselect.samples.training.ObservedClasses",
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
TEXT = "document.json"  # in the archive, beside the files of skops: a text of ours


class Header(Struct, frozen=True):
    """The format and the schema that a document says it has."""

    format: Any = None
    schema: Any = None


def decoded(
    content: bytes, kind: type[Document], reads: Header, what: str, renew: str
) -> Document:
    """Return a document of a kind; ValueError, in one line, if it is none of this version.

    ``what`` names it in messages, and ``renew`` tells how to create it again.
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
    """Encode a record as JSON; NaN becomes null, TypeError for types unknown to JSON."""
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
    """Return a value as bytes; ValueError for types not trusted.

    ``what`` names it in messages.
    """
    from skops import io

    content: bytes = io.dumps(value, compression=zipfile.ZIP_DEFLATED)
    foreign = sorted(set(io.get_untrusted_types(data=content)) - set(TRUSTED_TYPES))
    if foreign:
        raise ValueError(
            f"{what} cannot be written to a file: it holds {shortened(foreign[0])}, and files are "
            "read with types of moselect and scikit-learn only"
        )
    return content


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
        archive.writestr(TEXT, text, zipfile.ZIP_DEFLATED)
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
