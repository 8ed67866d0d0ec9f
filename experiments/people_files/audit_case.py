"""A case of the audit: its table and its search."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from experiments.people_files.audit_tables import BUILT, of_groups, packaged, sampled
from experiments.people_files.forked import run

QUICK = ("--evaluations", "150", "--folds", "0", "--seed", "1", "--force", "--out", "run")
AROUND = 80  # characters of a message before and after the word that is waited for
HELPS = re.compile(r"--(order|leave-out|target|bins|weight|group|time|read)\b")


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


def said_word(case: Case, text: str) -> str:
    """Return the words around those that the case waits for, or nothing."""
    flat = " ".join(text.split())
    found = re.search(case.said, flat, re.IGNORECASE) if case.said else None
    if found is None:
        return ""
    return flat[max(0, found.start() - AROUND) : found.end() + AROUND]


def labels_of(folder: Path) -> list[object]:
    """Return the classes of the search, lowest first."""
    record = json.loads((folder / "run" / "run.json").read_text(encoding="utf-8"))
    labels: list[object] = record["settings"]["labels"]
    return labels
