"""Pareto front of ordinal linear models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Array, Floats, Integers, Labels, Transformer, record
from moselect.labels.labels import as_label_array
from moselect.metrics.objectives import objective_named
from moselect.predictor import OrdinalLinearClassifier
from moselect.search.pareto import (
    gain_above_chance,
    hypervolume_above_chance,
    spread_subset,
)
from moselect.tables.features import names_or_numbers
from moselect.validation import check_choice

# lower bound of gains: products of models below chance in one objective still
# differ
LEAST_GAIN = 1e-9
# attributes with one row per model, and prefixes of their columns in the table of a front
PREFIXES = {
    "objectives": "",
    "expected": "expected:",
    "expected_se": "se:",
    "holdout": "holdout:",
    "weights": "w:",
    "thresholds": "b:",
    "confusions": "n:",
    "holdout_confusions": "holdout:n:",
}


@record
class Front:
    """A non-dominated set of ordinal linear models.

    No model is dominated: none of the others is at least as good in every objective and
    better in one.

    Attributes
    ----------
    objectives : DataFrame of shape (k, m)
        Training values, one row per model, all to be maximised.
    weights : ndarray of shape (k, p)
        Coefficients, in the units of the features.
    thresholds : ndarray of shape (k, r - 1)
        Ascending.
    classes : ndarray of shape (r,)
        Class labels, lowest first.
    feature_names : tuple of str or None
        Names of the p features, if they have any.
    chance : Series of shape (m,)
        Objectives of predictions without features.
    holdout : DataFrame of shape (k, m) or None
        Objectives on the holdout set, unused in the search.
    expected, expected_se : DataFrame of shape (k, m) or None
        Cross-validated objectives and their standard errors; None without
        cross-validation.
    confusions : ndarray of int, shape (k, r, r), or None
        Training confusion matrices: true classes (rows) by predicted classes (columns).
    holdout_confusions : ndarray of int, shape (k, r, r), or None
        Confusion matrices on the holdout set.
    fold_fronts : tuple of Front or None
        Fronts searched on the training samples of each fold, with its test samples as
        holdout.
    columns : transformer or None
        Fitted transformer from the table to the p features; None if they are used
        directly.
    monotone : mapping of str to {1, -1}, optional
        Columns with which the predictions of all models only rise or only fall.

    Examples
    --------
    >>> front = Front(
    ...     objectives=pd.DataFrame({"accuracy": [0.75, 0.5], "vus": [0.5, 0.75]}),
    ...     weights=np.eye(2),
    ...     thresholds=np.array([[0.5], [1.5]]),
    ...     classes=np.array([1, 2]),
    ...     feature_names=("age", "speed"),
    ...     chance=pd.Series({"accuracy": 0.5, "vus": 0.5}),
    ... )
    >>> len(front), front.best("vus")
    (2, 1)
    >>> front[1].predict(pd.DataFrame({"age": [30, 40], "speed": [1.0, 2.0]}))
    array([1, 2])
    """

    objectives: pd.DataFrame
    weights: Floats
    thresholds: Floats
    classes: Labels
    feature_names: tuple[str, ...] | None
    chance: pd.Series
    holdout: pd.DataFrame | None = None
    expected: pd.DataFrame | None = None
    expected_se: pd.DataFrame | None = None
    confusions: Integers | None = None
    holdout_confusions: Integers | None = None
    fold_fronts: tuple[Front, ...] | None = None
    columns: Transformer | None = None
    monotone: Mapping[str, int] | None = None

    def __len__(self) -> int:
        return len(self.objectives)

    def __getitem__(self, i: int) -> OrdinalLinearClassifier:
        """Return the ``i``-th model, ready to predict."""
        return OrdinalLinearClassifier(
            self.weights[i],
            self.thresholds[i],
            self.classes,
            self.feature_names,
            self.columns,
        ).replace(monotone=dict(self.monotone or {}))

    def __iter__(self) -> Iterator[OrdinalLinearClassifier]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        best = ", ".join(
            f"{name} <= {v:.4f}" for name, v in self.objectives.max().items()
        )
        return f"Front of {len(self)} models ({best})"

    def to_frame(self) -> pd.DataFrame:
        """Convert the front to a table with one row per model.

        Columns are the objectives, ``expected:<objective>``, ``se:<objective>`` and
        ``holdout:<objective>``, ``w:<feature>``, ``b:<k>``, and the confusions
        ``n:<true>:<predicted>`` and ``holdout:n:<true>:<predicted>``, classes being
        numbered from 1; columns without values are left out.
        """
        ranks = range(1, len(self.classes) + 1)
        cells = [f"{true}:{predicted}" for true in ranks for predicted in ranks]
        headings = {
            "weights": names_or_numbers(self.feature_names, self.weights.shape[1]),
            "thresholds": ranks[:-1],
            "confusions": cells,
            "holdout_confusions": cells,
        }
        parts = []
        for name, values in self._figures_of_models().items():
            part = pd.DataFrame(np.reshape(values, (len(self), -1)))
            part.columns = [
                f"{PREFIXES[name]}{each}" for each in headings.get(name, self.objectives)
            ]
            parts.append(part)
        return pd.concat(parts, axis=1)

    def _repr_html_(self) -> str:
        labels = {str(name): objective_named(str(name)).label for name in self.objectives}
        outstanding = {f"best {label}": self.best(name) for name, label in labels.items()}
        outstanding["balanced"] = self.balanced()
        table = self.objectives.rename(columns=labels).iloc[list(outstanding.values())]
        table = table.rename_axis("model").reset_index().set_axis(list(outstanding))
        classes = ", ".join(escape(str(label)) for label in self.classes)
        return (
            f"<p><strong>Front of {len(self):,} models</strong> of {self.weights.shape[1]} "
            f"features for the classes {classes}; hypervolume above chance "
            f"{self.hypervolume:.4f}</p>"
            f"{table.to_html(border=0, float_format='{:.4f}'.format)}"
        )

    @property
    def hypervolume(self) -> float:
        """Share of the volume from chance to perfection that the front dominates."""
        return hypervolume_above_chance(self.objectives, self.chance)

    def best(self, objective: str) -> int:
        """Return the index of the model with the best value of an objective.

        By cross-validated values; by training values if there are none (``cv=None``), and
        for ties. ValueError if the front has no such objective.
        """
        check_choice("objective", objective, [*self.objectives])
        training = self.objectives[objective].to_numpy()
        return int(np.lexsort((-training, -self._figures()[objective].to_numpy()))[0])

    def figures_of(self, index: int) -> pd.DataFrame:
        """Tabulate the objectives of a model: chance level, cross-validated, held-out, training."""
        tables = {
            "cross-validated": self.expected,
            "std_error": self.expected_se,
            "holdout": self.holdout,
            "training": self.objectives,
        }
        figures = self.chance.reindex(self.objectives.columns).to_frame("chance")
        for name, table in tables.items():
            if table is not None:
                figures[name] = table.iloc[index]
        return figures

    def balanced(self) -> int:
        """Return the index of the compromise model: greatest product of gains over chance."""
        gain = gain_above_chance(self._figures().to_numpy(), self.chance.to_numpy())
        return int(np.maximum(gain, LEAST_GAIN).prod(axis=1).argmax())

    def subset(self, k: int) -> Front:
        """Select ``k`` well-spread models, including the best of each objective.

        Parameters
        ----------
        k : int
            At least 1, else ValueError; with fewer models than objectives, some best
            models are left out.
        """
        return self.take(np.sort(spread_subset(self.objectives, k)))

    def take(self, indices: Integers) -> Front:
        """Select the models at some indices."""
        taken: dict[str, Any] = {
            name: values.iloc[indices].reset_index(drop=True)
            if isinstance(values, pd.DataFrame)
            else values[indices]
            for name, values in self._figures_of_models().items()
        }
        return replace(self, **taken)

    @property
    def arrays(self) -> dict[str, Array]:
        """Arrays by name, the input of `from_arrays`."""
        names = names_or_numbers(self.feature_names, self.weights.shape[1])
        return {"feature_names": np.array(names)} | {
            name: np.asarray(values) for name, values in self._figures_of_models().items()
        }

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, Array], classes: ArrayLike, chance: pd.Series
    ) -> Front:
        """Rebuild a front from its `arrays`; ValueError or KeyError if they are damaged."""
        attributes: dict[str, Any] = {**arrays}
        for name in {*arrays} & {"objectives", "expected", "expected_se", "holdout"}:
            attributes[name] = pd.DataFrame(arrays[name], columns=chance.index)
        attributes["feature_names"] = tuple(arrays["feature_names"].tolist())
        return cls(**attributes, classes=as_label_array(classes), chance=chance)

    def _figures_of_models(self) -> dict[str, Array | pd.DataFrame]:
        """Return the attributes that have one row per model, by name."""
        return {
            name: values
            for name in PREFIXES
            if (values := getattr(self, name)) is not None
        }

    def _figures(self) -> pd.DataFrame:
        """Return the objectives (k, m) for selection: cross-validated where available."""
        if self.expected is None:
            return self.objectives
        # Objectives of few folds are not estimated: training values stand in.
        return self.expected.where(self.expected.notna(), self.objectives)
