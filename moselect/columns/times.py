"""Clock times and durations in seconds: 10:30, 2:30 PM, 1 day, 3:20:00, 1 h 20 min, PT1H20M."""

from __future__ import annotations

import re

# In lower case. Two parts are hours and minutes, or minutes and seconds where others have three.
CLOCK = re.compile(
    r"(?:([0-9]{1,5}) days?,? )?([0-9]{1,3}):([0-5][0-9])"
    r"(?::([0-5][0-9](?:\.[0-9]{1,9})?))?(?: ?([ap])\.?m\.?)?"
)
_PART = r"([0-9]{1,8}(?:\.[0-9]{1,9})?)"
SPELLED = re.compile(
    rf"p?(?:{_PART} ?d(?:ays?)?)? ?t?(?:{_PART} ?h(?:(?:ou)?rs?)?)?"
    rf" ?(?:{_PART} ?m(?:in(?:ute)?s?)?)? ?(?:{_PART} ?s(?:ec(?:ond)?s?)?)?"
)
HOURS, MINUTES = 3600.0, 60.0  # of what the first of two parts is a number
NOON = 12


def seconds_of(text: str, first_of_two: float) -> float | None:
    """Return a time in seconds, None if it is none.

    Examples
    --------
    >>> [seconds_of(text, HOURS) for text in ("2:30", "2:30 pm", "0:02:30", "pt1h20m", "soon")]
    [9000.0, 52200.0, 150.0, 4800.0, None]
    >>> seconds_of("2:30", MINUTES)
    150.0
    """
    clock = CLOCK.fullmatch(text)
    if clock is not None:
        days, first, second, third, half = clock.groups()
        hours = int(first)
        if third is None and half is None:
            seconds = hours * first_of_two + int(second) * (first_of_two / 60.0)
        else:
            if half is not None:
                if not 1 <= hours <= NOON:
                    return None
                hours = hours % NOON + (NOON if half == "p" else 0)
            seconds = hours * HOURS + int(second) * MINUTES + float(third or 0)
        return int(days or 0) * 86400.0 + seconds
    spelled = SPELLED.fullmatch(text)
    if spelled is None or not any(spelled.groups()):
        return None
    days, hours_, minutes, seconds_ = (float(part or 0) for part in spelled.groups())
    return days * 86400.0 + hours_ * HOURS + minutes * MINUTES + seconds_
