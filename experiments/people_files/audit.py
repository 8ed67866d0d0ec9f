"""New public tables and reports: is a wrong result said without a word?

    python -m experiments.people_files.audit FOLDER [--cases skulls InstEval]

``audit.csv`` lists the cases: source, what it stresses, the command's options and the right value
with its origin. FOLDER has the packages (see README). Verdicts: *right*; *asked* (refused with the
option that helps); *misled* (refused, and the option offered is false); *refused* (without help);
*remark* (wrong or doubtful, and said); *wrong* (without a word).
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from experiments.people_files.audit_tables import BUILT, of_groups, packaged, sampled
from experiments.people_files.forked import run

QUICK = ("--evaluations", "150", "--folds", "0", "--seed", "1", "--force", "--out", "run")
HELPS = re.compile(r"--(order|leave-out|target|bins|weight|group|time)\b")
ALLOWED = 2.0  # standard errors between the figure shown and that on new rows


@dataclass
class Case:
    """A row of audit.csv."""

    name: str
    source: str
    stresses: str
    table: str
    prepare: str
    check: str
    target: str
    options: str
    right: str
    known: str
    said: str = ""
    settings: dict[str, str] = field(default_factory=dict)

    def frame(self, packages: Path) -> pd.DataFrame:
        """Build the table, with the changes of ``prepare``."""
        if original(self) is not None:
            return pd.DataFrame()  # the file is searched as it is
        built = BUILT.get(self.table)
        frame = built(packages) if built else packaged(packages, self.table)
        for part in filter(None, self.prepare.split(";")):
            what, _, value = part.partition("=")
            if what == "rows":
                frame = sampled(frame, int(value))
            elif what == "groups":
                column, number = value.split(":")
                frame = of_groups(frame, column, int(number))
            elif what == "drop":
                frame = frame.drop(columns=value.split(","))
            elif what == "keep":
                frame = frame[value.split(",")]
            elif what == "known":
                frame = frame.dropna(subset=value)
            elif what == "where":
                frame = frame.query(value)
            else:
                self.settings[what] = value
        return frame


def original(case: Case) -> Path | None:
    """Return the file of a case such as file:folder/name.csv within MOSELECT_DATA."""
    if not case.table.startswith("file:"):
        return None
    return Path(os.environ["MOSELECT_DATA"]) / case.table.removeprefix("file:")


def search(case: Case, frame: pd.DataFrame, folder: Path) -> tuple[int, str]:
    """Run the search that a user would run; return the exit code and the messages."""
    given = original(case)
    ordered = any(isinstance(kind, pd.CategoricalDtype) for kind in frame.dtypes)
    path = folder / (
        "table.parquet" if ordered and "parquet" in case.settings else "table.csv"
    )
    if given is not None:
        path = folder / given.name
        shutil.copy(given, path)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False)
    done = run(
        folder,
        "search",
        path.name,
        "--target",
        case.target,
        *shlex.split(case.options),
        *QUICK,
    )
    columns = folder / "run" / "columns.csv"
    read = (
        columns.read_text(encoding="utf-8")
        if done.returncode == 0 and columns.exists()
        else ""
    )
    return done.returncode, f"{done.stdout}\n{done.stderr}\n{read}"


def said_word(case: Case, text: str) -> bool:
    """Tell whether the messages have the word that the case waits for."""
    flat = " ".join(text.split())
    return bool(case.said) and re.search(case.said, flat, re.IGNORECASE) is not None


def judge_order(case: Case, packages: Path, folder: Path) -> tuple[str, str]:
    """Compare the classes of the search with the documented order."""
    code, text = search(case, case.frame(packages), folder)
    if code:
        flat = " ".join(text.split())
        if any(label not in flat for label in case.right.split("|")):
            return "misled", flat[-220:]  # the option offered cannot name the classes
        return ("asked" if HELPS.search(text) else "refused"), flat[-220:]
    record = json.loads((folder / "run" / "run.json").read_text(encoding="utf-8"))
    labels = [str(label) for label in record["settings"]["labels"]]
    if labels == case.right.split("|"):
        return "right", " < ".join(labels)
    return ("remark" if said_word(case, text) else "wrong"), " < ".join(labels)


def judge_word(case: Case, packages: Path, folder: Path) -> tuple[str, str]:
    """Look for the word that a situation needs."""
    code, text = search(case, case.frame(packages), folder)
    if code:
        return ("asked" if HELPS.search(text) else "refused"), " ".join(text.split())[
            -220:
        ]
    if said_word(case, text):
        found = re.search(case.said, " ".join(text.split()), re.IGNORECASE)
        assert found is not None
        return "remark", found.string[max(0, found.start() - 60) : found.end() + 60]
    return "wrong", "no word"


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
    labels = json.loads((folder / "run" / "run.json").read_text(encoding="utf-8"))[
        "settings"
    ]["labels"]
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
    predicted = pd.read_csv(folder / "p.csv", dtype=str)["class"]
    rank = {str(label): k for k, label in enumerate(labels)}
    truth = (
        shown.loc[~fit, case.target]
        .astype(str)
        .str.replace(r"\.0$", "", regex=True)
        .map(rank)
        .to_numpy(float)
    )
    loss = np.abs(predicted.map(rank).to_numpy(float) - truth)
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
    return ("remark" if said_word(case, text) else "wrong"), line


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
    labels = json.loads((folder / "run" / "run.json").read_text(encoding="utf-8"))[
        "settings"
    ]["labels"]
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
    if done.returncode == 2:
        return ("asked" if said_word(case, done.stderr) else "refused"), " ".join(
            done.stderr.split()
        )[-220:]
    result = json.loads(done.stdout)
    cost = result["candidates"]["linear"]["cost"]
    shares = np.asarray(result["confusion"], float).sum(0)
    constant = shares.max() / shares.sum() > 0.98
    line = f"cost {cost:.3f}, {free:.3f} without the limit; {shares.max() / shares.sum():.0%} of rows in one class"
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


JUDGES = {
    "order": judge_order,
    "word": judge_word,
    "figure": judge_figure,
    "evaluate": judge_evaluate,
    "groups": judge_groups,
    "limit": judge_limit,
    "constant": judge_constant,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("packages", type=Path)
    parser.add_argument("--cases", nargs="+", default=[""])
    parser.add_argument("--checks", nargs="+", default=list(JUDGES), choices=list(JUDGES))
    given = parser.parse_args()
    with (Path(__file__).parent / "audit.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = []
    with tempfile.TemporaryDirectory() as name:
        for row in rows:
            if row["check"] not in given.checks or not any(
                w in row["name"] for w in given.cases
            ):
                continue
            before = row.pop("before")
            case = Case(**row)
            if case.table.startswith("file:") and "MOSELECT_DATA" not in os.environ:
                verdict, line = (
                    "skipped",
                    f"set MOSELECT_DATA to the folder of {case.table[5:]}",
                )
            else:
                verdict, line = JUDGES[case.check](
                    case, given.packages.resolve(), Path(name)
                )
            found.append(
                {
                    "case": case.name,
                    "right": case.right,
                    "shown": line,
                    "before": before,
                    "now": verdict,
                }
            )
            print(found[-1], file=sys.stderr, flush=True)
    table = pd.DataFrame(found)
    print(table.to_csv(sep="|", index=False))
    print(table["now"].value_counts().to_string())


if __name__ == "__main__":
    main()
