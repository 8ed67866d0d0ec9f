"""How good one ordinal model is, by what is measured: ``(y_true, y_pred or y_score) -> float``.

`predicted` holds the measures of predicted classes, `ranking` those of scores,
`probability` those of predicted probabilities, `uncertainty` their standard errors and
confidence intervals, and `counts` the same from data that fit no memory.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
