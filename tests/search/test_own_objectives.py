"""Objectives that users write: values are of their labels and of the rows of their table."""

from functools import partial

import numpy as np
import pytest
from sklearn.metrics import (
    confusion_matrix,
    f1_score,
    log_loss,
    make_scorer,
    roc_auc_score,
)
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB

from moselect import ParetoSearch, tune
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


def test_metrics_of_scikit_learn_know_which_class_of_text_is_the_higher_one():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    codes = (X[:, 0] + rng.normal(size=200) > 0.0).astype(int)
    names = ["low", "high"]  # in the alphabet, high comes first
    y = np.array(names)[codes]
    search = ParetoSearch(
        ("accuracy", "roc_auc"), n_iterations=1, cv=None, labels=names, random_state=1
    ).fit(X, y)
    expected = [
        roc_auc_score(codes, model.decision_function(X)) for model in search.front_
    ]
    np.testing.assert_allclose(search.front_.objectives["roc_auc"], expected, rtol=1e-12)
    splits = [*KFold(3).split(X)]
    tuning = tune(
        {"bayes": (GaussianNB(), {"var_smoothing": [1e-9]})},
        X,
        y,
        1,
        objectives=("roc_auc", "neg_log_loss"),
        cv=splits,
        labels=names,
        random_state=1,
    )
    proba = cross_val_predict(GaussianNB(), X, codes, cv=splits, method="predict_proba")
    found = tuning.trials_.loc["bayes-0"]
    assert found["roc_auc"] == pytest.approx(roc_auc_score(codes, proba[:, 1]), rel=1e-12)
    assert found["neg_log_loss"] == pytest.approx(-log_loss(codes, proba), rel=1e-12)


def test_functions_of_one_name_and_scorers_are_told_apart():
    X, y = np.arange(40.0)[:, None], np.arange(40) // 14
    objectives = (
        make_scorer(f1_score, labels=[0], average="macro"),
        make_scorer(f1_score, labels=[1], average="macro"),
        lambda confusion: confusion[0, 0] / confusion[:2].sum(),
        partial(f1_score, average="macro"),
        lambda confusion: confusion[1, 1] / confusion[:2].sum(),
    )
    search = ParetoSearch(objectives, n_iterations=1, cv=None, random_state=1).fit(X, y)
    names = ["f1_score", "f1_score_2", "<lambda>", "f1_score_3", "<lambda>_2"]
    assert search.front_.objectives.columns.tolist() == names
    (model,) = search.front_
    assert model.predict(X).tolist() == y.tolist()
    assert search.front_.objectives.to_numpy().tolist() == [[1, 1, 0.5, 1, 0.5]]


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        (3, "objective 3 must be a name or a function of .confusion., .y_true, y_pred."),
        (lambda: 1.0, "must be a name or a function"),
        (lambda a, b, c, d: 1.0, "must be a name or a function"),
        (max, "must be a name or a function"),
        (lambda confusion: [1.0, 2.0], "'<lambda>' cannot be measured on members"),
        (lambda confusion: "high", "'<lambda>' cannot be measured on members"),
        (lambda confusion: np.nan, "'<lambda>' is not finite for some models"),
        (lambda y_true, y_pred: 1.0, "reaches 1 without any feature"),
    ],
)
def test_functions_that_are_no_objectives_are_refused_in_one_sentence(objective, message):
    X, y = np.arange(8.0)[:, None], np.arange(8) // 4
    search = ParetoSearch(("vus", objective), n_iterations=1, cv=None, random_state=1)
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        search.fit(X, y)
    assert "\n" not in str(caught.value)
