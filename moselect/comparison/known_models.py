"""The models that can be compared by name: those of a decision, and the search."""

from __future__ import annotations

from moselect.decision import known_models
from moselect.decision.known_models import KnownModel
from moselect.search import ParetoSearch

KNOWN_MODELS = {
    **known_models.KNOWN_MODELS,
    "pareto_search": KnownModel(
        lambda: ParetoSearch(kind="linear", cv=None),
        "linear rule for all objectives alike, selected by a search",
    ),
}

# Quick ones of different kinds, that need no extra.
DEFAULT_MODELS = (
    "always_one_class",
    "multinomial",
    "ordinal_ridge",
    "proportional_odds",
    "linear",
    "curves",
    "pool",
    "pareto_search",
    "random_forest",
    "gradient_boosting",
)
