"""How messages name, quote and list things without filling the screen."""

import csv
import io
import math
import shlex
from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 100  # characters of a name that are shown
LONGEST_MESSAGE = 500  # of what may quote a file


def short(name: object) -> str:
    """Return a name, of a long one without its middle.

    Examples
    --------
    >>> len(short("x" * 1_000))
    100
    """
    return shortened(name, LONGEST)


def listing(names: Iterable[object], limit: int = 10) -> str:
    """Join names with commas, the first ``limit`` of more, of long ones the beginning.

    A single one more is named.

    Examples
    --------
    >>> listing(["a", "b", "c", "d"], limit=2), listing(["a", "b", "c"], limit=2)
    ('a, b and 2 more', 'a, b, c')
    """
    texts = list(map(short, names))
    rest = len(texts) - limit
    if rest <= 1:
        return ", ".join(texts)
    return f"{', '.join(texts[:limit])} and {rest} more"


def names(text: str) -> list[str]:
    """Parse a list of names or labels, in double quotes if they hold a comma.

    Examples
    --------
    >>> names('low, "mid, or so", high')
    ['low', 'mid, or so', 'high']
    """
    try:
        parts = next(csv.reader([text], skipinitialspace=True, strict=True), [])
    except csv.Error:
        raise ValueError(f"{text}: a quotation mark is not closed") from None
    found = [part.strip() for part in parts if part.strip()]
    if not found:
        raise ValueError("give names with commas between them")
    return found


def setting(name: str, labels: Iterable[object]) -> str:
    """Return a parameter and its labels, ready to be copied if they can be.

    The command line shows it as its option.

    Examples
    --------
    >>> print(setting("order", ["low", "mid, or so"]))
    order='low,"mid, or so"'
    """
    return f"{name}={comma_separated(labels)}"


# Characters of an option that is worth copying.
LONGEST_OPTION = 1_000


def comma_separated(labels: Iterable[object]) -> str:
    """Join labels with commas, as `names` parses them, quoted for a shell."""
    text = io.StringIO()
    csv.writer(text).writerow([str(label) for label in labels])
    line = text.getvalue().removesuffix("\r\n")
    if len(line) > LONGEST_OPTION or not line.isprintable():
        return "..."
    return shlex.quote(line)


def suggestion(name: str, names: Iterable[str]) -> str:
    """Suggest a similar name at the end of a sentence; "" if there is none.

    Examples
    --------
    >>> suggestion("prise", ["size", "price"])
    "; did you mean 'price'?"
    >>> suggestion("ward_phone", ["Ward Phone", "ward"])
    "; did you mean 'Ward Phone'?"
    """
    folded = {_letters(other): other for other in names}
    close = get_close_matches(_letters(name), list(folded), n=1)
    if close:
        return f"; did you mean '{folded[close[0]]}'?"
    return ""


def _letters(name: str) -> str:
    """Return the letters and digits of a name, in small letters; all of it without any."""
    return "".join(filter(str.isalnum, str(name).casefold())) or str(name)


def shortened(what: object, longest: int = LONGEST_MESSAGE) -> str:
    """Return something as text, of a long one without its middle."""
    text = str(what)
    if len(text) <= longest:
        return text
    end = (longest - 1) // 2
    return f"{text[: longest - 1 - end]}…{text[len(text) - end :]}"


def in_one_line(what: object) -> str:
    """Return text without line breaks and control characters, which steer a terminal."""
    return visible(" ".join(str(what).split()))


def visible(text: str) -> str:
    """Replace control characters in text, and other blanks and breaks of lines by a blank."""
    blank = {True: " ", False: "\N{REPLACEMENT CHARACTER}"}
    return "".join(c if c.isprintable() else blank[c.isspace()] for c in text)


LONGEST_REASON = 200


def reason_of(problem: BaseException | str) -> str:
    """Return the type and the first lines of an error or warning, as one line."""
    name = type(problem).__name__
    text = " ".join(str(problem).split("\n\n", 1)[0].split())
    text = text.encode(
        errors="backslashreplace"
    ).decode()  # halves of characters are no text
    return shortened(f"{name}: {text}" if text else name, LONGEST_REASON)


def decimals_of(errors: Iterable[float]) -> int:
    """Compute the decimals of values: two digits of the least standard error but 0."""
    # An error that is 0 but for rounding does not count.
    known = [error for error in errors if error > 0.0]
    least = min((error for error in known if error > 1e-3 * max(known)), default=1.0)
    return max(0, 1 - math.floor(math.log10(least)))


def counted(count: float) -> str:
    """Format a number of rows; a small sum of weights has one decimal.

    Examples
    --------
    >>> counted(1234.0), counted(2.25), counted(3.0)
    ('1,234', '2.2', '3')
    """
    # From this number on, decimals of a sum of weights say nothing.
    if abs(count) < 10.0:
        return f"{count:.1f}".removesuffix(".0")
    return f"{count:,.0f}"


def rows_of(n: int, n_source: int | None = None, unit: str = "rows") -> str:
    """Format a number of rows, and the size of the source if they are drawn from one.

    Examples
    --------
    >>> rows_of(600), rows_of(200_000, 40_000_000)
    ('600 rows', '200,000 of 40,000,000 rows')
    """
    return f"{n:,} {unit}" if n_source is None else f"{n:,} of {n_source:,} {unit}"


def rounded(value: float, digits: int = 3, mark: str = "") -> str:
    """Format a number to some digits, large ones in full, with a mark of thousands if given.

    Costs that break ties of a metric are 0.

    Examples
    --------
    >>> rounded(487.2, 2), rounded(20000.0, mark=","), rounded(0.12345), rounded(1e-10)
    ('490', '20,000', '0.123', '0')
    """
    return f"{float(f'{round(value, 9):.{digits}g}'):z{mark}.15g}"


def with_interval(ends: tuple[float, float, float], decimals: int) -> str:
    """Format a value with the ends of its interval.

    Examples
    --------
    >>> with_interval((0.912, 0.812, 1.0), 2)
    '0.91 (0.81 to 1.00)'
    """
    shown, low, high = (f"{end:z,.{decimals}f}" for end in ends)
    return f"{shown} ({low} to {high})"
