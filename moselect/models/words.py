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
    """Describe for each class, lowest first, the scores for which it is predicted.

    Examples
    --------
    >>> from moselect.models import OrdinalLinearClassifier
    >>> class_scores(OrdinalLinearClassifier([1.0], [0.0, 2.5], ["low", "mid", "high"]))
    ['up to 0', 'above 0, up to 2.5', 'above 2.5']
    """
    ends = [-np.inf, *model.thresholds_, np.inf]
    texts = []
    for low, high in pairwise(ends):
        if low == high:
            texts.append("never")
        elif low == -np.inf:
            texts.append(f"up to {high:.6g}")
        elif high == np.inf:
            texts.append(f"above {low:.6g}")
        else:
            texts.append(f"above {low:.6g}, up to {high:.6g}")
    return texts


def model_html(model: OrdinalLinearClassifier) -> str:
    """Return the weights and the scores of the classes as HTML; names are escaped.

    Examples
    --------
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([2.0], [3.0], ["low", "high"], ["speed"])
    >>> "speed" in model_html(model)
    True
    """
    p = model.n_features_in_
    names = [f"x{j}" for j in range(p)] if model.feature_names is None else model.feature_names
    heaviest = np.sort(np.argsort(-np.abs(model.coef_), kind="stable")[:FEATURES])
    weights = "".join(_row(str(names[j]), f"{model.coef_[j]:.6g}") for j in heaviest)
    if p > FEATURES:
        weights += _row("…", f"{p - FEATURES} smaller ones")
    texts = zip(model.classes_, class_scores(model), strict=True)
    classes = "".join(_row(str(label), text) for label, text in texts)
    return (
        f"<p><strong>{type(model).__name__}</strong>: the class of a sample by its score, "
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
