"""The ranking curve of the article, with the weights and the bootstrap band that it leaves out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from experiments.ranking_metrics.ranking_curve import RankingCurve, ranking_curve

COLOURS = {"y_score_1": "#0072b2", "y_score_2": "#d55e00", "y_score_3": "#009e73"}
MARKERS = {"y_score_1": "o", "y_score_2": "s", "y_score_3": "^"}
STEEPNESS = 1.5  # of the chance to be kept, in logits per unit of the target
SAMPLES = 400  # whose bands are checked
LARGE = 2_000_000  # samples whose curve passes for the true one


def draw_curves(
    path: Path, y: np.ndarray, scores: dict[str, np.ndarray], *, n_bootstrap: int
) -> None:
    """Draw the article's figure: mean target by bucket of each score, with bands."""
    figure, ax = plt.subplots(figsize=(6.0, 4.0), layout="constrained")
    ax.axhline(y.mean(), color="0.4", linestyle="--", linewidth=1, label="random ranking")
    for name, score in scores.items():
        curve = ranking_curve(y, score, n_bootstrap=n_bootstrap, random_state=0)
        _draw(ax, curve, name, COLOURS[name], MARKERS[name])
    ax.set(
        xlabel="bucket of the score", ylabel="mean of the target", xticks=curve.positions
    )
    ax.set_title("Ranking curves with 95 % bootstrap bands", fontsize=10)
    ax.legend(frameon=False)
    figure.savefig(path, dpi=150)
    plt.close(figure)


def compare_weighted(path: Path, y: np.ndarray, score: np.ndarray) -> dict[str, float]:
    """Undo with weights that samples of high target had a greater chance to be kept.

    Also check that whole weights do what repetition does.
    """
    rng = np.random.default_rng(0)
    chance = 1.0 / (1.0 + np.exp(-STEEPNESS * y))
    kept = rng.random(len(y)) < chance
    whole = ranking_curve(y, score)
    plain = ranking_curve(y[kept], score[kept])
    weighted = ranking_curve(y[kept], score[kept], sample_weight=1.0 / chance[kept])

    figure, ax = plt.subplots(figsize=(6.0, 4.0), layout="constrained")
    _draw(ax, whole, f"all {len(y):,} samples", "#000000", "o")
    _draw(ax, plain, f"the {kept.sum()} kept", "#d55e00", "s")
    _draw(ax, weighted, "those kept, weighted by 1 / chance", "#0072b2", "^")
    ax.set(
        xlabel="bucket of the score", ylabel="mean of the target", xticks=whole.positions
    )
    ax.set_title("Weights undo a biased sample (y_score_2)", fontsize=10)
    ax.legend(frameon=False)
    figure.savefig(path, dpi=150)
    plt.close(figure)

    times = rng.integers(1, 4, len(y))
    repeated = ranking_curve(np.repeat(y, times), np.repeat(score, times))
    by_weight = ranking_curve(y, score, sample_weight=times)
    return {
        "biased sample: plain": np.abs(plain.values - whole.values).max(),
        "biased sample: weighted": np.abs(weighted.values - whole.values).max(),
        "weights and repetition": np.abs(by_weight.values - repeated.values).max(),
    }


def band_coverage(
    report: Callable[[float], None], *, n_samples: int = SAMPLES, n_large: int = LARGE
) -> dict[str, float]:
    """Give the share of 95 % bands that hold the true curve of y_score_2, bucket by bucket."""
    rng = np.random.default_rng(1)
    true = ranking_curve(*_draw_sample(n_large, rng)).values
    held = []
    for k in range(n_samples):
        band = ranking_curve(*_draw_sample(1_000, rng), n_bootstrap=300, random_state=rng)
        held.append((band.lower <= true) & (true <= band.upper))
        report((k + 1) / n_samples)
    return {"band: coverage": float(np.mean(held))}


def _draw_sample(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    y = rng.normal(size=n)
    return y, 3.0 * y + rng.normal(size=n)


def _draw(ax: plt.Axes, curve: RankingCurve, name: str, colour: str, marker: str) -> None:
    ax.plot(
        curve.positions,
        curve.values,
        color=colour,
        marker=marker,
        markersize=5,
        label=name,
    )
    if curve.lower is not None:
        ax.fill_between(
            curve.positions,
            curve.lower,
            curve.upper,
            color=colour,
            alpha=0.25,
            linewidth=0,
        )
