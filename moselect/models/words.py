"""A model in words and as a small HTML table."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from moselect.models.linear import OrdinalLinearClassifier

FEATURES = 30  # weights shown of a model with more


def class_scores(model: OrdinalLinearClassifier) -> list[str]:
    """Say for each class, lowest first, which scores mean it.

    Examples
    --------
    >>> from moselect.models import OrdinalLinearClassifier
    >>> class_scores(OrdinalLinearClassifier([1.0], [0.0, 2.5], ["low", "mid", "high"]))
    ['up to 0', 'above 0, up to 2.5', 'above 2.5']
    """
    ends = [-np.inf, *model.thresholds_, np.inf]
    said = []
    for low, high in pairwise(ends):
        if low == high:
            said.append("never")
        elif low == -np.inf:
            said.append(f"up to {high:.6g}")
        elif high == np.inf:
            said.append(f"above {low:.6g}")
        else:
            said.append(f"above {low:.6g}, up to {high:.6g}")
    return said


def model_html(model: OrdinalLinearClassifier) -> str:
    """Give the weights and the scores of the classes as HTML; names are escaped."""
    p = model.n_features_in_
    names = model.feature_names or [f"x{j}" for j in range(p)]
    heaviest = np.sort(np.argsort(-np.abs(model.coef_), kind="stable")[:FEATURES])
    weights = "".join(_row(names[j], f"{model.coef_[j]:.6g}") for j in heaviest)
    if p > FEATURES:
        weights += _row("…", f"{p - FEATURES} smaller ones")
    said = zip(model.classes_, class_scores(model), strict=True)
    classes = "".join(_row(str(label), text) for label, text in said)
    return (
        f"<p><strong>{type(model).__name__}</strong>: the class of an object by its score, "
        "the weighted sum of its features</p>"
        '<div style="display: flex; flex-wrap: wrap; gap: 0 3em; align-items: flex-start">'
        f"<table>{_head('class', 'score')}<tbody>{classes}</tbody></table>"
        f"<table>{_head('feature', 'weight')}<tbody>{weights}</tbody></table></div>"
    )


def _head(*names: str) -> str:
    cells = "".join(f"<th>{name}</th>" for name in names)
    return f"<thead><tr>{cells}</tr></thead>"


def _row(name: str, value: str) -> str:
    return f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>"
