"""Coverage of confidence intervals and level of tests of `ranking_inference`, by simulation.

    python experiments/coverage/run.py [--repetitions 400] [--seed 1] [--only plain|draws]

Samples of class k have scores N(k d, 1). Two models see the same samples with correlated scores
of equal quality, so their difference is nothing but chance. Columns: share of 95 % intervals that
hold the true measure; their mean width; mean estimated over true variance; share of differences
with p < 0.05. With 400 repetitions a coverage of 0.95 has a standard error of 0.011.

A second table ("draws") is of samples with real weights and of groups of ten rows, for measures of
scores and of predicted classes; z is 1.96 times the error over the distance from the estimate to
the end of the interval on that side.
"""

from __future__ import annotations

import argparse

import numpy as np

from moselect.inference import prediction_inference, ranking_inference
from moselect.metrics import ranking_scores

MEASURES = {"vus": 0, "u_cons": 1, "u_ovo": 2, "u_pairs": 3}
SETTINGS = [  # class sizes, distance of neighbouring means
    ((10, 10, 10), 1.0),
    ((30, 30, 30), 1.0),
    ((30, 30, 30), 2.5),
    ((60, 25, 15), 1.0),
    ((30, 30, 30, 30, 30), 1.0),
]
GROUPS_OF = 10
DRAWS = [
    (name, n)
    for name in ("weights", "telling weights", "groups")
    for n in (100, 300, 1000)
]


def draw_scores(
    sizes: tuple[int, ...], distance: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    y = np.repeat(np.arange(len(sizes)), sizes)
    common = rng.normal(size=(len(y), 1))
    own = rng.normal(size=(len(y), 2))
    return y, distance * y[:, np.newaxis] + np.sqrt(0.6) * common + np.sqrt(0.4) * own


def true_measures(sizes: tuple[int, ...], distance: float) -> np.ndarray:
    """Give the measures of so many samples that they have hardly any error left."""
    rng = np.random.default_rng(0)
    many = tuple(100_000 * size // max(sizes) for size in sizes)
    values = [ranking_scores(*draw_scores(many, distance, rng)) for _ in range(4)]
    return np.mean(values, axis=(0, 1))


def simulate(
    sizes: tuple[int, ...], distance: float, repetitions: int, seed: int
) -> None:
    truth = true_measures(sizes, distance)
    rng = np.random.default_rng(seed)
    samples = [draw_scores(sizes, distance, rng) for _ in range(repetitions)]
    for measure, method in (("vus", "exact"), ("vus", "delong"), ("u_ovo", "delong")):
        value = truth[MEASURES[measure]]
        results = [ranking_inference(y, scores, measure, method) for y, scores in samples]
        ends = np.array([result.confidence_intervals for result in results])
        covered = ((ends[..., 0] <= value) & (value <= ends[..., 1])).mean()
        width = (ends[..., 1] - ends[..., 0]).mean()
        variance = np.array([result.estimates for result in results]).var(axis=0, ddof=1)
        estimated = np.mean(
            [np.diagonal(result.covariance) for result in results], axis=0
        )
        rejected = np.mean([result.p_values[0, 1] < 0.05 for result in results])
        print(
            f"{' '.join(map(str, sizes)):16}{distance:5.1f}  {measure:7}{value:7.3f}  {method:10}"
            f"{covered:9.3f}{width:8.3f}{(estimated / variance).mean():10.3f}{rejected:9.3f}"
        )


def draw_rows(
    name: str, n: int, rng: np.random.Generator
) -> dict[str, np.ndarray | None]:
    """Draw rows of three classes, as many of each, and their scores, weights or groups.

    Weights have half as many effective rows. Those that tell rise with the error of a score. Rows
    of a group share four fifths of the variance of their errors, and seven of ten the class.
    """
    rows = np.arange(n)
    group = rows // GROUPS_OF
    error = rng.normal(size=n)
    rows_of = {"y": rows * 3 // n, "weights": None, "groups": None}
    if name == "weights":
        rows_of["weights"] = rng.exponential(size=n)
    elif name == "telling weights":
        rows_of["weights"] = np.exp(0.8 * error)
    else:
        rows_of["y"] = (group + (rows % GROUPS_OF > 6)) % 3
        rows_of["groups"] = group
        error = np.sqrt(0.8) * rng.normal(size=n)[group] + np.sqrt(0.2) * error
    scores = rows_of["y"] + error
    return rows_of | {"scores": scores, "predicted": np.clip(np.rint(scores), 0, 2)}


def measure_draws(rows: dict[str, np.ndarray | None], seed: int) -> dict[str, np.ndarray]:
    """Return estimate and ends of the interval of some measures."""
    y, options = rows["y"], {"sample_weight": rows["weights"], "groups": rows["groups"]}
    found = {}
    for measure in ("vus", "u_ovo"):
        result = ranking_inference(y, rows["scores"], measure, "delong", **options)
        found[measure] = np.array([result.estimates[0], *result.confidence_intervals[0]])
    table = prediction_inference(y, rows["predicted"], **options)
    names = ("macro_mean_absolute_error", "minimum_sensitivity")
    return found | {name: table.loc[name].to_numpy() for name in names}


def simulate_draws(name: str, n: int, repetitions: int, seed: int) -> None:
    many = draw_rows(name, 300_000, np.random.default_rng(0))
    truth = measure_draws(many | {"groups": None}, 0)
    rng = np.random.default_rng(seed)
    found = [measure_draws(draw_rows(name, n, rng), seed) for _ in range(repetitions)]
    for measure, (value, *_) in truth.items():
        estimate, lower, upper = np.transpose([one[measure] for one in found])
        covered = ((lower <= value) & (value <= upper)).mean()
        side = np.where(estimate > value, estimate - lower, upper - estimate)
        z = 1.96 * (estimate - value) / side
        print(
            f"{name:16}{n:5}  {measure:26}{value:7.3f}{covered:9.3f}"
            f"{(upper - lower).mean():8.3f}{z.mean():8.3f}{z.std():8.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("plain", "draws"))
    options = parser.parse_args()
    if options.only != "draws":
        print(
            f"{'class sizes':16}{'d':>5}  {'measure':7}{'truth':>7}  {'method':10}"
            f"{'coverage':>9}{'width':>8}{'variance':>10}{'p < .05':>9}"
        )
        for sizes, distance in SETTINGS:
            simulate(sizes, distance, options.repetitions, options.seed)
    if options.only != "plain":
        print(
            f"{'draws':16}{'rows':>5}  {'measure':26}{'truth':>7}{'coverage':>9}{'width':>8}"
            f"{'mean z':>8}{'sd of z':>8}"
        )
        for name, n in DRAWS:
            simulate_draws(name, n, options.repetitions, options.seed)


if __name__ == "__main__":
    main()
