"""Models that can be asked for by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from moselect.decision.cost_sensitive import CostSensitiveOrdinalClassifier
from moselect.decision.cost_thresholds import CostThresholdClassifier
from moselect.models import (
    AdditiveOdds,
    OrdinalPool,
    ProportionalOdds,
    SkordinalClassifier,
)
from moselect.scorecard import Scorecard

PENALTIES = tuple(10.0**k for k in range(-2, 5))


class KnownModel(NamedTuple):
    """What gives a new estimator, and what it is, in one line."""

    make: Callable[[], Any]
    description: str


def _skordinal(kind: str, description: str, **settings: Any) -> KnownModel:
    def make() -> SkordinalClassifier:
        try:
            classifiers = import_module("skordinal.classifiers")
        except ImportError:
            raise ImportError(
                f"{kind} is of skordinal: pip install 'moselect[models]'"
            ) from None
        return SkordinalClassifier(getattr(classifiers, kind)(**settings))

    return KnownModel(make, description)


def _boosting() -> HistGradientBoostingClassifier:
    """Return many small, shrunken trees: the defaults fit 500 rows by heart."""
    return HistGradientBoostingClassifier(
        learning_rate=0.03,
        max_iter=200,
        max_leaf_nodes=8,
        min_samples_leaf=10,
        l2_regularization=5.0,
    )


def _lightgbm() -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        n_estimators=200, learning_rate=0.03, num_leaves=8, verbose=-1, n_jobs=1
    )


KNOWN_MODELS = {
    "always_one_class": KnownModel(
        lambda: DummyClassifier(strategy="prior"),
        "the commonest class, or that of least cost",
    ),
    "multinomial": KnownModel(
        lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "multinomial logistic regression, which knows no order",
    ),
    "ordinal_ridge": KnownModel(
        lambda: make_pipeline(StandardScaler(), RidgeCV(PENALTIES)),
        "ridge regression on the ranks of the classes, nearest class",
    ),
    "proportional_odds": KnownModel(
        ProportionalOdds, "cumulative logits along one direction"
    ),
    "gaussian_process": KnownModel(
        lambda: OrdinalPool(["gaussian_process"]),
        "Gaussian process on the ranks of the classes, with calibrated probabilities",
    ),
    "curves": KnownModel(
        AdditiveOdds, "proportional odds along a sum of curves and products"
    ),
    "points": KnownModel(
        Scorecard, "whole points for eight conditions, class by their sum"
    ),
    "pool": KnownModel(
        OrdinalPool, "five models of different kinds, weighed by held-out log-odds"
    ),
    "linear": KnownModel(
        CostSensitiveOrdinalClassifier,
        "linear rule of least expected cost, without a search",
    ),
    "random_forest": KnownModel(
        lambda: RandomForestClassifier(300, min_samples_leaf=2),
        "averaged trees, which know no order",
    ),
    "gradient_boosting": KnownModel(_boosting, "boosted trees, which know no order"),
    "cost_thresholds": KnownModel(
        lambda: CostThresholdClassifier(_boosting()),
        "boosted trees, cut for least absolute error on their expected class",
    ),
    "ordinal_probit": _skordinal(
        "POM", "cumulative probits along one direction", link="probit", alpha=1.0
    ),
    "frank_hall": _skordinal(
        "OrdinalDecomposition", "a logistic regression for each cut between classes"
    ),
    "svor_explicit": _skordinal(
        "SVOR",
        "support vector ordinal regression, explicit constraints",
        constraints="explicit",
    ),
    "svor_implicit": _skordinal(
        "SVOR",
        "support vector ordinal regression, implicit constraints",
        constraints="implicit",
    ),
    "redsvm": _skordinal(
        "REDSVM", "ordinal regression by one binary support vector machine"
    ),
    "nnop": _skordinal("NNOP", "neural network with ordered partitions"),
    "nnpom": _skordinal("NNPOM", "neural network with proportional odds"),
    "orboost": _skordinal("ORBoost", "boosted thresholds"),
}

if find_spec("lightgbm") is not None:
    KNOWN_MODELS["lightgbm"] = KnownModel(_lightgbm, "boosted trees of LightGBM")
