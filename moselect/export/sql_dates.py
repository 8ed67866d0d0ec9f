"""Parts of dates that are text, by whole numbers, which all databases count alike."""

import re

DAY_FIRST = {"%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y"}
MONTH_FIRST = {"%m/%d/%Y"}
DAYS_BEFORE = dict(  # since the first of March
    zip(
        [*range(3, 13), 1, 2],
        [0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337],
        strict=True,
    )
)
# Times without a time zone, or in UTC.
TIMES = ("", "___:__", "___:__:__", "___:__Z", "___:__:__Z")
FOURTHS = tuple(f"{year:02}" for year in range(0, 100, 4))
SECONDS_OF_A_DAY = "(CAST(86400 AS DOUBLE PRECISION))"


def iso_text(text: str, date_format: str) -> str:
    """Return text of a date as in ISO 8601, if it has the format; other text as it is."""
    if date_format[:8] not in DAY_FIRST | MONTH_FIRST:
        return text
    day, month = (1, 4) if date_format[:8] in DAY_FIRST else (4, 1)
    iso = (
        f"SUBSTR({text}, 7, 4) || '-' || SUBSTR({text}, {month}, 2) || '-' || "
        f"SUBSTR({text}, {day}, 2) || SUBSTR({text}, 11)"
    )
    pattern = re.sub("%.", "__", date_format.replace("%Y", "____"))
    return f"CASE WHEN {text} LIKE '{pattern}' THEN {iso} ELSE {text} END"


def date_case(iso: str, part: str) -> str:
    """Return the case that text is a date of ISO 8601, which may be in UTC, and its part then."""

    def chars(first: int, n: int) -> str:
        return f"SUBSTR({iso}, {first}, {n})"

    forms = " OR ".join(f"{iso} LIKE '____-__-__{time}'" for time in TIMES)
    digits = " || ".join(
        chars(first, 4 if first == 1 else 2) for first in (1, 6, 9, 12, 15, 18)
    )
    year = chars(1, 4)
    month = chars(6, 2)
    day = chars(9, 2)
    century = chars(1, 2)
    in_century = chars(3, 2)
    leap = (
        f"CASE {in_century} WHEN '00' THEN {century} ELSE {in_century} END IN {FOURTHS}"
    )
    last = (
        f"CASE WHEN {month} IN ('04', '06', '09', '11') THEN '30' WHEN {month} <> '02' "
        f"THEN '31' WHEN {leap} THEN '29' ELSE '28' END"
    )
    return (
        f" WHEN ({forms}) AND {chars(11, 1)} IN ('', ' ', 'T') "
        f"AND {chars(17, 1)} IN ('', ':', 'Z') AND {chars(20, 1)} IN ('', 'Z') "
        f"AND LTRIM({digits}, '0123456789') = '' AND {year} <> '0000' "
        f"AND {month} BETWEEN '01' AND '12' AND {day} BETWEEN '01' AND {last} "
        f"AND {chars(12, 2)} <= '23' AND {chars(15, 2)} <= '59' "
        f"AND {chars(18, 2)} <= '59' THEN {_part(iso, part)}"
    )


def _part(iso: str, part: str) -> str:
    """Return a part of an ISO date.

    The year begins in March, so that leap days are the last of their year.
    """

    def digits(first: int, n: int) -> str:
        return f"CAST(COALESCE(NULLIF(SUBSTR({iso}, {first}, {n}), ''), '0') AS INTEGER)"

    month = digits(6, 2)
    seconds = f"({digits(12, 2)} * 3600 + {digits(15, 2)} * 60 + {digits(18, 2)})"
    if part == "month":
        return month
    if part == "hour":
        return f"{seconds} / CAST(3600 AS DOUBLE PRECISION)"
    year = f"({digits(1, 4)} - CASE WHEN {month} < 3 THEN 1 ELSE 0 END)"
    leaps = " ".join(
        f"{sign} ({year} - {year} % {n}) / {n}"
        for sign, n in zip("+-+", (4, 100, 400), strict=True)
    )
    before = " ".join(f"WHEN {m} THEN {n}" for m, n in DAYS_BEFORE.items())
    days = f"(365 * {year} {leaps} + CASE {month} {before} END + {digits(9, 2)} - 1)"
    if part == "weekday":
        return f"(({days} + 2) % 7 + 1)"
    # from 0000-03-01
    days_to_epoch = 719468
    return f"(({days} - {days_to_epoch}) * {SECONDS_OF_A_DAY} + {seconds})"
