"""Tables as people send them: any types, names, gaps, labels and ways to write a file."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

MISSING = ("", "NA", "nan", "?", "-", "None", "n/a")
SCALES = (("low", "medium", "high"), ("A", "B", "C", "D"), ("no", "yes"))
STYLES = ((",", "."), (";", "."), (";", ","), ("\t", "."), ("\t", ","), ("|", "."))
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1252")
HOSTILE = (  # hard on files, terminals, pictures or spreadsheets
    "a\rb", "a\nb", "\x1b[31mred\x1b[0m", "$x^{$", "<$10", "=1+1", "+cmd|' /C calc'!A0",
    "@sum", " t", "t ", "  ", "a,b", "a;b", "a\tb", 'say "so"', "'quoted'",
    "[bold]x[/bold]", ":smile:", "w:x", "b:1", "n:1:1", "accuracy", "expected:vus",
    "score", "class", "reason", "fold", "x0", "größe", "体重", "\u202eevil", "\u200b",
    "{name}", "%s", "NA", "nan", "None", "True", "1.5", "-", "\\", "../up",
    "<script>alert(1)</script>", "select", "x" * 300,
)  # fmt: skip
NUMERIC = (
    "signal",
    "signal",
    "signal",
    "ties",
    "constant",
    "offset",
    "tiny",
    "near constant",
)
OTHER = ("level", "hostile level", "date", "boolean", "key", "junk", "empty")

names = st.one_of(st.text("abcdefgh", min_size=1, max_size=6), st.sampled_from(HOSTILE))


@dataclass(frozen=True)
class Table:
    """A text file, and the options with which it is read."""

    content: bytes
    options: tuple[str, ...]
    target: str
    order: tuple[str, ...] | None


def _cell(draw: st.DrawFn, column_type: str, code: int, row: int) -> Any:
    noise = draw(st.integers(-3, 3))
    if column_type == "junk":
        return draw(st.one_of(names, st.integers(), st.floats()))
    if column_type == "hostile level":
        return draw(names)
    return {
        "signal": round(code + noise / 2, 3),
        "ties": noise,
        "constant": 7,
        "offset": 1e15 + code + noise,
        "tiny": (code + noise) * 1e-310,
        "near constant": 1.0 + noise * 1e-16,
        "level": ("red", "green", "blue")[noise % 3],
        "date": f"201{noise + 3}-0{noise + 4}-1{row % 10}",
        "boolean": str(noise > 0),
        "key": f"id{row}",
        "empty": "",
    }[column_type]


def _labels(draw: st.DrawFn, r: int) -> tuple[list[Any], bool]:
    """Return r labels, lowest first, and whether their order must be named."""
    label_type = draw(
        st.sampled_from(("counts", "spaced", "halves", "scale", "named", "hostile"))
    )
    scale = [one for one in SCALES if len(one) == r]
    if label_type == "scale" and scale:
        return list(scale[0]), False
    if label_type in ("named", "hostile"):
        short = st.text("pqrst", min_size=2, max_size=4)
        words = (
            names.filter(lambda word: "," not in word)
            if label_type == "hostile"
            else short
        )
        return draw(st.lists(words, min_size=r, max_size=r)), True
    step, shift = {"spaced": (5, -3), "halves": (0.5, 1)}.get(label_type, (1, 1))
    return [shift + step * k for k in range(r)], False


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Draw a table; its target depends on some of its columns, more or less."""
    r = draw(st.sampled_from((2, 3, 3, 3, 4, 5, 9, 40)))
    n = draw(st.integers(2, 24)) + (r if r > 5 else 0)
    # the highest classes may be tiny, or missing
    codes = [k % r for k in range(min(n, 2 * r))]
    codes += [draw(st.integers(0, min(r, 3) - 1)) for _ in range(n - len(codes))]
    labels, ordered = _labels(draw, r)
    column_types = [
        "signal",
        *draw(st.lists(st.sampled_from(NUMERIC + OTHER), max_size=4)),
    ]
    header = [draw(names) for _ in column_types]
    target = draw(st.one_of(st.just("grade"), names))
    columns = [
        [_cell(draw, column_type, code, i) for i, code in enumerate(codes)]
        for column_type in column_types
    ]
    for column in columns:
        if draw(st.integers(0, 3)) == 0:  # gaps
            word = draw(st.sampled_from(MISSING))
            for i in draw(st.lists(st.integers(0, n - 1), max_size=n // 2)):
                column[i] = word
    columns.append([labels[code] for code in codes])
    separator, decimal = draw(st.sampled_from(STYLES))
    rows = [
        [_written(cell, decimal) for cell in row] for row in zip(*columns, strict=True)
    ]
    text = io.StringIO(newline="")
    end = draw(st.sampled_from(("\n", "\r\n")))
    quoting = csv.QUOTE_ALL if draw(st.booleans()) else csv.QUOTE_MINIMAL
    writer = csv.writer(text, delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writerows([[*header, target], *rows])
    content = text.getvalue().encode(draw(st.sampled_from(ENCODINGS)), errors="replace")
    options = ["--target", target]
    order = None
    if ordered:
        named = dict.fromkeys(map(str, labels))
        options += ["--order", ",".join(named)]
        order = tuple(label for label in named if label.strip())  # a blank is a gap
    return Table(content, tuple(options), target, order)


def _written(cell: Any, decimal: str) -> str:
    return str(cell).replace(".", decimal) if isinstance(cell, float) else str(cell)
