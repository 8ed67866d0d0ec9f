"""Known directions of columns: whether models, their files, SQL, ONNX and the page keep them.

python -m experiments.monotone.keeps [SET ...]
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime
import pandas as pd

import moselect
from experiments.monotone.run import CANDIDATES, MEMBERS, N_GRID, N_ROWS, SEED, load
from moselect.export import graph_of, inputs_of, onnx_of, sql_of
from moselect.io import read_model, write_model
from moselect.page.candidates import _plain

BANDS = ["18-24", "25-34", "35-49", "50+"]
GRADES = ["low", "medium", "high"]
N_SAMPLED = 40  # rows of SQL, ONNX and the page
TOLERANCE = 1e-12
Outputs = Callable[[pd.DataFrame], np.ndarray]


def mixed_table(n: int = 600) -> tuple[pd.DataFrame, np.ndarray, dict[str, int]]:
    """Draw a table whose effects go the wrong way in part, so that constraints bind."""
    rng = np.random.default_rng(SEED)
    grade = rng.integers(0, 3, n)
    band = rng.integers(0, 4, n)
    income = np.round(rng.lognormal(size=n), 2)
    other = rng.normal(size=n)
    score = grade + band - income + np.sin(3.0 * income) + 0.5 * other
    score -= 1.5 * (band == 2)
    y = np.digitize(score + rng.logistic(size=n) / 2.0, [0.5, 2.0, 3.0])
    table = pd.DataFrame(
        {
            "grade": pd.Categorical.from_codes(grade, GRADES, ordered=True),
            "age": np.array(BANDS)[band],
            "income": np.where(rng.random(n) < 0.1, np.nan, income),
            "other": other,
            "town": rng.choice(["x", "y", "z"], n),
        }
    )
    return table, y, {"grade": 1, "age": 1, "income": -1}


def grid_of(column: pd.Series) -> list:
    """Return the values of a column in ascending order, 30 of a number."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return list(pd.Categorical(GRADES, GRADES, ordered=True))
    if column.dtype == object or pd.api.types.is_string_dtype(column):
        return BANDS
    return np.linspace(column.min(), column.max(), N_GRID).tolist()


def violation(
    outputs: Outputs, rows: pd.DataFrame, X: pd.DataFrame, monotone: dict[str, int]
) -> float:
    """Return how far outputs (n, q) move the wrong way along a column, at most."""
    worst = 0.0
    for name, sign in monotone.items():
        grid = grid_of(X[name])
        cells = pd.Series(np.repeat(np.array(grid, dtype=object), len(rows)))
        cells = cells.infer_objects().astype(X[name].dtype)
        every = pd.concat([rows] * len(grid), ignore_index=True).assign(**{name: cells})
        values = np.asarray(outputs(every)).reshape(len(grid), -1)
        worst = max(worst, float((-sign * np.diff(values, axis=0)).max()))
    return worst


def columns_of(labels, classes, score, proba) -> np.ndarray:
    """Return class codes, scores, and P(above k) with expected ranks, where there are any."""
    names = np.asarray(classes).astype(str)
    codes = np.array([names.tolist().index(str(label)) for label in np.ravel(labels)])
    columns = [codes[:, None], np.reshape(score, (-1, 1))]
    if proba is not None:
        above = np.asarray(proba)[:, :0:-1].cumsum(axis=1)
        columns += [above, above.sum(axis=1, keepdims=True)]
    return np.hstack(columns)


def by_python(model) -> Outputs:
    """Predict in Python."""
    has_proba = not hasattr(model, "coef_") or model.calibration is not None

    def outputs(rows: pd.DataFrame) -> np.ndarray:
        proba = model.predict_proba(rows) if has_proba else None
        score = model.decision_function(rows)
        return columns_of(model.predict(rows), model.classes_, score, proba)

    return outputs


def by_sqlite(model) -> Outputs:
    """Predict by the SELECT of a model; ValueError if it has none."""
    query = sql_of(model)

    def outputs(rows: pd.DataFrame) -> np.ndarray:
        with sqlite3.connect(":memory:") as connection:
            plain = rows.astype(dict.fromkeys(rows.select_dtypes("category"), str))
            plain.to_sql("data", connection, index_label="number_of_row")
            found = pd.read_sql(query, connection).sort_values("number_of_row")
        return columns_of(found["class"], model.classes_, found["score"], None)

    return outputs


def by_onnx(model) -> Outputs:
    """Predict by onnxruntime."""
    session = onnxruntime.InferenceSession(onnx_of(model))
    names = [each.name for each in session.get_outputs()]

    def outputs(rows: pd.DataFrame) -> np.ndarray:
        found = dict(zip(names, session.run(None, inputs_of(model, rows)), strict=True))
        proba = found.get("probabilities")
        return columns_of(found["label"], model.classes_, found["score"], proba)

    return outputs


def by_page(model) -> Outputs:
    """Predict by the script of the page."""
    graph = graph_of(model)
    script = Path(moselect.__file__).parent / "page" / "page" / "graph.js"
    wanted = [name for name in ("score", "probabilities") if name in graph.outputs]

    def outputs(rows: pd.DataFrame) -> np.ndarray:
        # JSON has no sign for NaN
        values_of = {
            name: [
                "NaN" if value != value else value for value in values.ravel().tolist()
            ]
            for name, values in inputs_of(model, rows).items()
        }
        run = f"""
        const graph = {json.dumps(_plain(graph))};
        const inputs = {json.dumps(values_of)};
        for (const name of Object.keys(inputs)) {{
          inputs[name] = inputs[name].map((value) => (value === "NaN" ? NaN : value));
        }}
        readyGraph(graph);
        const found = runGraph(graph, inputs, {json.dumps(wanted)});
        console.log(JSON.stringify(found.map(({{ values }}) => Array.from(values))));
        """
        done = subprocess.run(
            ["node", "-"],
            input=script.read_text() + run,
            capture_output=True,
            text=True,
            check=True,
        )
        found = dict(zip(wanted, map(np.array, json.loads(done.stdout)), strict=True))
        proba = found.get("probabilities")
        if proba is not None:
            proba = proba.reshape(len(rows), -1)
        # The script of the graph gives scores and probabilities, and no classes.
        labels = np.repeat(str(model.classes_[0]), len(rows))
        return columns_of(labels, model.classes_, found["score"], proba)

    return outputs


def examine(name: str) -> list[dict]:
    """Fit all candidates with directions; return a row a candidate."""
    X, y, monotone = mixed_table() if name == "mixed" else load(name)
    search = moselect.ParetoSearch(monotone=monotone, random_state=SEED).fit(X, y)
    models = {
        name: search.select(class_costs=np.ones(len(np.unique(y))), model=name)
        for name in CANDIDATES
    }
    members = np.linspace(0, len(search.front_) - 1, MEMBERS).astype(int)
    models |= {f"member {k}": search.front_[k] for k in members.tolist()}
    rows = X.sample(N_ROWS, replace=True, random_state=0).reset_index(drop=True)
    few = rows.head(N_SAMPLED)
    results = []
    for candidate, model in models.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / (
                "model.npz" if candidate == "ensemble" else "model.json"
            )
            write_model(path, model)
            again = read_model(path)
        result = {"set": name, "candidate": candidate}
        ways = {"python": (by_python, model, rows), "file": (by_python, again, rows)}
        ways |= {"onnx": (by_onnx, model, few), "page": (by_page, model, few)}
        if candidate != "ensemble":  # has no SQL
            ways["sql"] = by_sqlite, model, few
        for way, (outputs_of, by, of) in ways.items():
            result[way] = violation(outputs_of(by), of, X, monotone)
        print(result, file=sys.stderr, flush=True)
        results.append(result)
    return results


def main(names: list[str]) -> None:
    """Print the largest movement the wrong way; members of the front in one row."""
    warnings.simplefilter("ignore")
    table = pd.DataFrame(
        [row for name in names or ["mixed", "boston", "esl"] for row in examine(name)]
    )
    table["candidate"] = table["candidate"].replace(r"member .*", "front", regex=True)
    table = table.groupby(["set", "candidate"], sort=False).max()
    print(table.to_string(na_rep="", float_format=lambda value: f"{value:.1g}"))
    if not table.fillna(0.0).le(TOLERANCE).all(axis=None):
        sys.exit("some predictions move the wrong way")


if __name__ == "__main__":
    main(sys.argv[1:])
