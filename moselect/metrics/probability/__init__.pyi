from .ballante import ballante_index
from .ranked_probability import ranked_probability_error
from .scores import expected_class, maximum_probability

__all__ = [
    "ballante_index",
    "expected_class",
    "maximum_probability",
    "ranked_probability_error",
]
