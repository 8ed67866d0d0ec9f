"""HTML representation of a model for notebooks."""

from __future__ import annotations

from html import escape

import numpy as np
import pandas as pd

from moselect.predictor.decisions import Thresholds
from moselect.predictor.model import Model

FEATURES = 30  # most weights shown


def model_html(model: Model) -> str:
    """Return weights, score ranges of the classes and evidence as HTML; names are escaped."""
    heading = f"<p><strong>{type(model).__name__}</strong>: "
    evidence = "" if model.evidence is None else model.evidence.to_html()
    if not isinstance(model.decision, Thresholds):
        return f"{heading}{escape(model.least_cost_words)}</p>{evidence}"
    heaviest = np.sort(np.argsort(-np.abs(model.coef_), kind="stable")[:FEATURES])
    weights = {model.names[j]: f"{model.coef_[j]:.6g}" for j in heaviest}
    if len(model.coef_) > FEATURES:
        weights["…"] = f"{len(model.coef_) - FEATURES} smaller ones"
    classes = pd.DataFrame({"class": model.answers, "score": model.score_ranges})
    features = pd.DataFrame(weights.items(), columns=["feature", "weight"])
    return (
        f"{heading}the class of a sample by its score, the weighted sum of its features</p>"
        '<div style="display: flex; flex-wrap: wrap; gap: 0 3em; align-items: flex-start">'
        f"{classes.to_html(index=False)}{features.to_html(index=False)}</div>{evidence}"
    )
