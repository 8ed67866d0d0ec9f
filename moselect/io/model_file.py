"""Model files: ``model.json``, or ``model.npz`` for models with arrays.

A model whose score is no sum of terms is stored as ``npz``: the same JSON document beside
the plain arrays of its graph. Nothing in either is executed.
"""

import zipfile
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from moselect._types import Array, Classifier, Document, FilePath
from moselect.io.archives import (
    DOCUMENT,
    Arrays,
    joined,
    pack,
    part_of,
    text_in,
    unpack,
    with_document,
)
from moselect.io.atomic import check_suffix, write_file
from moselect.io.documents import Header, decoded, with_checksum
from moselect.listing import reason_of, shortened
from moselect.operators.graph import Convertible
from moselect.predictor.conversion import (
    FORMAT,
    MODEL_SCHEMA,
    PACKAGE,
    ModelDocument,
    OwnClassifier,
    model_document,
    to_predictor,
)
from moselect.predictor.model import Model
from moselect.predictor.scorers import ProbabilityScorer
from moselect.preprocessing.steps import Steps

SUFFIXES = (".json", ".npz")
# Sets of arrays in a file, and the array of a user-supplied classifier.
GRAPH = "graph"
COLUMNS = "columns"
CLASSIFIER = "classifier"
# Types beside the estimators that skops trusts; files add none.
TRUSTED_TYPES = (
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.tree._tree.Tree",
)


def suffix_of(model: Model) -> str:
    """Return the suffix of the file of a model: ``.npz`` if it has arrays."""
    return ".npz" if model.holds_models else ".json"


def check_model_path(path: Path, model: Model) -> None:
    """Raise ValueError if a path lacks the suffix that a model needs."""
    if check_suffix(path, SUFFIXES) == ".json" and model.holds_models:
        raise ValueError(
            f"'{path}': the model holds other models, which a text cannot: "
            f"name the file '{path.with_suffix('.npz')}'"
        )


def write_model(
    path: FilePath,
    model: Any,
    about: Mapping[str, object] | None = None,
    *,
    overwrite: bool = True,
) -> None:
    """Write a model to a file, complete or not at all.

    Parameters
    ----------
    path : str or PathLike
        The file; its suffix is ``.npz`` for an ensemble, or a linear model of the scores of
        other models.
    model : Model
        The result of `ParetoSearch.select`; or a fitted `OrdinalStacking`,
        `WrappedClassifier`, or a pipeline of a preparation and one. `read_model` returns
        a model with the same predictions to the last bit, without ``evidence``.
    about : mapping, optional
        Further information; plain values that JSON can hold. By default the information of the
        model.
    overwrite : bool, default=True
        Whether an existing file may be replaced.

    Raises
    ------
    ValueError
        If the model cannot be serialised, such as an ensemble with a user-supplied model,
        or the file has another suffix.
    TypeError
        If it is no classifier.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], ["low", "mid", "high"], ["a", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(f"{folder}/model.json", model, {"data": "a worked example"})
    ...     read_model(f"{folder}/model.json").predict([[0.0, 0.0], [2.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """
    model = to_predictor(model)
    path = Path(path)
    check_model_path(path, model)
    document, arrays = model_parts(model, about)
    content = pack(with_document(document, arrays)) if arrays else with_checksum(document)
    write_file(path, content, overwrite=overwrite)


def model_parts(
    model: Model, about: Mapping[str, object] | None = None
) -> tuple[Document, Arrays]:
    """Serialise a model: its document, and the arrays of graphs and classifiers."""
    document = model_document(model, about)
    arrays: Arrays = {}
    scorer = model.scorer
    if isinstance(scorer, ProbabilityScorer):
        if scorer.graph is not None:
            arrays |= joined({GRAPH: scorer.graph.arrays})
        else:
            document["own_classifier"], arrays[CLASSIFIER] = _archived(scorer.classifier)
    if model.columns.arrays:
        arrays |= joined({COLUMNS: model.columns.arrays})
    return document, arrays


def read_model(path: FilePath) -> Model:
    """Read a model from its file. Nothing in the file is executed.

    Raises
    ------
    ValueError
        If there is no such file, or it is no model, is damaged, or comes from another version
        of moselect or of the package of its classifier.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["age"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(f"{folder}/model.json", model, {"data": "claims"})
    ...     again = read_model(f"{folder}/model.json")
    >>> again.about, again.card, again.predict([[1.0]]).tolist()
    ({'data': 'claims'}, None, ['high'])
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read the model '{path}': {error.strerror}") from None
    arrays: Arrays = {}
    if content.startswith(b"PK"):
        arrays = unpack(content, f"the model '{path}'")
        if DOCUMENT not in arrays:
            raise ValueError(f"'{path}' is not a model: it has no {DOCUMENT}")
        content = text_in(arrays)
    return model_from(content, arrays, path)


def model_from(content: bytes, arrays: Arrays, path: FilePath) -> Model:
    """Rebuild a model from its `model_parts`, the document as text; errors as in `read_model`."""
    reads = Header(FORMAT, MODEL_SCHEMA)
    renew = "moselect select writes one"
    document = decoded(content, ModelDocument, reads, f"'{path}'", renew)
    try:
        classifier = None
        if document.own_classifier is not None:
            own = _unarchived(document.own_classifier, arrays[CLASSIFIER])
            classifier = ProbabilityScorer.of(own, document.feature_names)
        columns = Steps.from_documents(document.columns, part_of(arrays, COLUMNS))
        return document.model(part_of(arrays, GRAPH), classifier, columns)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise ValueError(f"the model '{path}' is damaged: {shortened(error)}") from None


def _skops() -> ModuleType:
    """Import `skops.io`; ValueError names the extra that installs it."""
    try:
        return import_module("skops.io")
    except ImportError:
        raise ValueError(
            "files with classifiers of other packages need skops: "
            "pip install 'moselect[classifiers]'"
        ) from None


def _archived(estimator: Classifier) -> tuple[OwnClassifier, Array]:
    """Serialise a fitted classifier: its description and bytes; TypeError for others.

    Of a `WrappedClassifier` the inner classifier of class codes is serialised.
    """
    from moselect.models.wrapped_classifier import WrappedClassifier  # slow

    if isinstance(estimator, WrappedClassifier):
        estimator = estimator.estimator_
    if isinstance(estimator, Convertible):
        ProbabilityScorer.of(
            estimator, as_graph=True
        )  # says which model in it has no graph
    io = _skops()
    content = io.dumps(estimator, compression=zipfile.ZIP_DEFLATED)
    # What would be refused when the file is read is refused when it is written.
    foreign = set(io.get_untrusted_types(data=content)) - set(TRUSTED_TYPES)
    if foreign:
        raise TypeError(
            f"the model cannot be written to a file: it holds {shortened(min(foreign))}, and "
            "files are read with types of moselect and scikit-learn only"
        )
    about = OwnClassifier(type(estimator).__name__, version=version(PACKAGE))
    return about, np.frombuffer(content, dtype=np.uint8)


def _unarchived(about: OwnClassifier, content: Array) -> Classifier:
    """Read a classifier of `_archived`; ValueError for another version of its package."""
    needed = f"{PACKAGE}=={about.version}"
    # Private attributes of fitted estimators change between versions.
    here = version(PACKAGE)
    holds = f"holds a {about.name} of {needed}"
    if here != about.version:
        raise ValueError(
            f"{holds}, but {here} is installed here: pip install '{shortened(needed)}', "
            "or select the model again"
        )
    io = _skops()
    try:
        return io.loads(content.tobytes(), trusted=list(TRUSTED_TYPES))
    except Exception as error:  # noqa: BLE001 - of whichever package it is
        raise ValueError(f"{holds} that cannot be read: {reason_of(error)}") from None
