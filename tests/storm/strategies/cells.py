"""Tables of our own that someone has edited: a cell, a row, or a column changed."""

from __future__ import annotations

from hypothesis import strategies as st

CELLS = ("", "-1", "0", "1e308", "-1e308", "nan", "inf", "x", "0.5", "1e30", "9" * 30, "True")


@st.composite
def edited_table(draw: st.DrawFn, content: bytes) -> bytes:
    """Draw a CSV with a cell, a row or a column changed."""
    rows = [line.split(",") for line in content.decode().splitlines()]
    row, column = draw(st.integers(0, len(rows) - 1)), draw(st.integers(0, len(rows[0]) - 1))
    change = draw(
        st.sampled_from(("cell", "cell", "column", "drop", "rows", "header", "twice", "name"))
    )
    if change == "cell":
        rows[row][column] = draw(st.sampled_from(CELLS))
    elif change == "column":
        cell = draw(st.sampled_from(CELLS))
        for one in rows[1:]:
            one[column] = cell
    elif change == "drop":
        rows = [one[:column] + one[column + 1 :] for one in rows]
    elif change == "rows":
        rows = rows[: 1 + row]
    elif change == "header":
        rows = rows[:1]
    elif change == "twice":
        rows = [one + one[column : column + 1] for one in rows]
    else:
        rows[0][column] = draw(
            st.sampled_from(("w:", "b:0", "b:99", "n:1:4", "se:", "x", "w:\x1b[2J"))
        )
    return "\n".join(map(",".join, rows)).encode() + b"\n"
