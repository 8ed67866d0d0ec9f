"""Checks of the order of classes, of remarks, and of costs on new rows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

from experiments.people_files.audit_case import HELPS, Case, labels_of, said_word, search
from experiments.people_files.forked import run

ALLOWED = 1.645  # standard errors that new rows may cost more than shown: one-sided, 5 %


def verdict_by_word(case: Case, text: str, line: str) -> tuple[str, str]:
    """Call a doubtful result a remark if the messages say so, with the words; else wrong."""
    word = said_word(case, text)
    return ("remark", f"{line}: {word}") if word else ("wrong", line)


def judge_order(case: Case, packages: Path, folder: Path) -> tuple[str, str]:
    """Compare the classes of the search with the documented order."""
    code, text = search(case, case.frame(packages), folder)
    if code:
        flat = " ".join(text.split())
        if any(label not in flat for label in case.right.split("|")):
            return "misled", flat[-220:]  # the option offered cannot name the classes
        return ("asked" if HELPS.search(text) else "refused"), flat[-220:]
    labels = [str(label) for label in labels_of(folder)]
    if labels == case.right.split("|"):
        return "right", " < ".join(labels)
    return verdict_by_word(case, text, " < ".join(labels))


def judge_word(case: Case, packages: Path, folder: Path) -> tuple[str, str]:
    """Look for the word that a situation needs."""
    code, text = search(case, case.frame(packages), folder)
    if code:
        return ("asked" if HELPS.search(text) else "refused"), " ".join(text.split())[
            -220:
        ]
    word = said_word(case, text)
    return ("remark", word) if word else ("wrong", "no word")


def split_rows(frame: pd.DataFrame, by: str) -> tuple[np.ndarray, np.ndarray]:
    """Return rows to fit and a name of the cluster of each row; ``later`` takes the last third."""
    if by == "later":
        cluster = np.arange(len(frame)) // 8
        return np.arange(len(frame)) < len(frame) * 2 // 3, cluster
    if by == "part":  # the builder kept new rows apart
        return (frame["part"] == 0).to_numpy(), np.arange(len(frame))
    if by == "row":
        return np.random.default_rng(5).random(len(frame)) < 0.6, np.arange(len(frame))
    cluster = np.unique(frame[by].astype(str), return_inverse=True)[1]
    chosen = np.random.default_rng(5).random(cluster.max() + 1) < 0.6
    return chosen[cluster], cluster


def mean_error(loss: np.ndarray, cluster: np.ndarray) -> tuple[float, float]:
    """Return the mean loss and its standard error over clusters."""
    table = pd.DataFrame({"u": loss - loss.mean(), "c": cluster}).groupby("c")["u"].sum()
    return float(loss.mean()), float(np.sqrt((table**2).sum()) / len(loss))


def ranks(values: pd.Series, labels: list[object]) -> np.ndarray:
    """Return the index of each value among the classes; NaN for a value that is none."""
    texts = values.astype(str).str.replace(r"\.0$", "", regex=True)
    names = pd.Series(map(str, labels)).str.replace(r"\.0$", "", regex=True)
    return texts.map({name: k for k, name in enumerate(names)}).to_numpy(float)


def judge_figure(case: Case, packages: Path, folder: Path) -> tuple[str, str]:
    """Compare the cost shown with the cost of the rows of others, or of later rows."""
    frame = case.frame(packages)
    fit, cluster = split_rows(frame, case.settings["new"])
    hidden = [c for c in case.settings.get("hide", "").split(",") if c]
    shown = frame.drop(columns=hidden)
    code, text = search(case, shown[fit], folder)
    if code:
        return ("asked" if HELPS.search(text) else "refused"), " ".join(text.split())[
            -220:
        ]
    labels = labels_of(folder)
    costs = ",".join("1" for _ in labels)
    model = case.settings.get("model", "proportional odds")
    done = run(
        folder,
        "select",
        "run",
        "--class-costs",
        costs,
        "--model",
        model,
        "-o",
        "m.json",
        "--force",
        "--json",
    )
    text += done.stderr
    if done.returncode not in (0, 3):
        return "refused", done.stderr[-200:]
    result = json.loads(done.stdout)
    text += " ".join(map(str, result.get("headline", []))) + " ".join(
        map(str, result.get("notes") or [])
    )
    cost = result["candidates"][model]["cost"]
    error = result["candidates"][model]["std_error"]
    shown[~fit].to_csv(folder / "new.csv", index=False)
    done = run(folder, "predict", "m.json", "new.csv", "-o", "p.csv", "--force")
    predicted = pd.read_csv(folder / "p.csv", dtype=str, keep_default_na=False)["class"]
    truth = ranks(shown.loc[~fit, case.target], labels)
    loss = np.abs(ranks(predicted, labels) - truth)
    kept = ~np.isnan(loss)
    loss, truth, cluster = loss[kept], truth[kept], cluster[~fit][kept]
    if (
        "balanced" in case.settings
    ):  # the table that was searched has as many rows of each class
        _, index, count = np.unique(truth, return_inverse=True, return_counts=True)
        loss = loss * (len(truth) / len(count) / count)[index]
    new, new_error = mean_error(loss, cluster)
    line = f"shown {cost:.3f} ± {error:.3f}, new {new:.3f} ± {new_error:.3f}"
    if new - cost <= ALLOWED * float(np.hypot(error, new_error)):
        return "right", line
    return verdict_by_word(case, text, line)
