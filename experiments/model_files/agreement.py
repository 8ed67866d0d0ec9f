"""Predictions of ONNX, of the page and of `predict` for 10,000 wild rows.

    python -m experiments.model_files.agreement [--rows N]

One model of each candidate is selected on 900 ordinary rows. The wild rows have missing cells,
new levels, minus signs of both forms, before and behind the number, huge numbers, text in place of
numbers, and dates and times in other forms, out of range, or impossible. Printed for each model
are the rows that `predict` excludes, the rows excluded by only one of two, the rows with another
class, and the maximum difference of the class probabilities. The page runs in chromium. It is
compared twice: given the cells as `moselect.export.inputs_of` reads them, and given the text that
its own fields keep.
"""

from __future__ import annotations

import argparse
import shutil
from importlib.resources import files

import numpy as np
import onnxruntime
import pandas as pd
from playwright.sync_api import sync_playwright

from moselect import ParetoSearch
from moselect.export import inputs_of, onnx_of
from moselect.page.candidates import case_of
from moselect.predictor import predict_table
from moselect.samples.samples import Samples

CANDIDATES = ("scorecard", "linear", "additive", "ensemble")
COSTS = [1, 2, 3, 6]
MINUS = "\N{MINUS SIGN}"
NUMBERS = (
    f"{MINUS}1.5|1.5-|1.5{MINUS}|-1.5| 2.5 |+0.25|1e2|2.5E-01|.5|5.|-0|1e99|-1e99|1e-99|1e300"
    "|-1e300|1e308|1e309|inf|-inf|nan|NaN|n/a|NA||?|-|see file|5 kg|1,5|1.000,5|0x10|1_000"
    "|true|--5|5e|1e+5"
)
TRUTHS = "true|FALSE|1|0|1.0||n/a|2|yes|perhaps"
TIMES = "2:30|23:59|0:00|1:2|24:00|99:59|2:30 pm|13:00 pm|02:03:04.5|1 day, 2:30:00||noon|1h20m"
DATES = (
    "2020-02-29|2019-02-29|1900-02-29|2000-02-29|1600-02-29|1583-01-01|9999-12-31|0001-01-01"
    "|2020-12-31T23:59|2020-02-29 10:30:15.5|2020-02-29T10:30Z|2020-02-29T10:30+02:00|29.02.2020"
    "|02/29/2020|29 Feb 2020|20200229|1582934400|2020-13-01||today|n/a"
)
LEVELS = "a|b|A| a |elsewhere||n/a|<b>a</b>|h|1|None|a\u200bb"
WILD = {
    "size": NUMBERS,
    "income": NUMBERS,
    "member": TRUTHS,
    "start": TIMES,
    "day": DATES,
    "town": LEVELS,
    "colour": LEVELS,
}
# Fields as `showCase` makes them keep only what they admit.
SCORE_IN_PAGE = """([own, inputs, rows, wanted]) => {
    readyGraph(own.graph);
    const plain = (found) => found.map(({ values }) => Array.from(values, String));
    const kept = Object.fromEntries(Object.entries(own.columns).map(([name, column]) => {
        const { start, date, text, levels } = column;
        const field = document.createElement("input");
        if (levels) return [name, rows[name].map((cell) => (levels.includes(cell) ? cell : ""))];
        field.type = text ? "text" : !date ? "number"
            : start.includes("T") ? "datetime-local" : "date";
        return [name, rows[name].map((cell) => { field.value = cell; return field.value; })];
    }));
    const cells = (name) => kept[name].map((cell) => readCell(own.columns[name], cell));
    const read = Object.fromEntries(own.graph.inputs.map((name) => [name, cells(name)]));
    const numbers = Object.fromEntries(Object.entries(inputs).map(([name, values]) => (
        [name, own.columns[name].read === "Level" ? values : values.map(Number)])));
    const isBad = (_, i) => own.graph.inputs.some((name) => Math.abs(read[name][i]) === Infinity);
    return {
        kept,
        bad: upTo(rows[own.graph.inputs[0]].length).map((i) => isBad(0, i)),
        given: plain(runGraph(own.graph, numbers, wanted)),
        typed: plain(runGraph(own.graph, read, wanted)),
    };
}"""


def ordinary_rows(n: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw rows of numbers, truths, times, dates and levels as text, and their classes."""
    rng = np.random.default_rng(seed)
    town = rng.integers(0, 8, n)
    colour = rng.integers(0, 12, n)
    minutes = rng.integers(0, 24 * 60, n)
    day = pd.Timestamp("2019-01-01") + pd.to_timedelta(rng.integers(0, 1_500, n), "D")
    income = np.where(rng.random(n) < 0.1, np.nan, rng.lognormal(size=n).round(3))
    table = pd.DataFrame(
        {
            "size": rng.normal(size=n).round(3),
            "income": income,
            "member": rng.random(n) < 0.5,
            "start": [f"{m // 60}:{m % 60:02d}" for m in minutes],
            "day": pd.Series(day).dt.strftime("%Y-%m-%d"),
            "town": np.array(list("abcdefgh"))[town],
            "colour": [f"c{k}" for k in colour],
        }
    )
    score = table["size"] + table["income"].fillna(3.0) / 2 + (7 * town + colour**2) % 3
    score += pd.Series(day).dt.month / 6
    table.loc[rng.random(n) < 0.05, ["day", "town"]] = None
    return table, np.digitize(score + rng.logistic(size=n) / 2, [1.8, 3.0, 4.2])


def wild_rows(n: int, seed: int) -> pd.DataFrame:
    """Draw rows as text, with odd forms in a quarter of the cells."""
    table, _ = ordinary_rows(n, seed)
    rng = np.random.default_rng(seed)
    table = table.astype(object).where(table.notna(), "").astype(str)
    for name, cells in WILD.items():
        is_odd = rng.random(n) < 0.25
        table.loc[is_odd, name] = rng.choice(cells.split("|"), is_odd.sum())
    return table


def compare(expected: pd.DataFrame, proba: np.ndarray, classes) -> list[object]:
    """Count rows excluded by one only and other classes; maximum difference of probabilities."""
    scored = expected.notna().all(axis=1).to_numpy()
    own = np.isfinite(proba).all(axis=1)
    both = scored & own
    n_others = int(
        (np.asarray(classes)[both] != expected["class"][both].astype(str)).sum()
    )
    shares = expected.filter(like="P").to_numpy(dtype=float)
    return [int((scored != own).sum()), n_others, np.abs(shares - proba)[both].max()]


def predictions(model, table: pd.DataFrame) -> pd.DataFrame:
    """Return the class and the probabilities of each row; None where it is excluded."""
    rows = predict_table(model, table)
    proba = pd.DataFrame(model.predict_proba(table[rows.scored])).add_prefix("P")
    proba = proba.set_axis(np.flatnonzero(rows.scored)).reindex(range(len(table)))
    return proba.assign(**{"class": rows.classes})


def classes_of(model, scores: np.ndarray, proba: np.ndarray) -> np.ndarray:
    """Decide as the page does, by thresholds of the score or by the expected cost."""
    if hasattr(model.decision, "costs"):
        return model.classes_[(proba @ model.decision.costs).argmin(axis=1)].astype(str)
    return model.classes_[np.searchsorted(model.thresholds_, scores)].astype(str)


def by_onnx(model, rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities and classes of the ONNX document; NaN for rows without a class."""
    session = onnxruntime.InferenceSession(onnx_of(model))
    found = session.run(["probabilities", "label"], inputs_of(model, rows))
    return found[0], found[1][:, 0]


def by_page(tab, model, rows: pd.DataFrame, samples: Samples):
    """Give scores and probabilities by the page, of numbers and of text, and the text kept."""
    own = case_of(model, samples)
    inputs = inputs_of(model, rows)
    gaps = {name: column["gaps"] for name, column in own["columns"].items()}
    bad = np.zeros(len(rows), dtype=bool)
    plain = {}
    for name, values in inputs.items():
        cells = values[:, 0]
        plain[name] = cells.tolist()
        if cells.dtype != object:
            bad |= np.isinf(cells) | (np.isnan(cells) & (not gaps[name]))
            # JavaScript's name of an infinite number
            plain[name] = np.char.replace(cells.astype(str), "inf", "Infinity").tolist()
    wanted = ["score", "probabilities"]
    text = {name: rows[name].tolist() for name in inputs}
    found = tab.evaluate(SCORE_IN_PAGE, [own, plain, text, wanted])
    kept = rows.assign(**found["kept"])
    for part, excluded in (("given", bad), ("typed", np.array(found["bad"]))):
        scores, proba = (np.array(values, dtype=float) for values in found[part])
        proba = proba.reshape(len(rows), -1)
        classes = classes_of(model, scores, proba)
        proba[excluded] = np.nan
        yield part, kept if part == "typed" else rows, proba, classes


def scripts() -> str:
    """Return the scripts of the page that read cells and evaluate graphs."""
    folder = files("moselect.page") / "page"
    lines = (folder / "text.js").read_text(encoding="utf-8").splitlines()
    (number_of,) = (line for line in lines if line.startswith("const numberOf"))
    others = [
        (folder / name).read_text(encoding="utf-8") for name in ("graph.js", "case.js")
    ]
    return "\n".join([number_of, *others])


def main(n: int) -> None:
    """Select a model of each candidate, score the wild rows everywhere, and print a table."""
    X, y = ordinary_rows(900, 1)
    search = ParetoSearch(n_iterations=3, cv=None, random_state=1).fit(X, y)
    rows = wild_rows(n, 2)
    columns = [
        "model",
        "evaluator",
        "excluded",
        "by one only",
        "other classes",
        "difference",
    ]
    lines = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        tab = browser.new_page()
        tab.set_content(f"<script>{scripts()}</script>")
        for candidate in CANDIDATES:
            model = search.select(class_costs=COSTS, model=candidate)
            expected = predictions(model, rows)
            evaluators = [("ONNX", rows, *by_onnx(model, rows))]
            samples = Samples(X, y, np.unique(y))
            evaluators += by_page(tab, model, rows, samples)
            for name, table, proba, classes in evaluators:
                own = expected if table is rows else predictions(model, table)
                excluded = int(own["class"].isna().sum())
                lines.append((candidate, name, excluded, *compare(own, proba, classes)))
        browser.close()
    print(pd.DataFrame(lines, columns=columns).to_string(index=False))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10_000)
    main(parser.parse_args().rows)
