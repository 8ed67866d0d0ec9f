"""Measures of one ordinal model: ``(y_true, y_pred or y_score) -> float``.

`predicted` holds measures of predicted classes, `ranking` measures of scores,
`probability` measures of predicted probabilities, and `uncertainty` standard errors and
confidence intervals.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
