"""Measures of one ordinal model: ``(y_true, y_pred or y_score) -> float``.

`predicted` holds measures of predicted classes, `ranking` measures of scores,
`probability` measures of predicted probabilities, `uncertainty` standard errors and
confidence intervals, and `counts` the same from data that fit no memory.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
