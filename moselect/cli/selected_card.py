"""The model card of a model that `moselect select` writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from scipy.stats import norm

from moselect import __version__
from moselect.columns.steps import summaries
from moselect.datasets import Dataset
from moselect.decision import Evidence
from moselect.front import Front
from moselect.models import Model, ModelCard, model_card
from moselect.models.card import Figure

NORMAL = float(norm.ppf(0.975))  # standard errors on each side of a 95 % interval
PRIORS = "Class probabilities hold where the classes are as common as among the training rows."


def card_of_selected(
    model: Model, evidence: Evidence, dataset: Dataset, record: Mapping[str, Any]
) -> ModelCard:
    """Return the card of a model that was fitted to its training rows for costs or preferences."""
    objectives = {str(name): values for name, values in evidence.objectives.iterrows()}
    by_cost = evidence.costs is not None
    value = "mean cost of a row" if by_cost else "weighted gain above chance"
    figures = [
        _figure(value, evidence.expected, "new data", evidence.expected_se),
        _figure(value, evidence.rules["training"][evidence.selected], "training"),
        *_figures(objectives["new data"], "new data", objectives["standard error"]),
        *_figures(objectives["training"], "training"),
    ]
    if "held out" in objectives:
        figures += _figures(objectives["held out"].add_prefix("held out: "), "new data")
    return _card(
        model,
        dataset,
        record,
        purpose="Selected to cost least on new data, by the costs below."
        if by_cost
        else "Selected for the greatest gain above chance on new data, by the weights below.",
        cost_matrix=evidence.costs.matrix.tolist() if evidence.costs is not None else None,
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
        figures += _figures(front.expected.iloc[index], "new data", errors)
    if front.holdout is not None:
        figures += _figures(front.holdout.iloc[index].add_prefix("held out: "), "new data")
    figures += _figures(front.objectives.iloc[index], "training")
    purpose = f"Model {index} of the front, as the search found it."
    return _card(model, dataset, record, purpose=purpose, figures=figures)


def _card(model: Model, dataset: Dataset, record: Mapping[str, Any], **known: Any) -> ModelCard:
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


def _figures(values: pd.Series, rows: str, errors: pd.Series | None = None) -> list[Figure]:
    known = {} if errors is None else {str(name): float(e) for name, e in errors.items()}
    return [
        _figure(str(name), float(value), rows, known.get(str(name)))
        for name, value in values.items()
    ]


def _figure(name: str, value: float, rows: Any, error: float | None = None) -> Figure:
    if error is None:
        return Figure(name=name, value=value, rows=rows)
    interval = (value - NORMAL * error, value + NORMAL * error)
    return Figure(
        name=f"{name}, standard error {error:.3g}", value=value, rows=rows, interval=interval
    )
