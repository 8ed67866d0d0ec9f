"""The worked example (tables 1-2, figures 1-2) and the toy examples (tables 3-7)."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import roc_auc_score

from experiments.ballante.index import ballante_index
from moselect.metrics import accuracy_score, mean_squared_error

Rows = dict[str, tuple[float, ...]]

WORKED_TRUE = np.array([1, 2, 1, 3, 3, 3, 2, 1, 2, 3])
WORKED_PROBA = np.array(
    [
        [0.288, 0.174, 0.538],
        [0.325, 0.478, 0.197],
        [0.828, 0.013, 0.159],
        [0.310, 0.106, 0.584],
        [0.120, 0.262, 0.618],
        [0.426, 0.167, 0.407],
        [0.849, 0.126, 0.025],
        [0.520, 0.401, 0.079],
        [0.147, 0.670, 0.183],
        [0.142, 0.593, 0.265],
    ]
)
RIGHT = {1: 5, 2: 7, 3: 7}  # samples whose class is found; one more is not
# True and estimated class of that sample, and its place among those estimated as that class.
TOYS = {
    "table 5, model 1": (3, 1, 2),
    "table 5, model 2": (2, 1, 2),
    "table 7, model 1": (3, 1, 2),
    "table 7, model 2": (3, 1, 6),
}
TOY_RIGHT = {"table 5, model 2": {1: 5, 2: 6, 3: 8}}


def worked_example() -> Rows:
    """Give the index, its bound K and the integral and weight of each estimated class."""
    index = ballante_index(WORKED_TRUE, WORKED_PROBA, normalise=False)
    normalised = ballante_index(WORKED_TRUE, WORKED_PROBA)
    rows: Rows = {
        "worked: I": (index,),
        "worked: I_n": (normalised,),
        "worked: K": (index / normalised,),
    }
    estimated = 1 + WORKED_PROBA.argmax(axis=1)
    for j in (1, 2, 3):
        # With all else right the index is the term of this class, its weight times its integral.
        true = np.where(estimated == j, WORKED_TRUE, estimated)
        term = ballante_index(true, WORKED_PROBA, normalise=False, labels=[1, 2, 3])
        integral = np.abs(true - estimated).mean()
        rows[f"worked: integral {j}"] = (integral,)
        rows[f"worked: weight {j}"] = (term / integral,)
    return rows


def toy_examples(n_draws: int) -> Rows:
    """Give the measures of the toy examples; AUC over probabilities that fit the description."""
    rng = np.random.default_rng(0)
    rows: Rows = {}
    for name, (true, estimated, place) in TOYS.items():
        right = TOY_RIGHT.get(name, RIGHT)
        drawn = [draw_toy(right, true, estimated, place, rng) for _ in range(n_draws)]
        y, proba = drawn[0]
        predicted = 1 + proba.argmax(axis=1)
        aucs = [roc_auc_score(y, p, multi_class="ovo") for y, p in drawn]
        rows[f"{name}: I"] = (ballante_index(y, proba, normalise=False),)
        rows[f"{name}: I_n"] = (ballante_index(y, proba),)
        rows[f"{name}: accuracy"] = (accuracy_score(y, predicted),)
        rows[f"{name}: MSE"] = (mean_squared_error(y, predicted),)
        rows[f"{name}: AUC"] = (float(np.median(aucs)), min(aucs), max(aucs))
    return rows


def table_6_as_printed() -> Rows:
    """Give the indices nearest to those of table 7 if a sample of class 1 is estimated as 3."""
    rng = np.random.default_rng(0)
    indices = [
        ballante_index(*draw_toy(RIGHT, 1, 3, place, rng), normalise=False)
        for place in range(1, 9)
    ]
    return {
        f"table 6 as printed, model {model}: I": (
            min(indices, key=lambda i: abs(i - printed)),
        )
        for model, printed in ((1, 0.083), (2, 0.017))
    }


def draw_toy(
    right: dict[int, int], true: int, estimated: int, place: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw class probabilities in which one sample is wrong, at a place of its estimated class."""
    y, rows = [], []
    for j, n_right in right.items():
        wrong = j == estimated
        proba = rng.dirichlet(np.ones(3), size=n_right + wrong)
        proba.sort(axis=1)
        proba = proba[np.argsort(-proba[:, 2])]  # the surest first
        others = [k for k in (0, 1, 2) if k != j - 1]
        placed = np.empty_like(proba)
        placed[:, j - 1] = proba[:, 2]
        placed[:, others] = rng.permuted(proba[:, :2], axis=1)
        classes = [j] * n_right
        if wrong:
            classes.insert(place - 1, true)
        y += classes
        rows.append(placed)
    return np.array(y), np.vstack(rows)


def draw_worked_example(path: Path) -> None:
    """Draw both classification functions and the error intervals (figures 1 and 2 in one)."""
    estimated = 1 + WORKED_PROBA.argmax(axis=1)
    order = np.lexsort((-WORKED_PROBA.max(axis=1), estimated))
    true, estimated = WORKED_TRUE[order], estimated[order]
    edges = np.linspace(0.0, 1.0, len(order) + 1)
    figure, ax = plt.subplots(figsize=(6.0, 3.4), layout="constrained")
    for j in (1, 2, 3):
        inside = np.flatnonzero(estimated == j)
        first = inside[true[inside] != j][0]
        label = "error interval" if j == 1 else None
        ax.axvspan(
            edges[first], edges[inside[-1] + 1], color="0.9", linewidth=0, label=label
        )
        ax.axvline(edges[inside[-1] + 1], color="0.6", linewidth=0.8, linestyle=":")
    ax.stairs(
        true,
        edges,
        baseline=estimated,
        fill=True,
        color="#d55e00",
        alpha=0.35,
        label="|difference|",
    )
    ax.stairs(
        estimated, edges, baseline=None, color="#0072b2", linewidth=2.5, label="f exact"
    )
    ax.stairs(
        true,
        edges,
        baseline=None,
        color="black",
        linewidth=1.5,
        linestyle="--",
        label="f of the model",
    )
    ax.set(
        xlabel="share of samples",
        ylabel="class",
        yticks=[1, 2, 3],
        ylim=(0.8, 3.2),
        xlim=(0, 1),
    )
    ax.legend(
        frameon=False, ncols=4, loc="upper center", bbox_to_anchor=(0.5, 1.17), fontsize=9
    )
    figure.savefig(path, dpi=150)
    plt.close(figure)
