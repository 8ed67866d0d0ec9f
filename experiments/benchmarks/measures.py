"""Time of the measures as a multiple of numpy's sort of the same scores, in one process.

    python experiments/benchmarks/measures.py [--large]

Medians of interleaved repetitions, input checks included, kernels compiled beforehand. With
``--large`` also VUS of 10 million samples (about a gigabyte of memory).
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from timing import median_seconds

from moselect.inference import ranking_inference
from moselect.metrics import (
    pairwise_auc_matrix,
    ranking_scores,
    u_pairs_score,
    vus_score,
)

CLASSES = 5
TARGETS = {"vus": 1.5, "delong, vus": 4.0}


def make_data(n: int, digits: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n)
    y = rng.integers(1, CLASSES + 1, n)
    scores = y + 1.5 * rng.normal(size=n)
    return y, scores if digits is None else np.round(scores, digits)


def compare(n: int, repetitions: int, digits: int | None = None) -> None:
    y, scores = make_data(n, digits)
    weights = np.random.default_rng(0).random(n)
    tasks = {
        "sort": lambda: np.sort(scores),
        "vus": lambda: vus_score(y, scores),
        "vus, ties='average'": lambda: vus_score(y, scores, ties="average"),
        "vus, weighted": lambda: vus_score(y, scores, sample_weight=weights),
        "u_pairs": lambda: u_pairs_score(y, scores),
        "all four": lambda: ranking_scores(y, scores),
        "AUC matrix": lambda: pairwise_auc_matrix(y, scores),
        "delong, vus": lambda: ranking_inference(y, scores, method="delong"),
        "delong, u_pairs": lambda: ranking_inference(y, scores, "u_pairs", "delong"),
    }
    seconds = median_seconds(tasks, repetitions)
    kind = "no ties" if digits is None else f"{len(np.unique(scores))} different scores"
    print(
        f"\nn = {n:,}, r = {CLASSES}, {kind}: numpy's sort takes {1e3 * seconds['sort']:.2f} ms"
    )
    print(f"{'':24}{'ms':>10}{'x sort':>10}{'target':>10}")
    for name, spent in seconds.items():
        limit = TARGETS.get(name) if n >= 100_000 and digits is None else None
        target = "" if limit is None else f"{limit:10.1f}"
        print(f"{name:24}{1e3 * spent:10.2f}{spent / seconds['sort']:10.2f}{target}")


def time_exact(n: int) -> None:
    y, scores = make_data(n)
    both = np.column_stack([scores, scores + np.random.default_rng(1).normal(size=n)])
    ranking_inference(y[:100], both[:100], method="exact")
    started = time.perf_counter()
    ranking_inference(y, both, method="exact")
    spent = time.perf_counter() - started
    print(f"exact covariance of two models, VUS, n = {n:,}: {spent:.2f} s")


def time_large(n: int) -> None:
    y, scores = make_data(n)
    started = time.perf_counter()
    np.sort(scores)
    sort = time.perf_counter() - started
    started = time.perf_counter()
    value = vus_score(y, scores)
    spent = time.perf_counter() - started
    print(f"\nn = {n:,}: vus = {value:.6f} in {spent:.2f} s, {spent / sort:.2f} x sort")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", action="store_true", help="also 10 million samples")
    options = parser.parse_args()
    compare(500, 201)
    compare(100_000, 21)
    compare(1_000_000, 5)
    compare(1_000_000, 5, digits=1)
    print()
    time_exact(10_000)
    if options.large:
        time_large(10_000_000)


if __name__ == "__main__":
    main()
