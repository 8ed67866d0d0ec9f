"""Coverage of confidence intervals and level of tests of `ranking_inference`, by simulation.

    python experiments/coverage/run.py [--repetitions 400] [--seed 1]

Samples of class k have scores N(k d, 1). Two models see the same samples with correlated scores
of equal quality, so their difference is nothing but chance. Columns: share of 95 % intervals that
hold the true measure; their mean width; mean estimated over true variance; share of differences
with p < 0.05. With 400 repetitions a coverage of 0.95 has a standard error of 0.011.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

from moselect.metrics import ranking_inference, ranking_scores

MEASURES = {"vus": 0, "u_cons": 1, "u_ovo": 2, "u_pairs": 3}
SETTINGS = [  # class sizes, distance of neighbouring means
    ((10, 10, 10), 1.0),
    ((30, 30, 30), 1.0),
    ((30, 30, 30), 2.5),
    ((60, 25, 15), 1.0),
    ((30, 30, 30, 30, 30), 1.0),
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


def simulate(sizes: tuple[int, ...], distance: float, repetitions: int, seed: int) -> None:
    truth = true_measures(sizes, distance)
    rng = np.random.default_rng(seed)
    samples = [draw_scores(sizes, distance, rng) for _ in range(repetitions)]
    for measure, method in itertools.product(("vus", "u_ovo"), ("exact", "delong")):
        value = truth[MEASURES[measure]]
        results = [ranking_inference(y, scores, measure, method) for y, scores in samples]
        ends = np.array([result.confidence_intervals for result in results])
        covered = ((ends[..., 0] <= value) & (value <= ends[..., 1])).mean()
        width = (ends[..., 1] - ends[..., 0]).mean()
        variance = np.array([result.estimates for result in results]).var(axis=0, ddof=1)
        estimated = np.mean([np.diagonal(result.covariance) for result in results], axis=0)
        rejected = np.mean([result.p_values[0, 1] < 0.05 for result in results])
        print(
            f"{' '.join(map(str, sizes)):16}{distance:5.1f}  {measure:7}{value:7.3f}  {method:10}"
            f"{covered:9.3f}{width:8.3f}{(estimated / variance).mean():10.3f}{rejected:9.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(
        f"{'class sizes':16}{'d':>5}  {'measure':7}{'truth':>7}  {'method':10}"
        f"{'coverage':>9}{'width':>8}{'variance':>10}{'p < .05':>9}"
    )
    for sizes, distance in SETTINGS:
        simulate(sizes, distance, options.repetitions, options.seed)


if __name__ == "__main__":
    main()
