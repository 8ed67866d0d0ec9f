"""Checks of evaluations, limits, costs of each row and groups."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd

from experiments.people_files.audit_case import HELPS, Case, labels_of, said_word, search
from experiments.people_files.forked import run


def judge_evaluate(case: Case, packages: Path, folder: Path) -> tuple[str, str]:
    """Compare figures of ``evaluate`` and their intervals with those by hand."""
    frame = case.frame(packages)
    frame.to_csv(folder / "table.csv", index=False)
    options = shlex.split(case.options)
    done = run(folder, "evaluate", "table.csv", "--true", case.target, *options, "--json")
    if done.returncode:
        return ("asked" if HELPS.search(done.stderr) else "refused"), " ".join(
            done.stderr.split()
        )[-220:]
    measures = json.loads(done.stdout)["measures"]
    name, value, low, high = case.right.split("|")
    found = measures[name]
    line = (
        f"{name} {found['estimate']:.4f} ({found['lower']:.4f} to {found['upper']:.4f})"
    )
    width = (found["upper"] - found["lower"]) / (float(high) - float(low))
    if abs(found["estimate"] - float(value)) < 6e-4 and 0.88 < width < 1.5:
        return "right", line
    words = run(folder, "evaluate", "table.csv", "--true", case.target, *options)
    return ("remark" if said_word(case, words.stdout + words.stderr) else "wrong"), line


def judge_groups(case: Case, packages: Path, folder: Path) -> tuple[str, str]:
    """Count the tables in which groups drawn by lot differ in one of the measures."""
    frame = case.frame(packages)
    found: dict[str, int] = {}
    draws = int(case.settings.get("draws", "20"))
    for draw in range(draws):
        rng = np.random.default_rng(draw)
        table = frame.sample(8 * 35, random_state=draw).assign(
            site=rng.permutation(np.repeat(list("abcdefgh"), 35))
        )
        table.to_csv(folder / "table.csv", index=False)
        done = run(
            folder,
            "evaluate",
            "table.csv",
            "--true",
            case.target,
            *shlex.split(case.options),
            "--by",
            "site",
        )
        if done.returncode:
            return "refused", done.stderr[-200:]
        flat = " ".join(done.stdout.split())
        for name, low in re.findall(
            r"Largest difference in ([a-zA-Z <>0-9]+?): .*?interval (-?[0-9.e+-]+) to",
            flat,
        ):
            found[name] = found.get(name, 0) + (float(low) > 0)
    most = max(found.values(), default=0)
    # 20 draws at 5 %: 4 or more have a probability of .016
    return (
        "right" if found and most <= draws * 0.05 + 2 else "wrong"
    ), f"{found} of {draws}"


def judge_limit(case: Case, packages: Path, folder: Path) -> tuple[str, str]:
    """See whether a limit that few rows cannot show makes the model constant without a word."""
    code, text = search(case, case.frame(packages), folder)
    if code:
        return ("asked" if HELPS.search(text) else "refused"), " ".join(text.split())[
            -220:
        ]
    labels = labels_of(folder)
    costs = (
        "--class-costs",
        ",".join("1" for _ in labels),
        "--model",
        "linear",
        "-o",
        "m.json",
        "--force",
        "--json",
    )
    free = json.loads(run(folder, "select", "run", *costs).stdout)["candidates"][
        "linear"
    ]["cost"]
    done = run(folder, "select", "run", *costs, "--limit", case.settings["limit"])
    if done.returncode not in (0, 3):  # 3: a limit is not met
        return ("asked" if said_word(case, done.stderr) else "refused"), " ".join(
            done.stderr.split()
        )[-220:]
    result = json.loads(done.stdout)
    cost = result["candidates"]["linear"]["cost"]
    shares = np.asarray(result["confusion"], float).sum(0)
    largest = shares.max() / shares.sum()
    constant = largest > 0.98
    line = f"cost {cost:.3f}, without the limit {free:.3f}; {largest:.0%} of rows in one class"
    if said_word(case, done.stderr + " ".join(map(str, result.get("headline", [])))):
        return "remark", line
    return ("wrong" if constant or cost > 1.5 * free else "right"), line


def judge_constant(case: Case, packages: Path, folder: Path) -> tuple[str, str]:
    """Compare "always one class" under costs of each row with the best class by hand."""
    frame = case.frame(packages)
    code, text = search(case, frame, folder)
    if code:
        return ("asked" if HELPS.search(text) else "refused"), " ".join(text.split())[
            -220:
        ]
    labels = [
        str(label)
        for label in json.loads(
            (folder / "run" / "run.json").read_text(encoding="utf-8")
        )["settings"]["labels"]
    ]
    column = case.settings["amount"]
    up, down = (float(part) for part in case.settings["cells"].split(","))
    cells = [
        [
            f"{up * (j - k):g}"
            if j > k
            else (f"{down * (k - j):g} * {column}" if k > j else "0")
            for j in range(len(labels))
        ]
        for k in range(len(labels))
    ]
    pd.DataFrame(cells, index=labels, columns=labels).to_csv(folder / "costs.csv")
    done = run(
        folder,
        "select",
        "run",
        "--cost-matrix",
        "costs.csv",
        "--model",
        "linear",
        "-o",
        "m.json",
        "--force",
        "--json",
    )
    if done.returncode not in (0, 3):
        return "refused", done.stderr[-200:]
    shown = json.loads(done.stdout)["candidates"]
    rank = (
        frame[case.target]
        .astype(str)
        .map({label: k for k, label in enumerate(labels)})
        .to_numpy(int)
    )
    amount = frame[column].to_numpy(float)
    by_hand = min(
        float(np.where(j > rank, up * (j - rank), down * (rank - j) * amount).mean())
        for j in range(len(labels))
    )
    named = {
        name: round(row["cost"], 3)
        for name, row in shown.items()
        if row.get("terms") == 0 or "class" in name
    }
    near = (
        abs(shown.get("always one class", {"cost": np.inf})["cost"] / by_hand - 1) < 0.05
    )
    return (
        "right" if near else "wrong"
    ), f"best class by hand {by_hand:.4g}; shown {named}"
