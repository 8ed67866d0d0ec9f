"""Tuned models: whether their figures are true, and what tuning saves on new rows.

python experiments/tuning/run.py figures|boosting [SEED ...]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import loguniform, randint, uniform
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier

import moselect

HERE = Path(__file__).parent
COSTS = [1.0, 1.0, 2.0, 5.0]
N_ROWS = 400
N_NEW = 20_000
BUDGETS = 20, 100
TREE = {
    "max_depth": randint(2, 12),
    "min_samples_leaf": randint(1, 40),
    "max_features": uniform(0.2, 0.8),
    "criterion": ["gini", "entropy"],
}
MODELS = {
    "tree": (DecisionTreeClassifier(), TREE),
    "logistic": (LogisticRegression(), {"C": loguniform(1e-3, 100.0)}),
}
SETS = "bostonhousing_ord", "machine_ord", "auto_ord", "stock_ord"
N_TRIALS = 20
MIN_ROWS = 20  # of a class; smaller ones are left out


def draw(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw rows of a known law: four classes by a curved score with noise."""
    X = rng.normal(size=(n, 6))
    score = X[:, 0] + np.abs(X[:, 1]) + X[:, 2] * X[:, 3] + rng.logistic(size=n)
    return X, np.digitize(score, [-0.5, 1.5, 3.5])


def figures(seed: int) -> list[dict]:
    """Return the figure shown for the chosen trial, the naive one, and the true one."""
    rng = np.random.default_rng(seed)
    X, y = draw(N_ROWS, rng)
    new, truth = draw(N_NEW, rng)
    rows = []
    for n_trials in BUDGETS:
        started = time.perf_counter()
        tuning = moselect.tune(
            MODELS, X, y, n_trials, class_costs=COSTS, random_state=seed
        )
        model = tuning.select()
        evidence = model.evidence
        naive, naive_se = evidence.chosen.figure()
        cost = moselect.cost_matrix(COSTS)[truth, model.predict(new)].mean()
        rows.append(
            {
                "seed": seed,
                "trials": n_trials,
                "shown": evidence.expected,
                "shown_se": evidence.expected_se,
                "naive": naive,
                "naive_se": naive_se,
                "true": cost,
                "seconds": time.perf_counter() - started,
            }
        )
    return rows


def boosting(seed: int) -> list[dict]:
    """Return costs on new rows of boosted trees: default, tuned here, tuned by Optuna alone."""
    from lightgbm import LGBMClassifier

    rows = []
    for name in SETS:
        table = moselect.datasets.load_dataset(name)
        counts = table.y.value_counts()
        kept = ~table.y.isin(counts.index[counts < MIN_ROWS])
        X = table.X[kept].to_numpy(np.float64)
        y = np.unique(table.y[kept], return_inverse=True)[1]
        costs = np.where(np.arange(y.max() + 1) > y.max() / 2, 5.0, 1.0)
        matrix = moselect.cost_matrix(costs)
        order = np.random.default_rng(seed).permutation(len(y))
        train, new = np.array_split(order, 2)
        tuning = moselect.tune(
            "lightgbm", X[train], y[train], N_TRIALS, class_costs=costs, random_state=seed
        )
        tuned = tuning.select()
        default = tuning.select(model="lightgbm-0")
        alone, best = optuna_alone(X[train], y[train], matrix, seed)
        package = LGBMClassifier(verbose=-1, n_jobs=1).fit(X[train], y[train])

        def paid(predicted, new=new, y=y, matrix=matrix):
            return float(matrix[y[new], predicted].mean())

        def plug_in(model, X=X, new=new, matrix=matrix):
            return (model.predict_proba(X[new]) @ matrix).argmin(axis=1)

        rows.append(
            {
                "seed": seed,
                "set": name,
                "package default": paid(plug_in(package)),
                "default": paid(default.predict(X[new])),
                "tuned": paid(tuned.predict(X[new])),
                "shown": tuned.evidence.expected,
                "shown_se": tuned.evidence.expected_se,
                "optuna": paid(plug_in(alone)),
                "optuna_shown": best,
            }
        )
        print(rows[-1], flush=True)
    return rows


def optuna_alone(X, y, matrix, seed):
    """Tune by Optuna and scikit-learn for the expected cost of decisions, in the same space."""
    import optuna

    def cost(y_true, proba):
        return -matrix[y_true, (proba @ matrix).argmin(axis=1)].mean()

    made = moselect.selection.KNOWN_MODELS["lightgbm"].make
    scorer = make_scorer(cost, response_method="predict_proba")

    def objective(trial):
        settings = {}
        for name, values in moselect.tuning.KNOWN_SPACES["lightgbm"].items():
            settings[name] = values[0] if isinstance(values, list) else None
            if settings[name] is None:
                value = values.ppf(trial.suggest_float(name, 1e-6, 1.0 - 1e-6)).item()
                settings[name] = int(value) if hasattr(values.dist, "pmf") else value
        trial.set_user_attr("settings", settings)
        model = made().set_params(**settings)
        return cross_val_score(model, X, y, cv=5, scoring=scorer).mean()

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.TPESampler(seed=seed)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.optimize(objective, n_trials=N_TRIALS)
    model = made().set_params(**study.best_trial.user_attrs["settings"])
    return model.fit(X, y), -study.best_value


def main() -> None:
    """Add the rows of some seeds to the results, and print their summary."""
    part, *seeds = sys.argv[1:]
    path = HERE / f"{part}.csv"
    known = [pd.read_csv(path)] if path.exists() else []
    for seed in map(int, seeds):
        rows = {"figures": figures, "boosting": boosting}[part](seed)
        known.append(pd.DataFrame(rows))
        pd.concat(known).to_csv(path, index=False, float_format="%.5g")
    table = pd.concat(known)
    if part == "figures":
        for what in ("shown", "naive"):
            table[f"z {what}"] = (table[what] - table["true"]) / table[f"{what}_se"]
        by_budget = table.groupby("trials")[
            ["z shown", "z naive", "shown", "naive", "true"]
        ]
        print(by_budget.agg(["mean", "std", "count"]).round(3).to_string())
        return
    means = table.groupby("set").mean()
    print(means.round(3).to_string())
    for name in ("package default", "default", "optuna"):
        print(f"tuned / {name}: {(means['tuned'] / means[name]).mean():.3f}")


if __name__ == "__main__":
    main()
