"""Twelve tasks of a data scientist, in at most twelve lines each, as the guides describe them."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

import moselect

pytestmark = pytest.mark.slow
COSTS = [1, 1, 1, 5, 5]


def front_of_two_objectives(X, y):
    """Draw a front of two objectives, and compare its hypervolume with those of pymoo."""
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.optimize import minimize

    from moselect import ParetoSearch, plots
    from moselect.pymoo_adapter import MOPSO, OrdinalProblem

    names = ("accuracy", "vus")
    front = ParetoSearch(names, n_iterations=20, cv=None, random_state=1).fit(X, y).front_
    figure = plots.pairwise_fronts(front)
    problem = OrdinalProblem(X, y, objectives=names)
    swarm = minimize(problem, MOPSO(), ("n_gen", 20), seed=1)
    genetic = minimize(problem, NSGA2(100), ("n_gen", 20), seed=1)
    fronts = [front, problem.front(swarm.X), problem.front(genetic.X)]
    return figure, [each.hypervolume for each in fronts]


def thresholds_of_own_scores(X, y):
    """Find the thresholds of a model's scores for costs, and predict new rows."""
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.model_selection import cross_val_predict

    boosting = HistGradientBoostingRegressor(random_state=1)
    score = cross_val_predict(boosting, X, y, cv=5)
    found = moselect.thresholds(y, score, class_costs=COSTS)
    return found, found.predict(boosting.fit(X, y).predict(X[:5]))


def comparison_with_other_classifiers(X, y):
    """Compare classifiers by cost on the same folds."""
    from sklearn.naive_bayes import GaussianNB

    others = ["random_forest", "gradient_boosting", "multinomial", "ordinal_ridge"]
    models = {"bayes": GaussianNB()} | {name: name for name in others}
    models |= {name: name for name in ("proportional_odds", "additive")}
    evidence = moselect.compare(models, X, y, costs=COSTS, random_state=1)
    return evidence.candidates, evidence.differences


def model_by_preference_and_by_limit(X, y):
    """Select a compromise, a model by preference, and one within a limit."""
    search = moselect.ParetoSearch(n_iterations=10, random_state=1).fit(X, y)
    compromise = search.front_[search.front_.balanced()]
    preferred = search.select(preferences={"vus": 2, "accuracy": 1}, model="linear")
    limited = search.select(class_costs=COSTS, limits={"5<5": 0.3}, model="additive")
    return compromise, preferred, limited, limited.evidence.price("5<5")


def own_objective(X, y):
    """Search by a function of labels."""
    from sklearn.metrics import f1_score

    def f1_of_middle(y_true, y_pred):
        return f1_score(y_true, y_pred, labels=[3], average="macro")

    objectives = ("one_minus_mae", f1_of_middle)
    search = moselect.ParetoSearch(objectives, n_iterations=10, cv=None, random_state=1)
    front = search.fit(X, y).front_
    return front, [f1_of_middle(y, model.predict(X)) for model in front]


def trade_off_curve(X, y):
    """Draw miss rate against false alarm rate."""
    search = moselect.ParetoSearch(n_iterations=5, cv=None, random_state=1).fit(X, y)
    model = search.select(class_costs=COSTS, model="additive")
    moselect.plots.trade_off(model.evidence)
    return model.evidence.trade_off(4)


def tuned_boosting(X, y):
    """Tune boosted trees for costs, with moselect and with scikit-learn."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.model_selection import RandomizedSearchCV

    costs = moselect.cost_matrix(COSTS)
    tuning = moselect.tune("gradient_boosting", X, y, 3, costs=costs, random_state=1)
    model = tuning.select(class_costs=COSTS)
    scorer = moselect.metrics.get_scorer("neg_expected_cost", cost_matrix=costs)
    space = {"max_leaf_nodes": [4, 8, 16], "learning_rate": [0.03, 0.1]}
    forest = HistGradientBoostingClassifier(random_state=0)
    search = RandomizedSearchCV(forest, space, n_iter=2, scoring=scorer, random_state=1)
    return tuning, model, search.fit(X, y).best_score_


def weights_groups_and_times(X, y):
    """Fit counts, groups and times."""
    counts, towns, days = np.arange(506) % 3, np.arange(506) // 4, np.arange(506) % 97
    search = moselect.ParetoSearch(n_iterations=3, random_state=1)
    weighted = search.fit(X, y, sample_weight=counts, weight_type="counts").front_
    repeated = search.fit(X.loc[X.index.repeat(counts)], y.repeat(counts)).front_
    grouped = search.fit(X, y, groups=towns).searched_.samples.folds
    search.fit(X, y, times=days)
    return weighted, repeated, grouped, towns, days, search.holdout_rows_


def onnx_of_a_model(X, y):
    """Predict by ONNX."""
    import onnxruntime

    from moselect.export import inputs_of, onnx_of

    search = moselect.ParetoSearch(n_iterations=3, cv=None, random_state=1).fit(X, y)
    model = search.select(class_costs=COSTS, model="additive")
    session = onnxruntime.InferenceSession(onnx_of(model))
    (labels,) = session.run(["label"], inputs_of(model, X))
    return labels[:, 0], model.predict(X)


def predictions_without_scikit_learn(X, y, folder):
    """Predict from a file in a process that has neither scikit-learn nor numba."""
    model = moselect.models.OrdinalStacking(cv=3).fit(X, y).to_predictor()
    moselect.io.write_model(folder / "model.npz", model)
    X.to_csv(folder / "rows.csv", index=False)
    script = """
        import sys
        sys.modules |= dict.fromkeys(["sklearn", "pymoo", "matplotlib"])
        import moselect, pandas
        model = moselect.io.read_model("model.npz")
        print(*model.predict(pandas.read_csv("rows.csv")))
        assert "numba" not in sys.modules"""
    return model.predict(X), textwrap.dedent(script)


def measures_with_intervals(X, y):
    """Measure scores and predictions of any model."""
    from moselect import metrics
    from moselect.inference import ranking_inference

    score, predicted = X["RM"], np.digitize(X["RM"], [5.5, 6.0, 6.5, 7.2]) + 1
    vus = metrics.vus_score(y, score)
    kappa = metrics.weighted_kappa_score(y, predicted, weights="quadratic")
    mae = metrics.mean_absolute_error(y, predicted)
    return vus, kappa, mae, ranking_inference(y, score, measure="vus")


def search_on_a_cluster(X, y):
    """Search and select on two workers of Dask."""
    import joblib
    from distributed import Client, LocalCluster

    search = moselect.ParetoSearch(n_iterations=3, n_runs=2, cv=3, random_state=1)
    local = search.fit(X, y).front_
    workers = LocalCluster(2, threads_per_worker=1, dashboard_address=":0")
    with workers, Client(workers), joblib.parallel_config(backend="dask"):
        search.set_params(n_jobs=-1).fit(X, y)
        model = search.select(class_costs=COSTS, model="additive")
    return local, search.front_, model


# the pages on which each task is found
TASKS = {
    front_of_two_objectives: "guides/fronts.md, guides/coming-from.md",
    thresholds_of_own_scores: "guides/own-scores.md",
    comparison_with_other_classifiers: "guides/python.md",
    model_by_preference_and_by_limit: "guides/fronts.md, guides/choosing-a-limit.md",
    own_objective: "guides/own-objectives.md",
    trade_off_curve: "guides/choosing-a-limit.md, gallery.md",
    tuned_boosting: "guides/tuning.md",
    weights_groups_and_times: "guides/rows.md",
    onnx_of_a_model: "guides/python.md, guides/for-it.md",
    predictions_without_scikit_learn: "guides/for-it.md",
    measures_with_intervals: "guides/measures.md, guides/coming-from.md",
    search_on_a_cluster: "guides/long-searches.md, guides/python.md",
}


def test_a_swarm_from_classical_models_is_ahead_of_a_random_start(boston):
    figure, (own, swarm, genetic) = front_of_two_objectives(*boston)
    assert len(figure.axes) == 1
    assert own == pytest.approx(swarm, abs=0.02)
    assert 0.2 < genetic < own < 0.4


def test_thresholds_of_own_scores_have_a_cost_and_its_interval(boston):
    found, predicted = thresholds_of_own_scores(*boston)
    assert (np.diff(found.thresholds) >= 0.0).all()
    assert found.interval[0] < found.cost < found.interval[1] < 1.5
    assert {*predicted} <= {1, 2, 3, 4, 5}


def test_differences_are_those_of_the_costs_beside_them(boston):
    candidates, differences = comparison_with_other_classifiers(*boston)
    assert len(candidates) == 7
    saved = 1.0 - candidates["cost"].iloc[0] / candidates["cost"]
    for name, difference in differences.items():
        assert difference.estimate == pytest.approx(saved[name], abs=1e-9)


def test_a_limit_is_met_and_has_a_price(boston):
    X, y = boston
    compromise, preferred, limited, price = model_by_preference_and_by_limit(X, y)
    assert compromise.predict(X).shape == y.shape
    assert preferred.evidence.value == "utility"
    assert limited.evidence.limits[0].met
    assert price["cost"].is_monotonic_increasing


def test_an_own_objective_is_the_function_of_predictions(boston):
    front, expected = own_objective(*boston)
    np.testing.assert_allclose(front.objectives["f1_of_middle"], expected, rtol=1e-12)


def test_a_trade_off_is_a_roc_curve(boston):
    curve = trade_off_curve(*boston)
    one = curve[curve["model"] == "additive"].sort_values("false_alarm_rate")
    assert one["miss_rate"].is_monotonic_decreasing
    assert {"miss_rate_error", "cost"} <= {*one}


def test_a_tuned_model_costs_no_more_than_searched_classes(boston):
    tuning, model, best_score = tuned_boosting(*boston)
    assert len(tuning.trials_) == 3
    assert model.evidence.expected < -best_score + 0.1


@pytest.mark.filterwarnings("ignore:.*equal")
def test_counts_are_repeated_rows_and_groups_and_times_divide(boston):
    weighted, repeated, folds, towns, days, latest = weights_groups_and_times(*boston)
    assert_frame_equal(weighted.expected, repeated.expected)
    assert_frame_equal(weighted.objectives, repeated.objectives)
    for train, test in folds:
        assert not {*towns[train]} & {*towns[test]}
    assert days[latest].min() > np.delete(days, latest).max()


def test_onnx_predicts_the_same_classes(boston):
    labels, predicted = onnx_of_a_model(*boston)
    assert labels.tolist() == predicted.tolist()


def test_a_file_predicts_without_scikit_learn(boston, tmp_path):
    predicted, script = predictions_without_scikit_learn(*boston, tmp_path)
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert run.stderr == ""
    assert run.stdout.split() == [str(label) for label in predicted]


def test_measures_have_intervals(boston):
    vus, kappa, mae, inference = measures_with_intervals(*boston)
    assert inference.estimates[0] == pytest.approx(vus)
    assert 1 / 120 < vus < 1.0
    assert 0.0 < kappa < 1.0
    assert 0.0 < mae < 1.0


def test_a_cluster_finds_the_same_front(boston):
    pytest.importorskip("distributed", reason="needs the extra dask")
    local, distributed, model = search_on_a_cluster(*boston)
    assert_frame_equal(local.objectives, distributed.objectives)
    assert model.evidence.selected == "additive"
