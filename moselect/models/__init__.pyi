from .additive.additive_odds import AdditiveOdds
from .additive.shapes import contributions, model_shapes
from .additive.spline_columns import SplineColumns
from .card import ModelCard, model_card
from .class_probabilities import class_probabilities
from .document import ModelDocument
from .linear import OrdinalLinearClassifier
from .maximum_likelihood import fit_proportional_odds
from .pool import OrdinalPool
from .proportional_odds import ProportionalOdds
from .skordinal_adapter import SkordinalClassifier

__all__ = [
    "AdditiveOdds",
    "ModelCard",
    "ModelDocument",
    "OrdinalLinearClassifier",
    "OrdinalPool",
    "ProportionalOdds",
    "SkordinalClassifier",
    "SplineColumns",
    "class_probabilities",
    "contributions",
    "fit_proportional_odds",
    "model_card",
    "model_shapes",
]
