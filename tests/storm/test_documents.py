"""Documents that were edited or damaged: read, or refused in one line; nothing else is touched."""

from __future__ import annotations

import copy
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.storm.commands import check_kept, contents, examples, run

pytestmark = pytest.mark.slow

COMMANDS = {
    "run/run.json": ("select", "run", "--class-costs", "1,1,5", "-o", "new.json"),
    "run/front.csv": ("select", "run", "--model", 0, "-o", "new.json"),
    "m.json": ("predict", "m.json", "t.csv", "-o", "new.csv"),
    "costs.csv": ("select", "run", "--cost-matrix", "costs.csv", "-o", "new.json"),
}
VALUES = st.sampled_from(
    (None, True, [], {}, [None], "", " ", "\x1b[31mred", "a\rb", "é" * 12_000, 0, -1, 0.5, 10**12)
)


def paths_of(document: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the ways to all values in a document; of a long list, to the first and last."""
    found = [here]
    keys: Any = ()
    if isinstance(document, dict):
        keys = document
    elif isinstance(document, list):
        keys = sorted({0, len(document) - 1} & set(range(len(document))))
    for key in keys:
        found += paths_of(document[key], (*here, key))
    return found


@st.composite
def edited(draw: st.DrawFn, content: bytes) -> bytes:
    """Draw a JSON document in which one value is another one, or missing."""
    document = copy.deepcopy(json.loads(content))
    *way, last = draw(st.sampled_from(paths_of(document)[1:]))
    parent = document
    for step in way:
        parent = parent[step]
    if draw(st.integers(0, 3)):
        parent[last] = draw(VALUES)
    else:
        del parent[last]
    return json.dumps(document).encode()


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """Draw bytes that differ: some replaced or cut out, or the end missing."""
    found = bytearray(content)
    at = draw(st.integers(0, len(found) - 1))
    how = draw(st.sampled_from(("replace", "cut", "end")))
    if how == "replace":
        found[at : at + 1] = draw(st.sampled_from((b"\0", b"\xff", b'"', b"\x1b[2J", b"1e999")))
    elif how == "cut":
        del found[at : at + draw(st.integers(1, 40))]
    else:
        del found[at:]
    return bytes(found)


@examples(120)
@given(st.data(), st.sampled_from(sorted(COMMANDS)))
def test_documents(filled, data, name):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shutil.copytree(filled, folder, dirs_exist_ok=True)
        content = (folder / name).read_bytes()
        changes = damaged(content)
        if name.endswith(".json"):
            changes = st.one_of(edited(content), changes)
        (folder / name).write_bytes(data.draw(changes))
        before = contents(folder)
        done = run(folder, *COMMANDS[name])
        check_kept(before, folder)
        assert (set(contents(folder)) == set(before)) == (done.code != 0), done
