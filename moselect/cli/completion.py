"""Names that the shell completes, without slow imports; files it completes by itself."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from moselect.metrics.objectives import OBJECTIVES

# Copies of names in packages that are slow to import; a test compares them.
BUNDLED = ("boston",)
KNOWN_MODELS = (
    *("trivial", "multinomial", "ordinal_ridge", "proportional_odds", "gaussian_process"),
    *("additive", "pool", "cost_sensitive", "pareto_search", "random_forest"),
    *("gradient_boosting", "cost_thresholds", "ordinal_probit", "frank_hall", "svor_explicit"),
    *("svor_implicit", "redsvm", "nnop", "nnpom", "orboost"),
)


def data_sets() -> list[str]:
    """Offer the names of data sets: the bundled ones and those in the folder MOSELECT_DATA."""
    folder = os.environ.get("MOSELECT_DATA")
    files = sorted(Path(folder).glob("*.csv")) if folder else []
    return [*BUNDLED, *(file.stem for file in files), "openml:"]


def objectives(incomplete: str) -> list[str]:
    """Offer the objectives that a list with commas does not have yet."""
    return _others(OBJECTIVES, incomplete)


def known_models(incomplete: str) -> list[str]:
    """Offer the models of a comparison that a list with commas does not have yet."""
    return _others(KNOWN_MODELS, incomplete)


def _others(names: Sequence[str], incomplete: str) -> list[str]:
    *given, _ = incomplete.split(",")
    return [",".join([*given, name]) for name in names if name not in given]
