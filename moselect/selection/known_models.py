"""Registry of named models, completed with costs and preprocessing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import clone, is_regressor
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from moselect._protocols import Estimator, Table
from moselect._threads import one_thread
from moselect._types import Labels
from moselect.listing import in_one_line
from moselect.metrics.costs import Costs
from moselect.models import (
    AdditiveOdds,
    OrdinalStacking,
    ProportionalOdds,
)
from moselect.models.training_columns import with_preparation
from moselect.preprocessing.preparation import Preparation, schema_of
from moselect.preprocessing.steps import steps_of
from moselect.samples.labels import class_labels, encode_labels
from moselect.samples.samples import Samples
from moselect.samples.training import fit_parameters, seeded
from moselect.scorecard import Scorecard
from moselect.selection.cost_sensitive import CostSensitiveOrdinalClassifier, with_costs
from moselect.selection.cost_thresholds import CostThresholdClassifier
from moselect.selection.other_packages import (
    OTHER_BOOSTING,
    KnownModel,
    other_boosting,
    skordinal_model,
    without_names,
)

Models = Mapping[str, Estimator | str] | Iterable[Estimator | str] | Estimator | str
PENALTIES = tuple(10.0**k for k in range(-2, 5))


class KnownModels(dict[str, KnownModel]):
    """Registry of models by name."""

    def named(self, models: Models, classes: Labels) -> dict[str, Estimator]:
        """Resolve models to estimators by name; without a mapping, by numbered class name.

        Strings are names of known models. Estimators with ``labels`` must agree with the
        classes (r,).
        """
        if isinstance(models, Mapping):
            named = dict(models)
        else:
            named = {}
            counts = Counter[str]()
            is_one = isinstance(models, str) or hasattr(models, "fit")
            listed: Iterable[Any] = [models] if is_one else models  # type: ignore[assignment]
            for model in listed:
                if isinstance(model, str) and model in named:
                    raise ValueError(f"model {model!r} is there twice")
                name = model if isinstance(model, str) else type(model).__name__
                counts[name] += 1
                named[name if counts[name] == 1 else f"{name}-{counts[name]}"] = model
        if not named:
            raise ValueError("there are no models: name at least one")
        for name in named:
            if not (isinstance(name, str) and name.strip() and name.isprintable()):
                raise ValueError(f"{name!r} is no name of a model: give one line of text")
        estimators = {}
        for name, model in named.items():
            if not isinstance(model, str):
                estimators[name] = _checked_clone(name, model, classes)
            elif model in self:
                estimators[name] = self[model].make()
            else:
                raise ValueError(
                    f"unknown model {model!r}: choose from {', '.join(self)}"
                )
        return estimators

    def candidates(
        self,
        models: Models,
        samples: Samples,
        costs: Costs | None,
        prepare: bool | Preparation,
    ) -> dict[str, Estimator]:
        """Build estimators by name, with preprocessing and, if they take any, costs."""
        return {
            name: with_preparation(
                without_names(with_costs(model, costs)), samples, prepare
            )
            for name, model in self.named(models, samples.classes).items()
        }

    def fit_model(
        self,
        model: Estimator | str,
        X: Table,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        costs: Costs | None = None,
        prepare: bool | Preparation = True,
        random_state: int = 0,
    ) -> Estimator:
        """Fit a model to all samples, as `compare` fits it in each fold.

        Parameters
        ----------
        model : str or estimator
            A name of `KNOWN_MODELS`, or an estimator.
        X, y, sample_weight, groups, costs, prepare, random_state
            As in `compare`; regressors are fitted to the ranks 1 .. r.

        Examples
        --------
        >>> from moselect.comparison import fit_model
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1, 1, 2, 2]
        >>> fit_model("proportional_odds", X, y).predict([[9.0]])
        array([2])
        """
        classes = class_labels(y)
        schema = schema_of(X, prepare)
        samples = Samples(X, encode_labels(y, classes), classes, schema=schema)
        (candidate,) = self.candidates({"model": model}, samples, costs, prepare).values()
        fresh = seeded(candidate, random_state)
        samples = samples.with_sample_info(sample_weight, groups)
        labels = pd.Series(y).iloc[np.asarray(samples.rows)]
        target: Any = samples.codes + 1.0 if is_regressor(fresh) else labels
        with one_thread():
            return fresh.fit(samples.X, target, **fit_parameters(fresh, samples))


def _boosting() -> HistGradientBoostingClassifier:
    """Build regularised boosting of small trees; defaults overfit a table of 500 rows."""
    return HistGradientBoostingClassifier(
        learning_rate=0.03,
        max_iter=200,
        max_leaf_nodes=8,
        min_samples_leaf=10,
        l2_regularization=5.0,
    )


KNOWN_MODELS = KnownModels(
    always_one_class=KnownModel(
        lambda: DummyClassifier(strategy="prior"),
        "the commonest class, or that of least cost",
    ),
    multinomial=KnownModel(
        lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "multinomial logistic regression, which knows no order",
    ),
    ordinal_ridge=KnownModel(
        lambda: make_pipeline(StandardScaler(), RidgeCV(PENALTIES)),
        "ridge regression on the ranks of the classes, nearest class",
    ),
    proportional_odds=KnownModel(
        ProportionalOdds, "cumulative logits along one direction"
    ),
    gaussian_process=KnownModel(
        lambda: OrdinalStacking(["gaussian_process"]),
        "Gaussian process on the ranks of the classes, with calibrated probabilities",
    ),
    additive=KnownModel(
        AdditiveOdds, "proportional odds along a sum of splines and products"
    ),
    scorecard=KnownModel(
        Scorecard, "whole points for eight conditions, class by their sum"
    ),
    ensemble=KnownModel(
        OrdinalStacking, "stacking of five models by their out-of-fold log-odds"
    ),
    linear=KnownModel(
        CostSensitiveOrdinalClassifier,
        "linear rule of least expected cost, without a search",
    ),
    random_forest=KnownModel(
        lambda: RandomForestClassifier(300, min_samples_leaf=2),
        "averaged trees, which know no order",
    ),
    gradient_boosting=KnownModel(_boosting, "boosted trees, which know no order"),
    cost_thresholds=KnownModel(
        lambda: CostThresholdClassifier(_boosting()),
        "boosted trees, cut for least absolute error on their expected class",
    ),
    ordinal_probit=skordinal_model(
        "POM", "cumulative probits along one direction", link="probit", alpha=1.0
    ),
    frank_hall=skordinal_model(
        "OrdinalDecomposition", "a logistic regression for each boundary between classes"
    ),
    **{
        f"svor_{form}": skordinal_model(
            "SVOR",
            f"support vector ordinal regression, {form} constraints",
            constraints=form,
        )
        for form in ("explicit", "implicit")
    },
    redsvm=skordinal_model(
        "REDSVM", "ordinal regression by one binary support vector machine"
    ),
    nnop=skordinal_model("NNOP", "neural network with ordered partitions"),
    nnpom=skordinal_model("NNPOM", "neural network with proportional odds"),
    orboost=skordinal_model("ORBoost", "boosted thresholds"),
)

for _package in OTHER_BOOSTING:
    KNOWN_MODELS[_package] = other_boosting(_package, cumulative=False)
    KNOWN_MODELS[f"{_package}_cumulative"] = other_boosting(_package, cumulative=True)


def _checked_clone(name: str, model: Estimator, classes: Labels) -> Estimator:
    """Validate and clone a model, with ``labels`` removed because it is fitted to codes."""
    is_cloned = hasattr(model, "get_params") or hasattr(model, "__sklearn_clone__")
    if isinstance(model, type) or not (hasattr(model, "fit") and is_cloned):
        raise TypeError(
            f"model {name!r} is {in_one_line(repr(model))}: give an estimator or a known name"
        )
    if not hasattr(model, "predict"):
        raise TypeError(
            f"model {name!r} has no predict: {type(model).__name__} is no classifier"
        )
    if isinstance(steps_of(model)[-1], FrozenEstimator):
        raise TypeError(f"model {name!r} is frozen: compare the estimator that it holds")
    try:
        fresh = clone(model)
    except TypeError as error:
        raise TypeError(f"model {name!r}: {error}") from None
    for parameter, labels in fresh.get_params(deep=True).items():
        if labels is None or parameter.split("__")[-1] != "labels":
            continue
        if list(labels) != classes.tolist():
            raise ValueError(
                f"model {name!r} has {parameter} = {list(labels)}, but the classes are "
                f"{classes.tolist()}"
            )
        fresh.set_params(**{parameter: None})
    return fresh
