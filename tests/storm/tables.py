"""Tables as people send them: any cells, names, labels and ways to write a file."""

import csv
from typing import NamedTuple

import pandas as pd
from hypothesis import strategies as st

from tests.any_tables import tables

SCALES = ([1, 2, 3], [0.5, 1.0, 1.5, 2.0], ["low", "medium", "high"], ["no", "yes"])
STYLES = ((",", "."), (";", "."), (";", ","), ("\t", "."), ("\t", ","), ("|", "."))
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1252")
HOSTILE = (  # hard on files, terminals, pictures or spreadsheets
    "a\rb", "a\nb", "\x1b[31mred\x1b[0m", "$x^{$", "<$10", "=1+1", "+cmd|' /C calc'!A0",
    "@sum", " t", "a,b", "a;b", "a\tb", 'say "so"', "'quoted'", "[bold]x[/bold]",
    ":smile:", "accuracy", "score", "class", "reason", "größe", "体重", "\u202eevil",
    "{name}", "%s", "NA", "nan", "None", "True", "1.5", "-", "\\", "../up",
    "<script>alert(1)</script>", "select", "x" * 300,
)  # fmt: skip
names = st.one_of(st.text("abcdefgh", min_size=1, max_size=6), st.sampled_from(HOSTILE))
words = names.filter(lambda word: not {*word} & {*'",'} and word.strip())


class TextFile(NamedTuple):
    """A text file, and the target and options with which it is read."""

    content: bytes
    target: str
    order: tuple | None
    options: list


@st.composite
def text_files(draw):
    """Draw a text file of a table; its target depends on one of its columns."""
    table = pd.concat(draw(tables()), ignore_index=True)
    is_known = draw(st.integers(0, 3)) > 0
    own = st.lists(words, min_size=2, max_size=4, unique=True)
    labels = draw(st.sampled_from(SCALES) if is_known else own)
    codes = [row % len(labels) for row in range(len(table))]
    table["signal"] = [code + draw(st.integers(-3, 3)) / 2 for code in codes]
    table["grade"] = [labels[code] for code in codes]
    n = table.shape[1]
    table.columns = draw(st.lists(names, min_size=n, max_size=n, unique=True))
    target = table.columns[-1]
    separator, decimal = draw(st.sampled_from(STYLES))
    quoting = draw(st.sampled_from((csv.QUOTE_ALL, csv.QUOTE_MINIMAL)))
    text = table.to_csv(index=False, sep=separator, decimal=decimal, quoting=quoting)
    content = text.encode(draw(st.sampled_from(ENCODINGS)), errors="replace")
    if is_known:
        return TextFile(content, target, None, ["--target", target])
    options = ["--target", target, "--order", ",".join(labels)]
    return TextFile(content, target, tuple(labels), options)
