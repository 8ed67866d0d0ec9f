"""Cells as people type them, plain and odd ones, by the content of their column."""

import numpy as np
import pandas as pd

N = 120
_AGE = np.round(np.linspace(18.0, 90.0, N) ** 1.1, 1)
_DAYS = pd.Series(pd.date_range("2019-12-28 05:30:10", periods=N, freq="1777min"))

_SECONDS = np.linspace(70, 40_000, N).astype(int)

# Training cells of each column; None is a gap.
COLUMNS = {
    "number": _AGE,
    "number with gaps": [*[None] * 6, *_AGE[6:]],
    "number with words": ["tbd", *map(str, _AGE[1:-1]), "n.b."],
    "number of decimals": [f"{age:.3e}" for age in _AGE],
    "clock": [f"{s // 3600}:{s // 60 % 60:02}" for s in _SECONDS],
    "clock with gaps": [
        *[None] * 6,
        *(f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}" for s in _SECONDS[6:]),
    ],
    "clock of splits": [
        f"{s // 60}:{s % 60:02}"
        if s < 3600
        else f"{s // 3600}:{s // 60 % 60:02}:{s % 60:02}"
        for s in _SECONDS
    ],
    "truth": ["true", "false"] * (N // 2),
    "truth with gaps": [None, "True", "False"] * (N // 3),
    "level": ["red", "green", "New  York", "none"] * (N // 4),
    "level of a scale": ["none", "mild", "Mild", "SEVERE", "moderate", "?"] * (N // 6),
    "level of digits": ["1", "2", "03", "x"] * (N // 4),
    "level of truths": [True, "False", "perhaps"] * (N // 3),
    "level with gaps": [*["red", "green", None] * (N // 3 - 2), *["rare"] * 6],
    "levels, many": [f"{k % 20}" if k % 3 else f"p{k % 20}" for k in range(N)],
    "date with gaps": [*[None] * 6, *_DAYS.dt.strftime("%d/%m/%Y")[6:]],
    "date in words": [None, *_DAYS.dt.strftime("%d %b %Y")[1:]],
    "date without zeros": [
        f"{day.month}/{day.day}/{day.year} {day:%H:%M}".replace(" 0", " ")
        for day in _DAYS
    ],
}
DATE_FORMATS = {
    "date": "%Y-%m-%d",
    "date and time": "%Y-%m-%d %H:%M:%S",
    "date, day first": "%d.%m.%Y",
    "date, month first": "%m/%d/%Y %H:%M",
    "date in UTC": "%Y-%m-%dT%H:%M:%SZ",
    "date, month in full": "%B %d, %Y",
    "date, year first": "%Y/%m/%d %H:%M:%S",
    "date of two digits": "%d.%m.%y",
}
COLUMNS |= {name: _DAYS.dt.strftime(form) for name, form in DATE_FORMATS.items()}


def _cells(text):
    """Return the cells between the bars of a text, with blanks where it has a ~."""
    return [cell.strip().replace("~", " ") for cell in text.split("|")]


def _around(text):
    """Return each cell, and variants with odd characters around it."""
    forms = _cells('{}|~{}|{}~|\'{}|"{}"|({})|{}?|{}.|{}%|{}x|{}{}|{}~{}|<{}|{}-{}')
    forms += ["\t{}", "\N{NO-BREAK SPACE}{}", "{}\n", "\N{EM SPACE}{}"]
    return [form.format(cell, cell) for cell in _cells(text) for form in forms]


_NUMBERS = (
    _around("5|50|0|-7|60.5|007|.5|+3|1e2|2.5E+01|1.50|1e-05")
    + _cells(
        """5-10|5_10|5~10|5,10|5.10|5:10|5/10|5*10|1_000|1 000|1,000|1.000|1,000.5|1.000,5|1'000
    |9oo|5h|500k|500 k|1.5 kg|5 %|5%|5€|€5|$5|5 mg/l|5e|5E|5 x|1d5|5f|0x10|0b1|1L|5.0f0
    |-|--|+|.|e|E5|e5|.e5|-.|-e3|1e|1e+|1e-|1e+-5|1e-+5|1e5.5|1e5e5|1e 5|1 e5|- 5|+ 5|5.e2|5.
    |1e99|1e-99|1e100|1e308|1e309|1e999|1e-999|1e-120|2.5e-199|1e-200|3e-005|--5|+-5|-+5|5-|5+|5..|..5|1.2.3|1.2.3.4|f5|1f5
    |inf|-inf|Infinity|nan|NaN|-nan|1#INF|#REF!|#N/A|<5|>5|~5|5 or 6|5+|five|tbd|TBD|~tbd~|n.b.
    |see file|9 00|?|NA|n/a|None|null|NULL||~~|true|TRUE|½|-0|0.0|00|1E5|0e0|5;6|'5|5'|(5)|[5]
    |2020-02-29|10:30|5:00|1/2|1e1_0|5\N{SUPERSCRIPT TWO}|\N{FULLWIDTH DIGIT FIVE}
    |\N{ARABIC-INDIC DIGIT FIVE}|5\N{EN DASH}10|\N{MINUS SIGN}5|1\N{RIGHT SINGLE QUOTATION MARK}000
    |1\N{NO-BREAK SPACE}000|5\N{ZERO WIDTH SPACE}"""
    )
    + ["9" * 99, "9" * 400, "0." + "3" * 80, "0." + "3" * 120]
)
_TIMES = _around("2:30|10:30|00:23:41|101:02:03") + _cells(
    """2:60|2:5|2:305|02:30:60|2:30:5|24:00|99:59|1000:00|0:00|-2:30|+2:30|2:30.5|00:00:01.5
    |1e1:30|2:1e|2 :30|2: 30|2:30 PM|2:30pm|12:00 am|12:30 p.m.|13:00 pm|0:30 am|2.30|2h30|2:30h
    |2 days 02:30:00|1 day, 2:30:00
    |1 h 20 min|1h20m|90 min|45s|1.5 h|PT1H20M|P1DT2H|PT|P|1 d|3 hours
    |2:30:15:00|::|:30|2:|a:30|2:3a|02:30:1a|2;30|2-30|230|2|1,5|?|NA|None||~~|nan|soon|2_0:30
    |\N{ARABIC-INDIC DIGIT TWO}:30|2\N{FULLWIDTH COLON}30|2020-02-29 10:30|10:30Z"""
)
_TRUTHS = _around("true|True|TRUE|tRue|false|FALSE|1|0|1.0|0.0") + _cells(
    "t|f|T|yes|no|y|n|1.00|01|-1|2|on|off|?|NA|None||~~|tr ue|nan|wahr|+1|1e0|1,0|0.|.0|untrue"
)
_LEVELS = _around("red|green|none|1|2|03|x|p3|17|perhaps|mild|severe") + _cells(
    """Red|RED|gReen|New~~York|New York|New~~~York|new~~york|None|NONE|True|true|TRUE|tRue|False
    |false|FALSE|1.0|2.0|1.00|03.0|3.0|3|01|-1|-1.0|+1|1e0|1,0|17.0|0.0|p21|blue|rare|RARE
    |NA|N/A|n/a|NULL|null|nan|NaN|<NA>|#N/A|na|-|--|?|.||~~|re d|rèd|red;green|__x__|%|red%|_ed"""
)
_DATES = _around(
    "2020-02-29|2020-12-31|29.02.2020|02/29/2020 10:30|29 Feb 2020"
) + _cells(
    """2020-02-30|2019-02-29|1900-02-29|2000-02-29|2020-13-01|2020-00-10|2020-01-00|2020-04-31
    |0000-01-01|0001-01-01|9999-12-31|1600-02-29|1583-01-01|20-02-29|2020-2-9|02020-02-29
    |2020-02-29 10:30|2020-02-29 10:30:15|2020-02-29T10:30|2020-02-29T10:30:15|2020-02-29T10:30Z
    |2020-02-29T10:30:15Z|2020-02-29 10:30:15.5|2020-02-29 10:30:15.|2020-02-29 10:30:15,5
    |2020-02-29 25:00|2020-02-29 10:60|2020-02-29 10:30:60|2020-02-29 24:00|2020-02-29T10
    |2020-02-29t10:30|2020-02-29 5:30|2020-02-29 10:30 PM|2020-02-29Z|2020-02-29T|2020-02-29~~10:30
    |2020-02-29T10:30+02:00|2020-02-29T10:30+0200|2020-02-29T10:30-03|2020-02-29+02:00
    |2020-02-29T10:30z|2020-02-29T10:30ZZ|2020-02-29T10:30+25:00|2020-02-29-10|2020-02-29.5
    |2020-02-29T1030|2020-02-29 10.30|2020-02-29 10:3|2020-02-29:10:30|2020-02-29 10:30:15 UTC
    |20200229|20200229T1030|2020-060|2020-W09-6|1582934400|43890|2020|2020-02|2020/02/29|2020.02.29
    |2020_02_29|20-0-02-29|2020-a2-29|2020-02-2a|2a20-02-29|2020-02-29 1a:30|2020-02-29 10:3a
    |30.02.2020|29.2.2020|1.2.2020|01.02.20|31.04.2020|29.02.20200|29.13.2020|00.00.0000|29.0a.2020
    |29.02.2020 10:30|29.02.2020 25:00|29.02.2020Z|29.02.2020 10:30Z|29/02/2020|29-02-2020|1.2.0001
    |02/29/2020|02/30/2020 10:30|2/9/2020 5:30|13/13/2020 10:30|02/29/2020 25:00|02/29/2020 10:60
    |02/29/2020 10:30Z|02/29/2020T10:30|02/29/2020~~10:30|02/29/2020 10:30:15|02/29/20 10:30
    |30 Feb 2020|29 feb 2020|29~~Feb 2020|29 February 2020|29-Feb-2020|Feb 29, 2020|29 Foo 2020
    |ISO8601|today|now|soon|2 days ago|-|--|0000-00-00||~~|?|n.a.|NA|None|nan|null|NaT|not a date"""
)
_BY_INITIAL = {"n": _NUMBERS, "c": _TIMES, "t": _TRUTHS, "l": _LEVELS, "d": _DATES}
CELLS = {name: list(dict.fromkeys(_BY_INITIAL[name[0]])) for name in COLUMNS}
