"""Ranking metrics for regression: every printed figure; weights and a band for the curve."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, spearmanr
from sklearn.metrics import mean_absolute_error, root_mean_squared_error

from experiments.ranking_metrics import curves
from experiments.ranking_metrics.ranking_curve import ranking_curve


def roc_auc(y: np.ndarray, score: np.ndarray) -> float:
    """Return the share of pairs in order, where neither targets nor scores tie."""
    return (kendalltau(y, score).statistic + 1.0) / 2.0


MEASURES = {
    "RMSE": root_mean_squared_error,
    "MAE": mean_absolute_error,
    "Spearman": lambda y, score: spearmanr(y, score).statistic,
    "Kendall": lambda y, score: kendalltau(y, score).statistic,
    "ROC AUC": roc_auc,
    "last bucket": lambda y, score: ranking_curve(y, score).last_bucket,
    "first bucket": lambda y, score: ranking_curve(y, score).first_bucket,
    "difference": lambda y, score: ranking_curve(y, score).difference,
    "slope": lambda y, score: ranking_curve(y, score).slope,
}


def article_data() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Draw the target and the three scores from the article's seeds."""
    seeds = np.random.RandomState(42).randint(low=0, high=2**32 - 1, size=4)
    streams = [np.random.RandomState(seed) for seed in seeds]
    y = streams[0].normal(size=1_000)
    return y, {
        "y_score_1": np.exp(3 + y) + streams[1].normal(size=len(y)),
        "y_score_2": 3 * y + streams[2].normal(size=len(y)),
        "y_score_3": streams[3].normal(size=1_000),
    }


def run(out: Path, *, quick: bool, report: Callable[[float], None]) -> pd.DataFrame:
    y, scores = article_data()
    table = pd.DataFrame(
        {
            name: {s: measure(y, scores[s]) for s in scores}
            for name, measure in MEASURES.items()
        }
    )
    here = {
        f"{name}: {score}": table.at[score, name] for name in table for score in scores
    }
    here["least RMSE"] = table["RMSE"].idxmin()
    for name in ("Spearman", "Kendall", "ROC AUC"):
        here[f"best {name}"] = table[name].idxmax()
    report(0.1)
    curves.draw_curves(out / "curves.png", y, scores, n_bootstrap=50 if quick else 2_000)
    here |= curves.compare_weighted(out / "weighted.png", y, scores["y_score_2"])
    report(0.3)
    if not quick:
        here |= curves.band_coverage(lambda share: report(0.3 + 0.7 * share))
    return pd.DataFrame(here.items(), columns=["key", "here"])
