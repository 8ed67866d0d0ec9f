"""Figures of eight selections, which a slow test compares with stored ones.

python -m tests.frozen.results     stores them anew, for a commit that says why
"""

import json
import re
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.linalg  # noqa: F401 (loads the kernels that processor names)
from llvmlite.binding import get_host_cpu_name
from threadpoolctl import threadpool_info

import moselect
from tests.places import CLAIMS

LABELS = ["low", "mid", "high"]


def generated(seed, n=160):
    """Draw two numbers, a category and a class of three that depends on them."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.normal(50, 15, n).round(1),
            "dose": rng.gamma(2.0, 10.0, n).round(1),
            "site": rng.choice(["north", "south", "east"], n, p=[0.5, 0.3, 0.2]),
        }
    )
    latent = (X["age"] - 50) / 15 + np.log(X["dose"] + 1) + (X["site"] == "south")
    latent += rng.logistic(size=n)
    return X, pd.cut(latent, [-np.inf, 2.5, 4.2, np.inf], labels=LABELS), rng


def searched(X, y, roles, **settings):
    """Fit a short search."""
    settings |= {"n_iterations": 2, "random_state": 1, "n_jobs": 1, "cv": 3}
    return moselect.ParetoSearch(**settings).fit(X, y, **roles)


def boston():
    """Select among all candidates on Boston housing."""
    X, y = moselect.datasets.load_boston()
    search = searched(X, y, {}, max_models=50)
    return search, search.select(class_costs=[1, 1, 1, 5, 5]), X


def claims():
    """Select among all candidates on the claims of the guides."""
    table = pd.read_csv(CLAIMS)
    y = pd.Series(
        pd.Categorical(
            table.pop("severity"), ["none", "slight", "serious", "severe"], ordered=True
        )
    )
    X = table.drop(columns="claim")
    search = searched(X, y, {}, max_models=50)
    return search, search.select(class_costs=[1, 2, 5, 10], model="additive"), X


COSTS = {"class_costs": [1, 2, 4]}
ROW_COSTS = pd.DataFrame(
    [["0", "30", "60"], ["dose", "0", "30"], ["3 * dose", "dose", "0"]], LABELS, LABELS
)
DIRECTIONS = {"age": 1, "dose": 1}
GENERATED = {  # seed, settings of the search, criteria
    "weights": (1, {}, COSTS | {"model": "linear"}),
    "groups": (2, {}, COSTS | {"model": "additive"}),
    "limits_and_referral": (
        3,
        {},
        COSTS | {"limits": {"high<high": 0.4}, "refer": 1.0, "model": "additive"},
    ),
    "metric": (4, {}, {"metric": "quadratic_kappa", "model": "linear"}),
    "costs_of_rows": (5, {}, {"cost_matrix": ROW_COSTS, "model": "additive"}),
    "directions": (6, {"monotone": DIRECTIONS}, COSTS | {"model": "scorecard"}),
}


def selected(case):
    """Return the search, the selected model and the features of a case."""
    if case == "boston":
        return boston()
    if case == "claims":
        return claims()
    seed, settings, criteria = GENERATED[case]
    X, y, rng = generated(seed)
    roles = {}
    if case == "weights":
        roles["sample_weight"] = rng.gamma(4.0, 0.25, len(X))
    if case == "groups":
        roles["groups"] = rng.integers(0, 40, len(X))
    search = searched(X, y, roles, **settings)
    return search, search.select(**criteria), X


CASES = ("boston", "claims", *GENERATED)


def figures(case):
    """Return the figures of a case, as a list of numbers and texts by name."""
    search, model, X = selected(case)
    X = X.iloc[:: max(1, len(X) // 100)]
    evidence = model.evidence
    candidates = evidence.candidates.drop(columns="seconds")
    found = {
        "front": _plain(search.front_.objectives),
        "front.expected": _plain(search.front_.expected),
        "front.weights": np.asarray(search.front_.weights).ravel().tolist(),
        "front.thresholds": np.asarray(search.front_.thresholds).ravel().tolist(),
        "candidates": _plain(candidates),
        "differences": [
            [name, *map(float, difference)]
            for name, difference in evidence.differences.items()
        ],
        "expected": [evidence.expected, evidence.expected_se],
        "measures": _plain(evidence.measures),
        "predicted": [str(label) for label in model.predict(X)],
        "scores": model.decision_function(X).tolist(),
        "probabilities": model.predict_proba(X).ravel().tolist(),
        "trade_off": _plain(evidence.trade_off(model.classes_[-1])),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.npz"
        moselect.io.write_model(path, model)
        read = moselect.io.read_model(path)
    found["read"] = read.predict_proba(X).ravel().tolist()
    if case == "claims":
        page = moselect.page.make_page(
            search.selector_, costs=moselect.Costs([1, 2, 5, 10])
        )
        found["page"] = _numbers(page.html)
    return found


def made_with():
    """Return the versions on which the figures depend."""
    return [*map(version, ("numpy", "scipy", "scikit-learn", "pandas", "numba"))]


def processor():
    """Return the processor type, by which compiled loops round sums otherwise."""
    kernels = {
        each["architecture"] for each in threadpool_info() if "architecture" in each
    }
    return [get_host_cpu_name(), *sorted(kernels)]


def _plain(table):
    """List the names and cells of a table, missing values as None."""
    flat = table.reset_index().astype(object)
    cells = flat.where(flat.notna(), None).to_numpy().tolist()
    return [list(map(str, flat.columns)), *cells]


def _numbers(html):
    """Return the numbers in the data of a page."""
    data = re.search(
        r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', html, re.S
    )
    return [
        float(n)
        for n in re.findall(r"(?<![\w.])-?\d+\.\d+(?:e-?\d+)?", json.dumps(data[1]))
    ]


if __name__ == "__main__":
    for case in CASES:
        versions = {"made with": made_with(), "processor": processor()}
        stored = versions | figures(case)
        lines = (
            f"{json.dumps(name)}: {json.dumps(value)}" for name, value in stored.items()
        )
        path = Path(__file__).with_name(f"{case}.json")
        path.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")
