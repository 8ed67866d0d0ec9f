"""Documents that someone has edited: one field changed, or some bytes."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as st

Path = tuple[Any, ...]

HOSTILE_TEXT = ("", " ", "\x1b[31mred", "a\rb", "\n", "$x^{$", "=1+1", "\ud800", "é" * 12_000)
ODD_NUMBERS = (0, -1, 1, 2, 0.5, -0.0, 1e308, -1e308, 5e-324, 10**12, 2**63, 10**400, 100_000)
NOT_FINITE = (float("nan"), float("inf"), -float("inf"))


DEEP = {"nested lists": "[", "nested objects": '{"a":'}  # these texts stand for what is too deep


def as_text(document: Any) -> bytes:
    """Return a document as JSON, also what no JSON may hold."""
    text = json.dumps(document)
    for name, start in DEEP.items():
        end = {"[": "]"}.get(start, "}")
        text = text.replace(f'"{name}"', f"{start * 100_000}1{end * 100_000}")
    return text.encode()


odd_values = st.one_of(
    st.sampled_from([None, True, False, [], {}, [[]], [None], [{}], {"": None}]),
    st.sampled_from(HOSTILE_TEXT),
    st.sampled_from(ODD_NUMBERS),
    st.sampled_from(NOT_FINITE),
    st.sampled_from(list(DEEP)),
    st.lists(st.sampled_from(ODD_NUMBERS), max_size=4),
    st.lists(st.sampled_from(HOSTILE_TEXT), max_size=3),
)


def paths_of(document: Any, here: Path = ()) -> list[Path]:
    """Return the ways to all values in a document; of a long list, to the first and last."""
    found = [here]
    if isinstance(document, dict):
        for key, value in document.items():
            found += paths_of(value, (*here, key))
    elif isinstance(document, list):
        for i in sorted({0, 1, len(document) - 1} & set(range(len(document)))):
            found += paths_of(document[i], (*here, i))
    return found


def changed(document: Any, path: Path, change: str, value: Any) -> Any:
    """Return a copy of a document with one value changed."""
    if not path:
        return value
    edited = copy.deepcopy(document)
    parent = edited
    for step in path[:-1]:
        parent = parent[step]
    last = path[-1]
    if change == "remove":
        del parent[last]
    elif change == "repeat" and isinstance(parent, list):
        parent.append(parent[last])
    elif change == "add" and isinstance(parent[last], dict):
        parent[last]["another"] = value
    elif change == "as text":
        parent[last] = str(parent[last])
    elif change == "negate" and isinstance(parent[last], int | float):
        parent[last] = -parent[last] - 1
    elif change == "true":
        parent[last] = bool(parent[last])
    else:
        parent[last] = value
    return edited


CHANGES = ("remove", "set", "set", "set", "repeat", "add", "as text", "negate", "true")


@st.composite
def edited(draw: st.DrawFn, document: Any) -> Any:
    """Draw a document with one or two values changed."""
    for _ in range(draw(st.sampled_from((1, 1, 1, 2)))):
        path = draw(st.sampled_from(paths_of(document)))
        document = changed(document, path, draw(st.sampled_from(CHANGES)), draw(odd_values))
    return document


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """Draw bytes that differ: some replaced, cut out, repeated, or the end missing."""
    found = bytearray(content)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(found) - 1)))
        how = draw(st.sampled_from(("replace", "cut", "repeat", "end", "insert")))
        if how == "replace":
            found[at : at + 1] = draw(st.binary(min_size=1, max_size=3))
        elif how == "cut":
            del found[at : at + draw(st.integers(1, 40))]
        elif how == "repeat":
            found[at:at] = found[at : at + draw(st.integers(1, 40))]
        elif how == "end":
            del found[at:]
        else:
            found[at:at] = draw(
                st.sampled_from((b"\0", b"\xff", b'"', b"\x1b[2J", b"1e999", b"\r"))
            )
    return bytes(found)
