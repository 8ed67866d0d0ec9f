"""Figures 6 and 7: what the ranking measures of random rankings are like, and whether normal."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.diagnostic import lilliefors

from experiments.waegeman2008.spread import over_seeds
from experiments.waegeman2008.trade_offs import comonotone
from moselect import metrics
from moselect.metrics import objective_named

Floats = NDArray[np.float64]

MEASURES = ("vus", "u_cons", "u_ovo", "u_pairs")
N_CLASSES, CLASS_SIZE, N_RANKINGS = 4, 50, 1_000
LEVEL = 0.05
COLOUR = "#1f83c4"


def sample_rankings(seed: int) -> Floats:
    """Give the four measures of 1,000 random rankings (1000, 4)."""
    y = np.repeat(np.arange(N_CLASSES), CLASS_SIZE)
    ranks = np.tile(np.arange(len(y)), (N_RANKINGS, 1))
    rankings = np.random.default_rng(seed).permuted(ranks, axis=1).T
    return metrics.ranking_scores(y, rankings)


def run(out: Path, n_seeds: int, report: Callable[[float], None]) -> list[dict[str, Any]]:
    """Sample rankings with several seeds, draw the first, and test the claims on all."""
    samples = []
    for seed in range(n_seeds):
        samples.append(sample_rankings(seed))
        report((seed + 1) / n_seeds)
    draw_matrix(samples[0]).savefig(out / "figure_6.png", dpi=80)
    draw_quantiles(samples[0]).savefig(out / "figure_7.png", dpi=80)
    return claims(np.array(samples))


def claims(samples: Floats) -> list[dict[str, Any]]:
    """Give the numbers that decide what is said about figures 6 and 7."""
    others = [(i, j) for i, j in combinations(range(4), 2) if (i, j) != (2, 3)]
    rows = [
        over_seeds("6-7 VUS by chance", samples[..., 0].mean(axis=1)),
        {
            "key": "6-7 U ovo and U pairs",
            "here": np.abs(samples[..., 2] - samples[..., 3]).max(),
        },
        over_seeds(
            "6-7 comonotone pairs",
            [sum(comonotone(s[:, i], s[:, j]) for i, j in others) for s in samples],
        ),
        over_seeds(
            "6-7 discordant rankings",
            [min(_discordant(s[:, i], s[:, j]) for i, j in others) for s in samples],
        ),
    ]
    for k, name in enumerate(MEASURES):
        short = objective_named(name).label
        values = samples[..., k]
        rows += [
            over_seeds(f"6-7 skewness of {short}", stats.skew(values, axis=1)),
            {
                "key": f"6-7 normality of {short} rejected",
                "here": np.mean([lilliefors(v)[1] < LEVEL for v in values]),
            },
        ]
    standard = stats.zscore(samples[..., 0], axis=1, ddof=1)
    plain = [stats.kstest(values, "norm").pvalue < LEVEL for values in standard]
    rows.append(
        {"key": "6-7 normality of VUS rejected, plain test", "here": np.mean(plain)}
    )
    return rows


def _discordant(a: Floats, b: Floats) -> float:
    """Share of the pairs of rankings that one measure orders the other way."""
    product = np.subtract.outer(a, a) * np.subtract.outer(b, b)
    return float((product < 0.0).sum() / (len(a) * (len(a) - 1)))


def draw_matrix(sample: Floats) -> Figure:
    figure = Figure(figsize=(8.0, 8.0), layout="constrained")
    axes = figure.subplots(4, 4, sharex="col")
    for i, j in np.ndindex(4, 4):
        ax = axes[i, j]
        if i == j:
            ax.hist(sample[:, i], 25, color=COLOUR)
            ax.set_title(objective_named(MEASURES[i]).symbol, fontsize=12)
            ax.set_yticks([])
        else:
            ax.plot(
                sample[:, j], sample[:, i], ".", color=COLOUR, markersize=2.5, alpha=0.4
            )
        ax.tick_params(labelsize=8, labelleft=j == (1 if i == 0 else 0))
        ax.locator_params(nbins=4)
    figure.suptitle("figure 6: 1,000 random rankings of 4 x 50 samples")
    return figure


def draw_quantiles(sample: Floats) -> Figure:
    figure = Figure(figsize=(9.5, 2.9), layout="constrained")
    places = stats.norm.ppf((np.arange(len(sample)) + 0.5) / len(sample))
    for ax, name, values in zip(figure.subplots(1, 4), MEASURES, sample.T, strict=True):
        ax.plot(places, np.sort(values), ".", color=COLOUR, markersize=3)
        ax.axline(
            (0.0, values.mean()), slope=values.std(ddof=1), color="0.3", linewidth=0.9
        )
        skewness = f"skewness {stats.skew(values) + 0.0:+.2f}"
        ax.text(0.05, 0.93, skewness, transform=ax.transAxes, fontsize=9, va="top")
        ax.set(title=objective_named(name).symbol)
        ax.tick_params(labelsize=8)
    figure.supxlabel("quantiles of the normal distribution", fontsize=9)
    figure.suptitle("figure 7", fontsize=11)
    return figure
