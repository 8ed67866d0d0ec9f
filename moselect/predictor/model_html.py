"""HTML representation of a model for notebooks."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from moselect._types import Floats, Labels


def linear_html(
    names: Sequence[str], coef: Floats, answers: Labels, score_ranges: Sequence[str]
) -> str:
    """Return the largest weights and the score ranges of the classes as HTML."""
    most_weights = 30  # shown
    heaviest = np.sort(np.argsort(-np.abs(coef), kind="stable")[:most_weights])
    weights = {names[j]: f"{coef[j]:.6g}" for j in heaviest}
    if len(coef) > most_weights:
        weights["…"] = f"{len(coef) - most_weights} smaller ones"
    classes = pd.DataFrame({"class": answers, "score": score_ranges})
    features = pd.DataFrame(weights.items(), columns=["feature", "weight"])
    return (
        "the class of a sample by its score, the weighted sum of its features</p>"
        '<div style="display: flex; flex-wrap: wrap; gap: 0 3em; align-items: flex-start">'
        f"{classes.to_html(index=False)}{features.to_html(index=False)}</div>"
    )
