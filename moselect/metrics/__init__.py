"""Measures of one ordinal model: ``(y_true, y_pred or y_score) -> float``.

`confusion` and `errors` hold measures of predicted classes, `ranking` and `association` of
scores, `probability` of predicted probabilities; `ranking_inference` and
`prediction_inference` estimate standard errors and confidence intervals.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
