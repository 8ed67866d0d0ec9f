"""Time and quality of additive models and ensembles on large synthetic tables whose truth is known.

    python experiments/benchmarks/columns.py --rows 20000 --features 30

Two truths. ``waves``: proportional odds along waves, lines and products of features. ``steps``:
steps and products, with noise that grows with a feature, so that no model is well specified. Rules
decide on 20,000 new rows by plug-in for class costs 1, 2, 4, ...; the excess is what they cost over
the Bayes rule, as a share of what the best guess without features costs over it.
"""

from __future__ import annotations

import argparse
import resource
from functools import partial

import numpy as np
import pandas as pd
from scipy.special import expit

from moselect import cost_matrix
from moselect.models import AdditiveOdds, OrdinalStacking, ProportionalOdds

N_NEW = 20_000
N_CLASSES = 5
MODELS = {
    "linear": partial(ProportionalOdds, alpha="cv"),
    "additive": AdditiveOdds,
    "ensemble": OrdinalStacking,
}


def truth(kind: str, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the latent mean (n,) and the scale of its logistic noise (n,)."""
    a, b, c, d, e, f = X.T[:6]
    if kind == "waves":
        return 2 * np.sin(1.5 * a) + 1.5 * b + 1.5 * c * d + 0.5 * e**2, np.ones(len(X))
    steps = 3.0 * (a > 0.3) + 2.0 * ((b > 0) & (c < 0.5)) + 1.5 * np.abs(d)
    return steps + 0.5 * e * f, 0.5 + 0.5 * expit(f)


def draw(
    kind: str, rows: int, features: int, cuts: np.ndarray | None, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return features, class codes, class probabilities (n, r) and the cut points."""
    X = rng.normal(size=(rows, features))
    mean, scale = truth(kind, X)
    if cuts is None:
        cuts = np.quantile(mean, [0.3, 0.55, 0.75, 0.9])
    at_most = expit((cuts - mean[:, None]) / scale[:, None])
    proba = np.diff(np.pad(at_most, [(0, 0), (1, 1)], constant_values=(0.0, 1.0)), axis=1)
    y = (rng.random(rows)[:, None] > at_most).sum(axis=1)
    return X, y, proba, cuts


def processor_seconds() -> float:
    """Return the processor time of this process and of those that it has waited for."""
    used = [
        resource.getrusage(who)
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--features", type=int, default=30)
    parser.add_argument("--truths", default="waves,steps")
    parser.add_argument("--candidates", default="linear,additive,ensemble")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    costs = cost_matrix(2.0 ** np.arange(N_CLASSES))
    shown = []
    for kind in options.truths.split(","):
        rng = np.random.default_rng(options.seed)
        X, y, _, cuts = draw(kind, options.rows, options.features, None, rng)
        X_new, _, proba, _ = draw(kind, N_NEW, options.features, cuts, rng)
        expected = proba @ costs  # of each decision for each row
        least = expected.min(axis=1).mean()
        guess = expected.mean(axis=0).min()
        for name in options.models.split(","):
            settings = {"random_state": 0} if name == "ensemble" else {}
            started = processor_seconds()
            model = MODELS[name](**settings).fit(X, y)
            seconds = processor_seconds() - started
            decided = (model.predict_proba(X_new) @ costs).argmin(axis=1)
            cost = expected[np.arange(N_NEW), decided].mean()
            excess = (cost - least) / (guess - least)
            shown.append(
                {
                    "truth": kind,
                    "model": name,
                    "rows": options.rows,
                    "features": options.features,
                    "excess": round(excess, 4),
                    "cost over Bayes": round(cost / least, 4),
                    "seconds": round(seconds, 1),
                }
            )
            print(
                pd.DataFrame(shown).tail(1).to_string(header=len(shown) == 1, index=False)
            )


if __name__ == "__main__":
    main()
