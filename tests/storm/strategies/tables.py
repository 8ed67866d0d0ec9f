"""Tables as people send them: any types, names, gaps, labels and ways to write a file."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.storm.strategies.names import names

MISSING = ("", "NA", "nan", "?", "-", "None", "n/a")
SCALES = (
    ("low", "medium", "high"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("A", "B", "C", "D"),
    ("no", "yes"),
)
STYLES = ((",", "."), (";", "."), (";", ","), ("\t", "."), ("\t", ","), ("|", "."))
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1252")


@dataclass(frozen=True)
class Table:
    """A text file, and the options with which it is read."""

    content: bytes
    options: tuple[str, ...]
    target: str
    order: tuple[str, ...] | None


def _number(draw: st.DrawFn, kind: str, code: int) -> float | int | str:
    noise = draw(st.integers(-3, 3))
    return {
        "signal": lambda: round(code + noise / 2, 3),
        "ties": lambda: noise,
        "constant": lambda: 7,
        "offset": lambda: 1e15 + code + noise,
        "huge": lambda: (code + noise) * 1e300,
        "tiny": lambda: (code + noise) * 1e-310,
        "mixed sizes": lambda: noise * 10.0 ** (20 * noise),
        "near constant": lambda: 1.0 + noise * 1e-16,
    }[kind]()


NUMERIC = (
    *("signal", "signal", "signal", "ties", "constant"),
    *("offset", "huge", "tiny", "mixed sizes", "near constant"),
)
OTHER = ("level", "hostile level", "date", "boolean", "key", "junk", "empty")


def _cell(draw: st.DrawFn, kind: str, code: int, row: int) -> Any:
    if kind in NUMERIC:
        return _number(draw, kind, code)
    if kind == "level":
        return draw(st.sampled_from(("red", "green", "blue")))
    if kind == "hostile level":
        return draw(names)
    if kind == "date":
        return f"20{draw(st.integers(10, 25))}-0{draw(st.integers(1, 9))}-1{row % 10}"
    if kind == "boolean":
        return draw(st.sampled_from(("True", "False")))
    if kind == "key":
        return f"id{row}"
    return "" if kind == "empty" else draw(st.one_of(names, st.integers(), st.floats()))


def _labels(draw: st.DrawFn, r: int) -> tuple[list[Any], bool]:
    """Return r labels, lowest first, and whether their order must be named."""
    kind = draw(st.sampled_from(("counts", "spaced", "floats", "scale", "named", "hostile")))
    if kind == "scale":
        scale = [one for one in SCALES if len(one) == r]
        if scale:
            return list(scale[0]), False
    if kind in ("named", "hostile"):
        short = st.text("pqrst", min_size=2, max_size=4)
        words = names.filter(lambda word: "," not in word) if kind == "hostile" else short
        chosen = draw(st.lists(words, min_size=r, max_size=r))
        return chosen, True
    step, shift = draw(st.sampled_from((1, 1, 5, 10**6))), draw(st.sampled_from((0, 1, -3)))
    if kind == "floats":
        return [shift + k / 2 for k in range(r)], False
    return [shift + step * k for k in range(r)], False


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Draw a table; its target depends on some of its columns, more or less."""
    r = draw(st.sampled_from((2, 3, 3, 3, 4, 5, 9, 40)))
    n = draw(st.integers(2, 24)) + (r if r > 5 else 0)
    codes = [k % r for k in range(min(n, 2 * r))]  # the highest classes may be tiny, or missing
    codes += [draw(st.integers(0, min(r, 3) - 1)) for _ in range(n - len(codes))]
    labels, ordered = _labels(draw, r)
    kinds = ["signal", *draw(st.lists(st.sampled_from(NUMERIC + OTHER), max_size=4))]
    header = [draw(names) for _ in kinds]
    target = draw(st.one_of(st.just("grade"), names))
    columns = [[_cell(draw, kind, code, i) for i, code in enumerate(codes)] for kind in kinds]
    for column in columns:
        if draw(st.integers(0, 3)) == 0:  # gaps
            word = draw(st.sampled_from(MISSING))
            for i in draw(st.lists(st.integers(0, n - 1), max_size=n // 2)):
                column[i] = word
    columns.append([labels[code] for code in codes])
    separator, decimal = draw(st.sampled_from(STYLES))
    rows = [[_written(cell, decimal) for cell in row] for row in zip(*columns, strict=True)]
    text = io.StringIO(newline="")
    end = draw(st.sampled_from(("\n", "\r\n")))
    quoting = csv.QUOTE_ALL if draw(st.booleans()) else csv.QUOTE_MINIMAL
    writer = csv.writer(text, delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writerows([[*header, target], *rows])
    content = text.getvalue().encode(draw(st.sampled_from(ENCODINGS)), errors="replace")
    order = tuple(dict.fromkeys(str(label) for label in labels)) if ordered else None
    options = ["--target", target]
    if order is not None:
        options += ["--order", ",".join(order)]
    return Table(content, tuple(options), target, order)


def _written(cell: Any, decimal: str) -> str:
    return str(cell).replace(".", decimal) if isinstance(cell, float) else str(cell)
