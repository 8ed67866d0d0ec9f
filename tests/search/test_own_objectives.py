"""Objectives that users write: values are of their labels and of the rows of their table."""

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, make_scorer
from sklearn.model_selection import KFold

from moselect import ParetoSearch
from moselect.predictor import OrdinalLinearClassifier

LABELS = {
    "ranks": [0, 1, 2],
    "gap": [1, 2, 5],
    "fractions": [0.5, 1.0, 4.5],
    "text": ["low", "mid", "high"],
}
AMOUNTS = np.array([1.0, 2.0, 4.0])


def least_recall(confusion):
    return (confusion.diagonal() / confusion.sum(axis=1)).min()


def f1(true, predicted, weights):
    hits = np.average(true & predicted, weights=weights)
    both = np.average(true.astype(float) + predicted, weights=weights)
    return 2.0 * hits / both


def functions_of(labels):
    """Return functions (y_true, y_pred) and (y_true, y_score) of the labels of a table."""

    def closeness(y_true, y_pred, sample_weight=None):
        is_label = np.array([y_true, y_pred])[..., None] == labels
        true, predicted = is_label @ AMOUNTS
        of_rows = 1.0 / (
            1.0 + np.arange(len(y_true)) % 7
        )  # not the same in another order
        loss = np.abs(true - predicted) * of_rows / AMOUNTS.sum()
        return 1.0 - np.average(loss, weights=sample_weight)

    def f1_of_middle(y_true, y_pred, sample_weight=None):
        return f1(y_true == labels[1], y_pred == labels[1], sample_weight)

    def top_is_high(y_true, y_score, sample_weight=None):
        is_high = y_score > np.median(y_score)
        return f1(y_true == labels[-1], is_high, sample_weight)

    return closeness, f1_of_middle, top_is_high


SLOW = pytest.mark.slow
QUICK = (("text", False), ("ranks", True))


@pytest.mark.checks(
    "Search and thresholds",
    "the function on the predictions of each member",
)
@pytest.mark.parametrize(
    ("kind", "is_weighted"),
    [
        pytest.param(kind, weighted, marks=[] if (kind, weighted) in QUICK else SLOW)
        for kind in LABELS
        for weighted in (False, True)
    ],
)
def test_values_are_those_of_the_function_for_predictions(kind, is_weighted):
    labels = np.array(LABELS[kind])
    closeness, f1_of_middle, top_is_high = functions_of(labels)

    def macro_f1(y_true, y_pred, sample_weight=None):
        each = [f1(y_true == k, y_pred == k, sample_weight) for k in labels]
        return np.mean(each)

    objectives = [least_recall, closeness, f1_of_middle, top_is_high]
    if kind != "fractions":  # measurements, to scikit-learn
        objectives.append(make_scorer(macro_f1))

    def values(model, X, y, weights):
        predicted = model.predict(X)
        keywords = {} if weights is None else {"sample_weight": weights}
        confusion = confusion_matrix(
            np.searchsorted(np.sort(labels), y),
            np.searchsorted(np.sort(labels), predicted),
            labels=np.argsort(np.argsort(labels)),
            **keywords,
        )
        found = [
            least_recall(confusion),
            closeness(y, predicted, **keywords),
            f1_of_middle(y, predicted, **keywords),
            top_is_high(y, model.decision_function(X), **keywords),
            macro_f1(y, predicted, **keywords),
        ]
        return found[: len(objectives)]

    for seed in range(3):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(90, 2))
        y = labels[np.digitize(X.sum(axis=1) + rng.normal(size=90), [-0.7, 1.0])]
        weights = rng.exponential(size=90) if is_weighted else None
        with_folds = seed == 0 and is_weighted and kind == "text"  # a thousand models
        search = ParetoSearch(
            objectives,
            n_particles=8,
            n_iterations=1,
            max_models=12,
            cv=KFold(2) if with_folds else None,
            labels=LABELS[kind],
            prepare=False,
            random_state=seed,
        ).fit(X, y, sample_weight=weights)
        front = search.front_
        for i, model in enumerate(front):
            expected = values(model, X, y, weights)
            np.testing.assert_allclose(front.objectives.iloc[i], expected, rtol=1e-12)
        # The cross-validated figures are estimated from members of the fronts of folds.
        for fold, (_, test) in zip(
            front.fold_fronts or (), KFold(2).split(X), strict=with_folds
        ):
            part = X[test], y[test], None if weights is None else weights[test]
            for i in range(len(fold)):
                model = OrdinalLinearClassifier(
                    fold.weights[i], fold.thresholds[i], labels
                )
                expected = values(model, *part)
                np.testing.assert_allclose(fold.holdout.iloc[i], expected, rtol=1e-12)
