"""Conversion to frozen models, from estimators and from documents, and to documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal, Protocol, runtime_checkable

import msgspec
import numpy as np
from msgspec import Meta, Struct

from moselect._types import Document, Estimator
from moselect.costs.decisions import Referral
from moselect.costs.row_costs import RowCosts
from moselect.operators.feature_graph import Arrays, FeatureGraph, GraphDocument
from moselect.predictor.card import ModelCard
from moselect.predictor.decisions import LeastCost
from moselect.predictor.linear import OrdinalLinearClassifier
from moselect.predictor.model import Model
from moselect.predictor.reference import Reference
from moselect.predictor.score_calibration import Numbers, ScoreCalibration
from moselect.predictor.scorers import ProbabilityScorer
from moselect.preprocessing.steps import Steps
from moselect.tables.features import steps_of

FORMAT: Final = "moselect model"
MODEL_SCHEMA: Final = 1

PACKAGE: Final = "scikit-learn"  # of classifiers that are no models of ours

Label = bool | int | float | str


class OwnClassifier(Struct, frozen=True, forbid_unknown_fields=True):
    """A classifier of another package: its class, and the version that fitted it."""

    name: str
    version: str
    package: Literal["scikit-learn"] = PACKAGE


class ModelDocument(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Content of ``model.json``: the model, its card, and further information.

    A weighted sum has ``coef`` and ``thresholds``; other models have a ``graph``, whose
    arrays are stored beside the document. ``cost_matrix`` are the costs that a model was
    selected for, as given; decisions of least expected cost are by their sum with
    ``cost_increase``, which priors and limits add. With ``row_costs``, which are
    expressions of columns, they are means, and decisions are by the costs of the row.

    Examples
    --------
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> from moselect.predictor.conversion import model_document
    >>> model = OrdinalLinearClassifier([2.0], [3.0], ["low", "high"], ["speed"])
    >>> document = msgspec.convert(model_document(model, None), ModelDocument)
    >>> document.coef, document.model({}, None, None).classes_.tolist()
    ([2.0], ['low', 'high'])
    """

    format: Literal["moselect model"] = FORMAT
    schema: Literal[1] = MODEL_SCHEMA
    checksum: str | None = None  # of a file of JSON; archives have their own
    classes: Annotated[list[Label], Meta(min_length=2)]
    thresholds: Numbers | None = None
    feature_names: list[str] | None = None
    coef: Numbers | None = None
    cost_matrix: list[Numbers] | None = None
    cost_increase: list[Numbers] | None = None
    row_costs: RowCosts | None = None
    columns: list[Document] | None = None
    about: Document = msgspec.field(default_factory=dict)
    card: ModelCard | None = None
    graph: GraphDocument | None = None
    own_classifier: OwnClassifier | None = None  # its bytes are beside the document
    calibration: ScoreCalibration | None = None
    referral: Referral | None = None
    # Columns with which predictions only rise (1) or only fall (-1).
    monotone: dict[str, Literal[-1, 1]] | None = None
    reference: Document | None = None  # a `Reference`, without costs that it has

    def model(
        self, arrays: Arrays, classifier: ProbabilityScorer | None, columns: Steps | None
    ) -> Model:
        """Return the model.

        ``arrays`` belong to its graph; ``classifier`` is one of another package; ``columns``
        are its preprocessing steps.
        """
        known: Document = {
            "about": self.about,
            "card": self.card,
            "monotone": self.monotone or {},
        }
        if self.reference is not None:
            # The document holds one cost matrix, which the reference shares.
            shared = {"costs": self.cost_matrix, **self.reference}
            known["reference"] = msgspec.convert(shared, Reference)
        costs = None
        if self.cost_matrix is not None:
            costs = np.array(self.cost_matrix) + np.array(self.cost_increase or 0.0)
        decision = LeastCost(costs, self.referral, self.row_costs)
        if self.coef is None:
            scorer = classifier
            if scorer is None:
                if self.graph is None:
                    raise ValueError("it has neither coef nor a graph")
                graph = FeatureGraph.from_document(self.graph, arrays)
                scorer = ProbabilityScorer(
                    graph.n_features, self.feature_names, "an ensemble", graph
                )
            return Model(scorer, self.classes, decision, columns).replace(**known)
        thresholds = self.thresholds
        if self.row_costs is not None:
            known["decision"] = decision
            thresholds = [0.0] * (len(self.classes) - 1)  # decisions need none
        model = OrdinalLinearClassifier(
            self.coef,
            thresholds or (),
            self.classes,
            self.feature_names,
            columns,
            calibration=self.calibration,
            referral=self.referral,
        )
        return model.replace(**known)


def model_document(model: Model, about: Mapping[str, object] | None) -> Document:
    """Serialise a model as JSON-compatible values, to the last bit, except arrays of graphs.

    ``about`` is further information, such as costs and data; by default `Model.about`.
    """
    decision = model.decision.to_document()
    reference = None
    if model.reference is not None:
        reference = msgspec.structs.asdict(model.reference)
        # One matrix: the costs as given; priors and limits add to them in decisions.
        given = reference["costs"]
        if given is not None:
            del reference["costs"]
            increase = np.subtract(decision.get("cost_matrix") or given, given)
            decision["cost_matrix"] = given
            if increase.any():
                decision["cost_increase"] = increase.tolist()
    content = {
        "format": FORMAT,
        "schema": MODEL_SCHEMA,
        "classes": model.classes_.tolist(),
        **decision,
        **model.scorer.to_document(),
        "columns": model.columns.to_documents(),
        "about": dict(model.about if about is None else about),
        "card": model.card,
        "monotone": model.monotone or None,
        "reference": reference,
    }
    return {name: value for name, value in content.items() if value is not None}


@runtime_checkable
class Deployable(Protocol):
    """Fitted estimator with a frozen form."""

    def to_predictor(self) -> Model:
        """Convert to a frozen model."""


def to_predictor(fitted: Estimator) -> Model:
    """Convert a fitted classifier, or a pipeline that ends with one, to a frozen model.

    Classifiers of other packages predict the most probable class. A regressor is a TypeError.

    Examples
    --------
    >>> from moselect.models import ProportionalOdds
    >>> X, y = [[0.0], [1.0], [0.5], [1.5]], [1, 1, 2, 2]
    >>> to_predictor(ProportionalOdds().fit(X, y)).classes_
    array([1, 2])
    """
    *before, last = steps_of(fitted)
    if isinstance(last, Deployable):
        return after_steps(before, last.to_predictor())
    if not hasattr(last, "classes_"):
        raise TypeError(
            f"{type(last).__name__} is no fitted classifier: it has no classes"
        )
    return after_steps(
        before, Model(ProbabilityScorer.of(last), last.classes_, LeastCost())
    )


def after_steps(before: Sequence[object], model: Model) -> Model:
    """Return a model that applies fitted steps before its own columns."""
    return model.replace(columns=Steps([*before, *model.columns.steps]))
