"""Model cards of models selected by `moselect select`: for costs, or from the front."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from moselect import __version__
from moselect.datasets import Dataset
from moselect.front import Front
from moselect.predictor import Model, ModelCard, model_card
from moselect.predictor.card import Figure
from moselect.preprocessing.steps import summaries
from moselect.selection import Evidence

NORMAL = 1.959963984540054  # standard errors on each side of a 95 % interval
PRIORS = (
    "Class probabilities hold where the classes are as common as among the training rows."
)


def card_of_selected(
    model: Model, evidence: Evidence, dataset: Dataset, record: Mapping[str, Any]
) -> ModelCard:
    """Return the card of a model that was selected for costs or preferences."""
    objectives = {str(name): values for name, values in evidence.objectives.iterrows()}
    costs = evidence.costs
    value = "weighted gain above chance" if costs is None else "mean cost per row"
    purpose = "Selected for the lowest cross-validated cost, with the costs below."
    if costs is None:
        purpose = "Selected for the highest cross-validated gain over chance, by the weights below."
    if evidence.metric is not None:
        value = evidence.value_label
        purpose = (
            f"Selected for the best cross-validated {value}; decisions have the lowest expected "
            f"cost by the costs below ({evidence.criterion})."
        )
    figures = [
        _figure(value, evidence.expected, "cv", evidence.expected_se),
        _figure(value, evidence.candidates["train"][evidence.selected], "train"),
        *_figures(objectives["cv"], "cv", objectives["std_error"]),
        *_figures(objectives["train"], "train"),
    ]
    if "holdout" in objectives:
        figures += _figures(objectives["holdout"], "holdout")
    return _card(
        model,
        dataset,
        record,
        purpose=purpose,
        cost_matrix=None if costs is None else costs.matrix.tolist(),
        preferences=None if evidence.preferences is None else dict(evidence.preferences),
        figures=figures,
        confusion=evidence.confusion.round(1).to_numpy().tolist(),
        limits=[PRIORS],
    )


def card_of_member(
    model: Model,
    front: Front,
    index: int,
    dataset: Dataset,
    record: Mapping[str, Any],
) -> ModelCard:
    """Return the card of a model of the front as it is, which has no class probabilities."""
    figures = []
    if front.expected is not None and front.expected_se is not None:
        errors = front.expected_se.iloc[index]
        figures += _figures(front.expected.iloc[index], "cv", errors)
    if front.holdout is not None:
        figures += _figures(front.holdout.iloc[index], "holdout")
    figures += _figures(front.objectives.iloc[index], "train")
    purpose = f"Model {index} of the front, as the search found it."
    return _card(model, dataset, record, purpose=purpose, figures=figures)


def _card(
    model: Model, dataset: Dataset, record: Mapping[str, Any], **known: Any
) -> ModelCard:
    return model_card(
        model,
        dataset.X,
        dataset.y,
        predicts=dataset.target,
        data=record["data"]["name"],
        preparation=summaries(model.columns),
        versions={"moselect": __version__, **record["versions"]},
        seed=record["settings"]["random_state"],
        **known,
    )


def _figures(
    values: pd.Series, rows: Any, errors: pd.Series | None = None
) -> list[Figure]:
    errors = values * np.nan if errors is None else errors
    return [
        _figure(str(name), value, rows, errors[str(name)])
        for name, value in values.items()
    ]


def _figure(name: str, value: float, rows: Any, error: float = np.nan) -> Figure:
    if np.isnan(error):
        return Figure(name=name, value=float(value), rows=rows)
    interval = (float(value - NORMAL * error), float(value + NORMAL * error))
    about = f"{name}, standard error {error:.3g}"
    return Figure(name=about, value=float(value), rows=rows, interval=interval)
