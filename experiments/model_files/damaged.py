"""Exit codes, messages and times of `moselect predict` with damaged and forged model files.

    python -m experiments.model_files.damaged [--files N]

Files of a linear model (JSON) and of an ensemble (an archive of arrays) are damaged in turn: cut
off, with changed bytes, with keys of the document missing, added or of another type, with members
of the archive renamed, doubled or missing, with trees whose children, roots or features are out of
range, or in place of each other. Printed for each damage are the files, those refused in one line
(exit code 65), those that still predict (a changed digit leaves a valid model), those that end
in any other way, and the seconds of the slowest.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
import tempfile
import time
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from moselect import ParetoSearch
from moselect.cli import main as command_line
from moselect.io import write_model
from moselect.operators.graph import TREE_ENSEMBLE
from moselect.operators.trees import Trees

Random = np.random.Generator
LINEAR = "model.json"
ENSEMBLE = "model.npz"
ERROR = "moselect: error: "
OTHER_VALUES = [None, -1, 1e999, "text", [], {}, [[]], True, 2**70]


def cut_off(content: bytes, rng: Random) -> bytes:
    return content[: rng.integers(len(content))]


def change_bytes(content: bytes, rng: Random) -> bytes:
    changed = bytearray(content)
    for place in rng.integers(len(content), size=rng.integers(1, 4)):
        changed[place] ^= int(rng.integers(1, 256))
    return bytes(changed)


def change_document(content: bytes, rng: Random) -> bytes:
    """Remove a key of an object in the document, add one, or replace its value."""
    document = json.loads(content)
    objects = [document]
    for value in objects:  # grows
        inner = value.values() if isinstance(value, dict) else value
        objects += [each for each in inner if isinstance(each, dict | list) and each]
    chosen = rng.choice(len([each for each in objects if isinstance(each, dict)]))
    target = [each for each in objects if isinstance(each, dict)][chosen]
    key = list(target)[rng.integers(len(target))]
    match rng.integers(3):
        case 0:
            del target[key]
        case 1:
            target["unknown"] = 1
        case _:
            target[key] = OTHER_VALUES[rng.integers(len(OTHER_VALUES))]
    return json.dumps(document).encode()


def change_members(content: bytes, rng: Random) -> bytes:
    """Rename a member of the archive, double it, or leave it out."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    place = rng.integers(len(members))
    name, stored = members[place]
    match rng.integers(4):
        case 0:
            members[place] = (f"../{name}", stored)
        case 1:
            members[place] = (members[place - 1][0], stored)
        case 2:
            members.append((name, stored[:-8]))
        case _:
            del members[place]
    return as_archive(members)


def change_trees(content: bytes, rng: Random) -> bytes:
    """Move children beyond the nodes, roots to their own children, or features out of range."""
    forgeries: dict[str, list[Callable]] = {
        "true_nodes": [np.zeros_like, lambda a: np.full_like(a, len(a))],
        "false_nodes": [lambda a: a - len(a) - 9, lambda a: a[:-1]],
        "roots": [lambda a: a - 1, lambda a: a + 10**9],
        "features": [lambda a: a + 999, lambda a: a - 10],
        "targets": [lambda a: a + 9_999, lambda a: a - 1],
        "values": [lambda a: a + np.inf, lambda a: a[1:]],
    }
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(np.load(io.BytesIO(members["document.npy"])).item())
    # A node of trees names its arrays after its features, in the order of `Trees`.
    nodes = [node for node in document["graph"]["nodes"] if node[0] == TREE_ENSEMBLE]
    _, arrays, *_ = nodes[rng.integers(len(nodes))]
    setting = rng.choice(list(forgeries))
    forge = forgeries[setting][rng.integers(2)]
    name = f"graph/{arrays[1 + Trees._fields.index(setting)]}.npy"
    forged = io.BytesIO()
    np.save(forged, forge(np.load(io.BytesIO(members[name]))))
    members[name] = forged.getvalue()
    return as_archive(list(members.items()))


def as_archive(members: list[tuple[str, bytes]]) -> bytes:
    """Write an archive, in which names may be doubled."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for name, stored in members:
            archive.writestr(name, stored)
    return file.getvalue()


DAMAGES = {
    ("cut off", LINEAR): cut_off,
    ("cut off", ENSEMBLE): cut_off,
    ("bytes changed", LINEAR): change_bytes,
    ("bytes changed", ENSEMBLE): change_bytes,
    ("keys changed", LINEAR): change_document,
    ("members changed", ENSEMBLE): change_members,
    ("trees out of range", ENSEMBLE): change_trees,
}


def predict(path: str) -> tuple[str, float]:
    """Run `moselect predict` in this process: how it ended, and its seconds."""
    sys.argv = ["moselect", "predict", path, "rows.csv", "-o", "p.csv", "--force", "-q"]
    errors = io.StringIO()
    begun = time.perf_counter()
    code: object = 0
    try:
        with (
            contextlib.redirect_stderr(errors),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            command_line()
    except SystemExit as ended:
        code = ended.code or 0
    except Exception as error:  # noqa: BLE001 - a traceback of the command is to be counted
        code = repr(error)
    seconds = time.perf_counter() - begun
    lines = errors.getvalue().splitlines()
    is_line = len(lines) == 1 and lines[0].startswith(ERROR)
    if code == 65 and is_line:
        return "refused", seconds
    if code == 0:
        return "predicts", seconds
    print(code, lines)
    return "otherwise", seconds


def main(n_files: int) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=list("abc"))
    y = np.digitize(X["a"] + 0.5 * rng.normal(size=200), [-0.5, 0.5])
    search = ParetoSearch(n_iterations=3, cv=None, random_state=1).fit(X, y)
    contents = {}
    for name, candidate in ((LINEAR, "linear"), (ENSEMBLE, "ensemble")):
        write_model(name, search.select(class_costs=[1, 1, 3], model=candidate))
        contents[name] = Path(name).read_bytes()
        X.to_csv("rows.csv", index=False)
        print(f"undamaged {name}: {predict(name)[0]}")
    lines = []
    for i in range(n_files):
        (damage, name), forge = [*DAMAGES.items()][i % len(DAMAGES)]
        forged = forge(contents[name], rng)
        if i % 50 == 0:
            damage = "in place of another"
            forged = contents[ENSEMBLE if name == LINEAR else LINEAR]
        path = f"forged{Path(name).suffix}"
        Path(path).write_bytes(forged)
        lines.append((damage, name, *predict(path)))
    table = pd.DataFrame(lines, columns=["damage", "file", "end", "seconds"])
    groups = table.groupby(["damage", "file"])
    counts = groups["end"].value_counts().unstack(fill_value=0)
    print(counts.assign(slowest=groups["seconds"].max().round(2)).to_string())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main(options.files)
