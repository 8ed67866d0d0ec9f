"""Orders of labels as text: what stands behind ``--order``."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Iterable
from pathlib import Path

LONGEST = 1_000  # characters of an option to be copied


def parse_order(text: str) -> list[str]:
    """Return the labels that ``--order`` names, lowest first.

    Parameters
    ----------
    text : str
        Labels with commas between them, those that hold a comma in double quotes; or the name of a
        text file with one label a line.

    Raises
    ------
    ValueError
        If there is no label, a quotation mark is not closed, or the file cannot be read.

    Examples
    --------
    >>> parse_order('low, "mid, or so", high')
    ['low', 'mid, or so', 'high']
    """
    if "," not in text and _is_file(text):
        try:
            labels = Path(text).read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError):
            raise ValueError(f"the order in '{text}' cannot be read: write it in UTF-8") from None
    else:
        try:
            labels = next(csv.reader(io.StringIO(text), skipinitialspace=True, strict=True), [])
        except csv.Error:
            raise ValueError(f"--order {text}: a quotation mark is not closed") from None
    labels = [label.strip() for label in labels]
    labels = [label for label in labels if label]
    if not labels:
        raise ValueError("--order names no label: give all labels, lowest first (low,mid,high)")
    return labels


def order_option(labels: Iterable[object]) -> str:
    r"""Return labels as an option of the command line, ready to be copied.

    Examples
    --------
    >>> print(order_option(["low", "mid, or so"]))
    --order 'low,"mid, or so"'

    Control characters are written as shells such as bash read them.

    >>> print(order_option(["low", "very\nhigh"]))
    --order $'low,"very\nhigh"'

    Labels that fill the screen are left to a file.

    >>> print(order_option(["low" * 1000, "high"]))
    --order FILE, with one label a line
    """
    text = io.StringIO()
    csv.writer(text).writerow([str(label) for label in labels])
    line = text.getvalue().removesuffix("\r\n")
    quoted = shlex.quote(line) if line.isprintable() else f"$'{''.join(map(_escaped, line))}'"
    if len(quoted) > LONGEST:
        return "--order FILE, with one label a line"
    return f"--order {quoted}"


def _escaped(character: str) -> str:
    """Return a character as it stands in $'...' of a shell."""
    if character in "\\'" or (character.isascii() and not character.isprintable()):
        return "\\'" if character == "'" else character.encode("unicode_escape").decode()
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # no name of a file is as long
        return False
