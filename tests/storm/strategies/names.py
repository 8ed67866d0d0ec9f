"""Names of columns and of classes that are hard on files, terminals, pictures and spreadsheets."""

from __future__ import annotations

from hypothesis import strategies as st

HOSTILE = (
    "a\rb",
    "a\nb",
    "\x1b[31mred\x1b[0m",
    "\x07bell",
    "$x^{$",
    "rent_$",
    "<$10",
    "=1+1",
    "+cmd|' /C calc'!A0",
    "@sum",
    " t",
    "t ",
    "  ",
    "a,b",
    "a;b",
    "a\tb",
    'say "so"',
    "'quoted'",
    "[bold]x[/bold]",
    ":smile:",
    "w:x",
    "b:1",
    "n:1:1",
    "accuracy",
    "expected:vus",
    "score",
    "class",
    "reason",
    "fold",
    "x0",
    "größe",
    "体重",
    "\u202eevil",
    "\u200b",
    "{name}",
    "%s",
    "NA",
    "nan",
    "None",
    "True",
    "1",
    "1.5",
    "-",
    "\\",
    "../up",
    "<script>alert(1)</script>",
    "select",
    "x" * 300,
)

plain = st.text("abcdefgh", min_size=1, max_size=6)
names = st.one_of(plain, st.sampled_from(HOSTILE))
