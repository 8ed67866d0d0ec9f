"""Kappa, F, Jaccard and the worst class: definitions, derivatives and influences."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, fbeta_score, jaccard_score, recall_score

from moselect.metrics.decision_metrics import count_cells
from moselect.metrics.metric_names import metric_named

CLASSES = ["slight", "mild", "severe", "fatal"]
NAMES = [
    *("quadratic_kappa", "linear_kappa", "kappa", "minimum_sensitivity", "maximum_mae"),
    *("f1:severe", "f0.5:fatal", "jaccard:mild"),
]


def _of_scikit_learn(name, codes, predicted, weights):
    weighted = {"sample_weight": weights}
    if name.endswith("kappa"):
        growth = {"quadratic_kappa": "quadratic", "linear_kappa": "linear"}.get(name)
        return cohen_kappa_score(codes, predicted, weights=growth, **weighted)
    if name == "minimum_sensitivity":
        return recall_score(codes, predicted, average=None, **weighted).min()
    if name == "maximum_mae":
        off = np.abs(codes - predicted)
        return max(
            np.average(off[codes == k], weights=weights[codes == k]) for k in range(4)
        )
    measure, label = name.split(":")
    above = [values >= CLASSES.index(label) for values in (codes, predicted)]
    if measure == "jaccard":
        return jaccard_score(*above, **weighted)
    return fbeta_score(*above, beta=float(measure[1:]), **weighted)


@pytest.mark.checks("Measures", "scikit-learn's kappa, F1 and recall")
@pytest.mark.parametrize("name", NAMES)
def test_metrics_equal_scikit_learn(name, rng):
    codes = rng.integers(4, size=200)
    predicted = np.clip(codes + rng.integers(-1, 2, size=200), 0, 3)
    weights = rng.uniform(0.5, 3.0, size=200)
    metric = metric_named(name, CLASSES)
    loss = metric.loss(count_cells(codes, predicted, weights, 4))
    expected = _of_scikit_learn(name, codes, predicted, weights)
    assert metric.value(loss) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_slopes_are_the_derivatives_of_the_loss(name, rng):
    metric = metric_named(name, CLASSES)
    step = 1e-5
    confusion = rng.uniform(1.0, 9.0, (4, 4))
    cells = np.eye(16).reshape(16, 4, 4) * step
    rise = metric.loss(confusion + cells) - metric.loss(confusion - cells)
    np.testing.assert_allclose(
        metric.slopes(confusion).ravel(), rise / (2.0 * step), atol=1e-8
    )


@pytest.mark.parametrize("name", ["quadratic_kappa", "f1:severe", "minimum_sensitivity"])
def test_influences_give_the_standard_error_of_the_metric(name):
    metric = metric_named(name, CLASSES)
    values = []
    errors = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        codes = rng.choice(4, size=500, p=[0.4, 0.3, 0.2, 0.1])
        # The lowest class has clearly the least sensitivity.
        is_correct = rng.random(500) < np.where(codes == 0, 0.5, 0.8)
        predicted = np.where(is_correct, codes, (codes + 1) % 4)
        loss, influences = metric.losses(codes, predicted, np.ones(500))
        values.append(loss)
        errors.append(influences.std() / np.sqrt(500))
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.12)


def test_classes_without_samples_keep_the_distances_of_the_scale(rng):
    all_classes = metric_named("quadratic_kappa", CLASSES)
    observed = metric_named("quadratic_kappa", CLASSES, [0, 1, 3])
    confusion = rng.uniform(1.0, 9.0, (3, 3))
    padded = np.zeros((4, 4))
    padded[np.ix_([0, 1, 3], [0, 1, 3])] = confusion
    assert observed.loss(confusion) == pytest.approx(float(all_classes.loss(padded)))


@pytest.mark.parametrize("name", ["f1:unknown", "jaccard:", "f:severe"])
def test_unknown_metrics_are_refused_in_one_line(name):
    with pytest.raises(
        ValueError, match=r"^(unknown metric|the metric) .*choose from [^\n]*$"
    ):
        metric_named(name, CLASSES)


@pytest.mark.parametrize(
    ("name", "loss"),
    [
        ("quadratic_kappa", 1.0),
        ("minimum_sensitivity", 1.0),
        ("maximum_mae", 2.0),
        # F of always severe or above: 2 * 3 / (2 * 3 + 8)
        ("f1:severe", 1.0 - 6.0 / 14.0),
    ],
)
def test_a_constant_prediction_has_no_kappa(name, loss):
    sizes = np.array([5.0, 3.0, 2.0, 1.0])
    assert metric_named(name, CLASSES).chance_loss(sizes) == pytest.approx(loss)


def test_the_worst_class_is_corrected_for_the_variation_between_models():
    # Mean errors of both classes are .4, and of the models 1, 0, 1, 0 and 0.
    rates = np.array([1.0, 0.0, 1.0, 0.0, 0.0])[:, None, None]
    confusions = 100.0 * np.where(np.eye(2), 1.0 - rates, rates)
    worst = metric_named("minimum_sensitivity", ["low", "high"])
    bias, _ = worst.unseen(confusions, np.ones(2))
    # the expected greater one of two normal means of five models
    expected = np.std(rates, ddof=1) / np.sqrt(5.0 * np.pi)
    assert bias == pytest.approx(expected, abs=0.03)
