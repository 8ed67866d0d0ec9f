"""Measures of predicted probabilities, and scores made from them."""

from moselect.metrics.probability.ballante import ballante_index
from moselect.metrics.probability.ranked_probability import ranked_probability_error
from moselect.metrics.probability.scores import expected_class, maximum_probability

__all__ = ["ballante_index", "expected_class", "maximum_probability", "ranked_probability_error"]
