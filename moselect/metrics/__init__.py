"""Measures of one ordinal model: ``(y_true, y_pred or y_score) -> float``.

`confusion` and `errors` hold measures of predicted classes, `ranking` of scores and
`probability` of predicted probabilities.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
