"""Own objectives and own scores of 200 drawn tables, against plain Python."""

from itertools import combinations_with_replacement

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import confusion_matrix, make_scorer
from sklearn.model_selection import KFold, PredefinedSplit, cross_val_predict
from sklearn.naive_bayes import GaussianNB

import moselect
from moselect.costs import exact_thresholds
from moselect.models import smooth_thresholds

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # small tables
LABELS = {
    "ranks": [0, 1, 2, 3],
    "gaps": [-5, 1, 2, 7],
    "fractions": [0.5, 1.0, 2.25, 9.0],
    "text": ["low", "mid", "high", "extreme"],  # in no order of the alphabet
    "booleans": [False, True],
    "categories": ["low", "mid", "high", "extreme"],
    "lists": ["4", "3", "2", "1"],
}


def draw(seed, n=48):
    """Draw a table, its classes of one form, weights of one form and the order of classes."""
    rng = np.random.default_rng(seed)
    kind = [*LABELS][seed % len(LABELS)]
    labels = np.array(LABELS[kind])[: rng.integers(2, 5)]
    r = len(labels)
    X = rng.normal(size=(n, 2))
    X[:, 1] = X[:, 1].round(1)  # ties
    latent = X.sum(axis=1) + rng.normal(size=n)
    codes = np.digitize(latent, np.quantile(latent, np.arange(1, r) / r))
    y = labels[codes]
    form = {
        "categories": pd.Categorical.from_codes(codes, labels, ordered=True),
        "lists": y.tolist(),
    }.get(kind, pd.Series(y))
    weights = [None, rng.exponential(size=n), rng.integers(1, 4, size=n)][seed % 3]
    order = None if kind == "categories" else labels.tolist()
    return X, codes, labels, form, weights, order


SPLITS = [*PredefinedSplit(np.arange(48) % 3).split()]


def share(values, weights):
    return np.average(np.asarray(values, dtype=float), weights=weights)


def functions_of(labels):
    """Return functions of labels (r,), and the objectives of each form made of them."""

    def closeness(confusion):
        true, predicted = np.indices(confusion.shape)
        loss = (1.0 + true) * np.abs(true - predicted) / len(labels) ** 2
        return 1.0 - (confusion * loss).sum() / confusion.sum()

    def kept(y_true, y_pred, sample_weight=None):
        of_rows = 1.0 + np.arange(len(y_true)) % 5  # not the same in another order
        weights = of_rows if sample_weight is None else of_rows * sample_weight
        worth = np.where(np.asarray(y_true) == labels[1], 0.9, 0.4)
        return share(worth * (np.asarray(y_true) == np.asarray(y_pred)), weights)

    def precision_of_top(y_true, y_score, sample_weight=None):
        top = y_score >= np.quantile(y_score, 0.6)
        own = None if sample_weight is None else sample_weight[top]
        return 0.9 * share(np.asarray(y_true)[top] == labels[-1], own)

    def least_recall(y_true, y_pred, sample_weight=None):
        true, predicted = np.asarray(y_true), np.asarray(y_pred)
        w = np.ones(len(true)) if sample_weight is None else sample_weight
        return min(share(predicted[true == k] == k, w[true == k]) for k in set(true))

    def scorer(estimator, X, y, sample_weight=None):
        score = estimator.decision_function(X)
        high = score >= np.median(score)
        return 0.5 * share(high == (np.asarray(y) == labels[-1]), sample_weight)

    functions = closeness, kept, precision_of_top, least_recall
    return functions, [*functions[:3], make_scorer(least_recall), scorer]


def expected_values(functions, labels, y, predicted, score, weights):
    """Compute the objectives of predictions (n,) and scores (n,) in plain Python."""
    closeness, kept, precision_of_top, least_recall = functions
    w = np.ones(len(y)) if weights is None else np.asarray(weights, float)
    counts = np.array(
        [[w[(y == t) & (predicted == p)].sum() for p in labels] for t in labels]
    )
    high = score >= np.median(score)
    return [
        closeness(counts),
        kept(y, predicted, w),
        precision_of_top(y, score, w),
        least_recall(y, predicted, w),
        0.5 * share(high == (y == labels[-1]), w),
    ]


@pytest.mark.checks(
    "Search and thresholds",
    "the function on the predictions of each member",
)
@pytest.mark.parametrize("seed", range(60))
def test_objectives_of_a_member_are_the_functions_of_its_predictions(seed):
    X, codes, labels, form, weights, order = draw(seed)
    functions, objectives = functions_of(labels)
    has_folds = seed == 10  # text with weights
    search = moselect.ParetoSearch(
        objectives,
        n_particles=3,
        n_iterations=1,
        max_models=4,
        cv=KFold(2) if has_folds else None,
        prepare=False,
        labels=order,
        random_state=seed,
    ).fit(X, form, sample_weight=weights)
    front = search.front_
    measured = [(front, front.objectives, np.arange(len(X)))]
    # Cross-validated figures are estimated from members of the fronts of folds.
    for fold, (_, test) in zip(
        front.fold_fronts or (), KFold(2).split(X), strict=has_folds
    ):
        measured.append((fold, fold.holdout, test))
    for members, values, rows in measured:
        own = None if weights is None else weights[rows]
        for i, model in enumerate(members):
            answers = model.predict(X[rows]), model.decision_function(X[rows])
            expected = expected_values(
                functions, labels, labels[codes[rows]], *answers, own
            )
            assert_allclose(values.iloc[i], expected, rtol=1e-12, atol=1e-12)
    if has_folds:
        evidence = search.select([1] * len(labels), model="linear").evidence
        expected = functions[0](evidence.confusion.to_numpy())
        found = evidence.objectives.loc["cv", "closeness"]
        assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(60, 100))
def test_objectives_of_a_trial_are_the_functions_of_its_out_of_fold_predictions(seed):
    X, codes, labels, form, weights, order = draw(seed)
    functions, objectives = functions_of(labels)
    tuning = moselect.tune(
        {"bayes": (GaussianNB(), {"var_smoothing": [1e-9]})},
        X,
        form,
        1,
        objectives=objectives,
        cv=SPLITS,
        sample_weight=weights,
        random_state=seed,
        labels=order,
    )
    proba = cross_val_predict(
        GaussianNB(),
        X,
        codes,
        cv=SPLITS,
        method="predict_proba",
        params={"sample_weight": weights},
    )
    predicted = labels[proba.argmax(axis=1)]
    score = proba @ np.arange(1.0, len(labels) + 1.0)
    expected = expected_values(
        functions, labels, labels[codes], predicted, score, weights
    )
    names = ["closeness", "kept", "precision_of_top", "least_recall", "scorer"]
    found = tuning.trials_.loc["bayes-0", names].astype(float)
    assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.checks("Search and thresholds", "every placement of thresholds")
@pytest.mark.parametrize("seed", range(100, 192))
def test_exact_thresholds_have_the_least_cost_of_all_divisions(seed):
    rng = np.random.default_rng(seed)
    n, r = int(rng.integers(1, 12)), int(rng.integers(2, 5))
    scores = rng.normal(size=n).round(seed % 3)
    codes = rng.integers(0, r, size=n)
    shape = (r, r) if seed % 2 else (n, r, r)
    costs = rng.exponential(size=shape) * (rng.random(shape) < 0.8)  # some are 0
    weights = [None, rng.exponential(size=n), rng.integers(1, 4, size=n)][seed % 3]
    given = [scores, codes, costs, weights]
    if seed % 5 == 0:
        given = [None if each is None else each.tolist() for each in given]
    elif seed % 5 == 1:
        given = [pd.Series(scores, rng.permutation(n)), pd.Series(codes), costs, weights]
    found, cost = exact_thresholds(*given)
    rows = np.broadcast_to(costs, (n, r, r))[np.arange(n), codes]

    def cost_of(thresholds):
        predicted = (scores[:, None] > thresholds).sum(axis=1)
        return share(rows[np.arange(n), predicted], weights)

    ends = [-np.inf, *np.unique(scores)]
    least = min(map(cost_of, combinations_with_replacement(ends, r - 1)))
    assert (found[1:] >= found[:-1]).all()
    assert cost == pytest.approx(least, rel=1e-12, abs=1e-12)
    assert cost_of(found) == pytest.approx(cost, rel=1e-12)


@pytest.mark.checks("Costs", "thresholds of each fold, by hand")
@pytest.mark.parametrize("seed", range(192, 200))
def test_figures_of_own_scores_are_those_of_the_thresholds_without_each_fold(seed):
    X, codes, labels, form, weights, order = draw(seed)
    costs = {label: 1.0 + k for k, label in enumerate(labels.tolist())}
    found = moselect.thresholds(
        form, X[:, 0], costs=costs, labels=order, sample_weight=weights, cv=SPLITS
    )
    matrix = moselect.cost_matrix([*costs.values()])
    own = np.ones(len(X)) if weights is None else weights / weights.mean()  # relative
    predicted = np.empty(len(X), int)
    for (train, test), thresholds in zip(SPLITS, found.fold_thresholds, strict=True):
        expected = smooth_thresholds(X[train, 0], codes[train], matrix, own[train])
        assert_allclose(thresholds, expected, rtol=1e-12, atol=1e-12)
        predicted[test] = (X[test, :1] > thresholds).sum(axis=1)
    counts = confusion_matrix(codes, predicted, sample_weight=own)
    assert_allclose(found.confusion, counts, rtol=1e-12)
    cost = (counts * matrix).sum() / counts.sum()
    assert found.evidence.chosen.cv_loss[0] == pytest.approx(cost, rel=1e-12)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scores": [0.0, 1.0]}, r"scores have shape \(2,\) and codes \(3,\)"),
        ({"scores": [0.0, np.nan, 1.0]}, r"scores\[1\] is nan"),
        ({"codes": [-1, 0, 1]}, "codes must be class codes from 0 to 1"),
        ({"codes": [1, 2, 2]}, "moselect.thresholds takes labels"),
        ({"costs": [1, 5]}, r"costs have shape \(2,\): give \(r, r\) or \(n, r, r\)"),
        ({"costs": [[0, -1], [1, 0]]}, "costs must be finite numbers of at least 0"),
        ({"costs": moselect.Costs([1, 5])}, "costs must hold real numbers"),
        ({"weights": [1, 1]}, "sample_weight has shape"),
    ],
)
@pytest.mark.parametrize("function", [exact_thresholds, smooth_thresholds])
def test_scores_that_do_not_fit_are_refused_in_one_sentence(function, changes, message):
    good = {"scores": [0.0, 1.0, 2.0], "codes": [0, 1, 1], "costs": [[0, 1], [1, 0]]}
    with pytest.raises(ValueError, match=message) as caught:
        function(**good | changes)
    assert "\n" not in str(caught.value)
