import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pandas.testing import assert_frame_equal
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from moselect import Costs, ParetoSearch, compare
from moselect.metrics import expected_cost
from moselect.samples.folds import Folds

CLASSES = ["low", "mid", "high"]
ONE_CLASS = "always_one_class"
MODELS = {
    "logistic": LogisticRegression(),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=3),
    "line": LinearRegression(),
    "broken": LogisticRegression(C=-1),
}
WORKING = [name for name in MODELS if name != "broken"]
COSTS = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [9.0, 3.0, 0.0]])
RNG = np.random.default_rng(7)
X = pd.DataFrame(RNG.normal(size=(90, 3)), columns=list("abc"))
HIDDEN = X["a"] - 0.5 * X["b"] + RNG.normal(scale=0.7, size=90)
CODES = np.digitize(HIDDEN, np.quantile(HIDDEN, [0.5, 0.8]))
Y = pd.Series(pd.Categorical.from_codes(CODES, CLASSES, ordered=True))
SEARCH = ParetoSearch(n_particles=8, n_iterations=2, model="linear", random_state=4)


@pytest.fixture(scope="module")
def found():
    folds = Folds.deal(np.arange(90), CODES, n_repeats=2, seed=1)
    return compare(MODELS, X, Y, cv=folds, random_state=1)


@pytest.mark.slow
def test_the_folds_are_those_of_a_selection():
    search = clone(SEARCH).set_params(random_state=9).fit(X, Y)
    found = compare(ONE_CLASS, X, Y, random_state=1)
    assert found.splits.folds.tolist() == search.selector_.folds.index.tolist()


def decisions(found, name, costs, priors=None):
    """Return predicted codes: of the least expected cost if there are probabilities."""
    shares = np.bincount(found.splits.train.codes) / len(found.splits.train)
    ratios = 1.0 if priors is None else np.array(priors) / shares
    classes, _, proba = found.evaluations[name].fit.cv
    return classes if proba is None else (proba * ratios @ costs).argmin(axis=1)


@pytest.mark.slow
def test_same_seed_same_values_for_any_number_of_jobs():
    models = [ONE_CLASS, clone(SEARCH).set_params(random_state=None, cv=2)]
    models.append(ExtraTreesClassifier(5))
    one, two, other = (
        compare(models, X, Y, cv=2, random_state=seed, n_jobs=jobs)
        for seed, jobs in ((4, None), (4, 2), (5, None))
    )
    values = one.fold_measures().per_fold
    assert_frame_equal(values, two.fold_measures().per_fold)
    assert not values.equals(other.fold_measures().per_fold)
    alone = compare([models[2]], X, Y, cv=2, random_state=4).fold_measures().per_fold
    assert_frame_equal(values.loc[["ExtraTreesClassifier"]], alone)


class Failing(ClassifierMixin, BaseEstimator):
    """Fail in the folds without the first sample, and warn in all."""

    def fit(self, X, y):
        warnings.warn(f"doubtful\nin {len(X)} places", RuntimeWarning, stacklevel=1)
        if 0 not in X.index:
            raise TimeoutError("gave up\nafter a while")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


def test_a_failing_model_does_not_stop_the_others():
    order = list(StratifiedKFold(3).split(X, Y))  # sample 0 is tested in the first fold
    models = {"bad": Failing(), "good": DummyClassifier()}
    reports = []
    found = compare(models, X, Y, cv=[order[1], order[0]], report=reports.append)
    reason = "TimeoutError: gave up after a while (fold 1)"
    assert found.excluded == {"bad": reason}
    assert found.notes == [f"bad is excluded: {reason}"]
    assert found.selected == "good"
    done = [(len(each.evaluations), len(each.excluded)) for each in reports]
    assert done == [(0, 0), (0, 1), (1, 1)]
    kept = compare({"bad": Failing()}, X, Y, cv=order[1:])
    assert kept.notes == ["bad warned in 2 folds: RuntimeWarning: doubtful in 60 places"]
    with pytest.raises(ValueError, match="every model failed: bad: TimeoutError: gave"):
        compare({"bad": Failing()}, X, Y, cv=order[:1])


def test_a_class_that_is_not_in_every_test_part():
    y = np.array([0] * 20 + [1] * 16 + [2] * 3 + [3])
    found = compare([GaussianNB(var_smoothing=1e-2)], X[:40], y, cv=5)
    codes = found.samples.codes
    classes = [set(codes[found.splits.folds == fold]) for fold in range(5)]
    assert sum(2 in each for each in classes) == 3
    assert not any(3 in each for each in classes)
    measures = found.fold_measures()
    vus = measures.per_fold["vus"].to_numpy()
    assert_array_equal(np.isnan(vus), [2 not in each for each in classes])
    assert measures.undefined["GaussianNB", "vus"].endswith(
        "class 2 has none (2 of 5 folds, not in the mean)"
    )
    assert measures.summary.loc["GaussianNB", ("vus", "mean")] == np.nanmean(vus)
    assert measures.per_fold[["accuracy", "mean_absolute_error"]].notna().all(axis=None)


@pytest.mark.slow
def test_a_killed_process_fails_only_its_own_model():
    class Killing(GaussianNB):  # defined here, it goes to the other process by value
        def fit(self, X, y):
            import os
            import signal

            os.kill(os.getpid(), signal.SIGKILL)

    models = {"before": GaussianNB(), "killing": Killing(), "after": LogisticRegression()}
    found = compare(models, X, Y, cv=3, random_state=0, n_jobs=2)
    assert found.excluded.keys() == {"killing"}
    assert "was killed, perhaps for want of memory" in found.excluded["killing"]
    del models["killing"]
    expected = compare(models, X, Y, cv=3, random_state=0)
    assert_frame_equal(found.fold_measures().per_fold, expected.fold_measures().per_fold)


def test_tables_are_prepared_within_each_fold(rng):
    town = np.where(X["a"] > 0.0, "Gent", np.where(X["a"] > -0.5, "Lier", "Mol"))
    raw = X.assign(town=town, b=X["b"].mask(rng.random(len(X)) < 0.3))
    found = compare([GaussianNB(), "linear"], raw, Y, cv=2, random_state=0)
    assert found.excluded == {}
    for fold in range(2):
        test = found.splits.folds == fold
        # By hand: the commonest level of the training part is the baseline, gaps get its median.
        training = raw[~test]
        levels = [t for t in ("Gent", "Lier", "Mol") if t != training["town"].mode()[0]]
        by_hand = np.column_stack(
            [
                raw["a"],
                raw["b"].fillna(training["b"].median()),
                raw["b"].isna(),
                raw["c"],
                *(raw["town"] == level for level in levels),
            ]
        ).astype(float)
        model = GaussianNB().fit(by_hand[~test], CODES[~test])
        assert_allclose(
            found.probabilities["GaussianNB"][test], model.predict_proba(by_hand[test])
        )
    assert found.by("town")["rows"].sum() == len(X)


@pytest.mark.checks("Costs", "the cost matrix at each out-of-fold prediction")
@pytest.mark.parametrize("priors", [None, [0.2, 0.2, 0.6]])
def test_costs_match_the_out_of_fold_predictions(found, priors):
    evidence = found.for_costs(Costs(cost_matrix=COSTS, priors=priors))
    candidates = evidence.candidates
    for name in WORKING:
        # Each repeat tests every sample once, so both can be measured together.
        predicted = decisions(found, name, COSTS, priors)
        true = found.samples.codes
        cost = expected_cost(true, predicted, COSTS, priors=priors, labels=range(3))
        figure, _ = evidence.evaluations[name].figure()
        assert figure == pytest.approx(cost)
        # The cheapest is one of several: its cost is corrected for that, and those that
        # would then cost less have the same.
        shown = candidates.loc[name, "cost"]
        selected = candidates.loc[evidence.selected, "cost"]
        assert shown == pytest.approx(cost) or (shown == selected and cost < 1.1 * shown)
    assert candidates["cost"].is_monotonic_increasing
    assert (
        candidates[["excess", "excess_low", "excess_high"]].iloc[0].tolist() == [0.0] * 3
    )
    shown = candidates["cost"] / candidates["cost"].min() - 1.0
    assert_allclose(candidates["excess"], shown, atol=1e-12)


def test_costs_count_each_sample_once(found):
    evidence = found.for_costs(COSTS)
    costs = np.zeros(len(found.splits.train))
    predicted = decisions(found, evidence.selected, COSTS)
    # Each sample is tested in two folds.
    np.add.at(costs, found.splits.positions, COSTS[found.samples.codes, predicted] / 2)
    sampling = np.std(costs, ddof=1) / np.sqrt(len(costs))
    shown = evidence.candidates.loc[evidence.selected]
    assert shown["std_error"] == pytest.approx(
        np.hypot(sampling, COSTS.max() / len(costs))
    )
    overall = evidence.by(np.zeros(len(costs))).iloc[0]
    assert overall["cost"] == pytest.approx(shown["cost"])
    for name, difference in evidence.differences.items():
        saved = 1.0 - evidence.losses[evidence.selected] / evidence.losses[name]
        assert difference.estimate == pytest.approx(saved)


def test_measures_are_summarised_over_the_folds(found, dominated):
    measures = found.fold_measures(["accuracy", "vus", "mean_absolute_error"])
    points = []
    for name, sign in {"accuracy": 1.0, "vus": 1.0, "mean_absolute_error": -1.0}.items():
        folds = np.array([measures.per_fold.loc[model, name] for model in WORKING])
        assert folds.shape == (4, 10)
        shown = measures.summary[name].loc[WORKING]
        assert_allclose(shown["mean"], np.mean(folds, axis=1))
        assert_allclose(shown["sd"], np.std(folds, axis=1, ddof=1))
        ranks = rankdata(-sign * shown["mean"], method="min")
        assert_array_equal(shown["rank"], ranks)
        points.append(sign * shown["mean"].to_numpy())
    points = np.transpose(points).tolist()
    best = np.array(WORKING)[~dominated(points, points)].tolist()
    assert measures.front() == best
    assert len(found.fold_measures("accuracy").front()) < len(WORKING)


def test_probability_measures_need_probabilities():
    models = {"some": GaussianNB(), "none": LinearSVC(C=0.1)}
    found = compare(models, X, Y, cv=3, random_state=0)
    measures = found.fold_measures(["ranked_probability_error"])
    assert measures.per_fold.loc["some"].notna().all(axis=None)
    assert measures.per_fold.loc["none"].isna().all(axis=None)
    assert measures.notes == [
        "RPS not available for none: the model gives no probabilities"
    ]
