"""Parts of dates that are text, by whole numbers, which all databases count alike."""

from __future__ import annotations

DAY_FIRST, MONTH_FIRST = {"%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y"}, {"%m/%d/%Y"}
DAYS_BEFORE = dict(  # since the first of March
    zip([*range(3, 13), 1, 2], [0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337], strict=True)
)
DAYS_TO_EPOCH = 719468  # from 0000-03-01
SECONDS_OF_A_DAY = "(CAST(86400 AS DOUBLE PRECISION))"


def date_cases(text: str, part: str, date_format: str) -> str:
    """Return the cases in which text is a date, ISO 8601 or by its format, and its part in each."""
    ends = f"LENGTH({text}) < 20 AND SUBSTR({text}, 17, 1) IN ('', ':', 'Z')"  # no zones
    utc = f"{text} LIKE '____-__-_____:__:__Z'"
    whens = f" WHEN {text} LIKE '____-__-__%' AND {ends} OR {utc} THEN {_part(text, part)}"
    if date_format[:8] not in DAY_FIRST | MONTH_FIRST:
        return whens
    day, month = (1, 4) if date_format[:8] in DAY_FIRST else (4, 1)
    iso = (
        f"(SUBSTR({text}, 7, 4) || '-' || SUBSTR({text}, {month}, 2) || '-' || "
        f"SUBSTR({text}, {day}, 2) || SUBSTR({text}, 11))"
    )
    mark = date_format[2]
    return whens + f" WHEN {text} LIKE '__{mark}__{mark}____%' AND {ends} THEN {_part(iso, part)}"


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
    return f"(({days} - {DAYS_TO_EPOCH}) * {SECONDS_OF_A_DAY} + {seconds})"
