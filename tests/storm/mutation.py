"""Damage files at random: their bytes, or what is packed in them, so that damage gets far."""

from __future__ import annotations

import io
import json
import random
import zipfile
from typing import Any

import numpy as np

from moselect.storage.damage import DAMAGE
from tests.storm.strategies.documents import CHANGES, HOSTILE_TEXT, ODD_NUMBERS, changed, paths_of

SPLICES = (b"", b"\0", b"-1", b"1e308", b"NaN", b"null", b"[]", b"{}", b'"', b"\r", b"\xff\xfe")
ODD = (*ODD_NUMBERS, *HOSTILE_TEXT, None, True, [], {}, float("nan"), float("inf"))
SCHEMA = "schema.json"  # the document in a skops file


def mutated(draw: random.Random, content: bytes, others: list[bytes]) -> bytes:
    """Return a file with a few random changes; an archive or a JSON document mostly stays one."""
    if draw.random() < 0.7:
        if content[:2] == b"PK":
            return in_archive(draw, content, others)
        if content[:1] in b"{[":
            return in_document(draw, content)
    return in_bytes(draw, content, others)


def in_bytes(draw: random.Random, content: bytes, others: list[bytes]) -> bytes:
    """Flip, cut, repeat, insert and replace bytes."""
    found = bytearray(content)
    for _ in range(draw.choice([1, 1, 2, 4, 8])):
        size = len(found)
        at = draw.randrange(size + 1)
        length = min(draw.choice([1, 1, 2, 4, 16, 64]), size - at)
        kind = draw.randrange(7)
        if kind == 0 and at < size:
            found[at] ^= 1 << draw.randrange(8)
        elif kind == 1:
            del found[at : at + length]
        elif kind == 2:
            found[at:at] = found[at : at + length] * draw.choice([1, 2, 50])
        elif kind == 3:
            found[at : at + length] = draw.choice(SPLICES)
        elif kind == 4:
            found[at : at + length] = draw.randbytes(length)
        elif kind == 5 and draw.random() < 0.3:
            del found[at:]
        else:
            other = draw.choice(others)
            start = draw.randrange(len(other) + 1)
            found[at : at + length] = other[start : start + length]
    return bytes(found)


def in_document(draw: random.Random, content: bytes) -> bytes:
    """Change some values of a JSON document; of its bytes, if it is none."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return in_bytes(draw, content, [content])
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        path = draw.choice(paths_of(document))
        value: Any = draw.choice(ODD)
        if draw.random() < 0.3:
            value = draw.choice([found for _, found in values_of(document)])
        document = changed(document, path, draw.choice(CHANGES), value)
    return json.dumps(document).encode()


def values_of(document: Any) -> list[tuple[Any, Any]]:
    """Return the ways to all values in a document, and the values."""
    found = []
    for path in paths_of(document):
        value = document
        for step in path:
            value = value[step]
        found.append((path, value))
    return found


def in_archive(draw: random.Random, content: bytes, others: list[bytes]) -> bytes:
    """Change one member of a zip archive, or which members there are; checksums are right."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except DAMAGE:
        return in_bytes(draw, content, others)
    if not members:
        return in_bytes(draw, content, others)
    name, other = draw.choice(list(members)), draw.choice(list(members))
    kind = draw.randrange(10)
    if kind == 0:
        del members[name]
    elif kind == 1:
        members[other] = members[name]
    elif name == SCHEMA or members[name][:1] in b"{[":
        members[name] = in_document(draw, members[name])
    elif members[name][:6] == b"\x93NUMPY":
        members[name] = in_array(draw, members[name], list(members.values()))
    else:
        members[name] = in_bytes(draw, members[name], list(members.values()))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return buffer.getvalue()


def in_array(draw: random.Random, content: bytes, others: list[bytes]) -> bytes:
    """Change a document, some numbers, the type or the shape in an array as numpy saves it."""
    kind = draw.randrange(6)
    if kind == 0:
        return in_bytes(draw, content, others)
    try:
        array = np.load(io.BytesIO(content), allow_pickle=False)
    except DAMAGE:
        return in_bytes(draw, content, others)
    packed = array.tobytes()
    if array.dtype == np.uint8 and packed[:1] == b"{":
        array = np.frombuffer(in_document(draw, packed), dtype=np.uint8)
    elif kind == 1 and array.dtype.kind in "biuf":
        array = array.astype(draw.choice(["f2", "f4", "c16", "i1", "u8", "U3", "S2", "?"]))
    elif kind == 2:
        array = draw.choice([array[None], array[..., None], array.ravel()[1:], array.ravel()[:0]])
    elif array.size and array.dtype.kind in "fiu":
        array = array.copy()
        limits = np.finfo if array.dtype.kind == "f" else np.iinfo
        odd = [0, 1, limits(array.dtype).max, limits(array.dtype).min]
        if array.dtype.kind == "f":
            odd += [np.nan, np.inf, 1e-320]
        array.flat[draw.randrange(array.size)] = draw.choice(odd)
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()
