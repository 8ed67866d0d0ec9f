"""Numeric codes of missing values, such as 9 and 999."""

import numpy as np

from moselect._types import Floats

# 9, 99, 999 and so on, with up to three codes more just below, and 8, 88, 888.
NINES = [float("9" * k) for k in range(1, 7)]
CODES = [*NINES, *(n - d for n in NINES[1:] for d in (1, 2, 3)), 8.0, 88.0, 888.0, 8888.0]
SEVENS = [7.0, 77.0, 777.0]
BELOW_ZERO = [*CODES, 1.0, 2.0, 7.0, 77.0]  # -1 and so on, where nothing else is negative


def gap_codes(values: Floats, *, of_scale: bool = False) -> list[float]:
    """Find values that are usual codes for a gap and lie far outside all others.

    Beyond a scale of few values a code may be nearer, if it skips a step and is more common
    than the end of the scale; below quantities that are never negative, any code is far.
    ``of_scale`` the values are classes: beyond a hole all codes are doubted, 7 and 77, too.

    Examples
    --------
    >>> gap_codes(np.array([0.0, 2.0, 250.0, 999.0])), gap_codes(np.arange(10.0))
    ([999.0], [])
    >>> gap_codes(np.array([1.0, 2.0, 3.0, 4.0, 8.0, 9.0, -9.0]))
    [-9.0, 8.0, 9.0]
    >>> gap_codes(np.array([0.0, 1.0, 2.0, 2.0, 4.0, 7.0, 8.0, 9.0]), of_scale=True)
    [7.0, 8.0, 9.0]
    """
    low: list[float] = []
    high: list[float] = []
    for _ in range(2):  # codes at one end hide those at the other, if they are farther
        high = _beyond(values[~np.isin(values, low)], CODES, of_scale)
        below = _beyond(-values[~np.isin(values, high)], BELOW_ZERO, of_scale)
        low = [-code for code in below]
    return low[::-1] + high


# values of a scale; more are a quantity
MAX_SCALE_LEVELS = 15


def _beyond(values: Floats, codes: list[float], of_scale: bool) -> list[float]:
    """Return the codes at the upper end of the values that lie far from all below."""
    distinct, counts = np.unique(values[np.isfinite(values)], return_counts=True)
    is_code = np.isin(distinct, codes)
    # 7, 77 and so on are codes of a scale, and of quantities before 8 or 9, 88 or 99.
    is_code |= np.isin(distinct, SEVENS) & (np.append(is_code[1:], False) | of_scale)
    first = len(distinct) - int(np.argmin(np.append(is_code[::-1], False)))
    # distance from all other values, relative to their range
    far = 0.5
    for k in range(max(first, 2), len(distinct)):
        rest = distinct[:k]
        hole = distinct[k] - distinct[k - 1]
        widest = np.diff(rest).max()
        skips = hole >= 2.0 * widest and (of_scale or counts[k:].sum() > counts[k - 1])
        # Of codes below zero the signs are changed.
        is_unsigned = codes is BELOW_ZERO and rest[-1] <= 0.0
        if (
            hole > max(widest, far * np.ptp(rest))
            or (len(rest) <= MAX_SCALE_LEVELS and skips)
            or (len(rest) > MAX_SCALE_LEVELS and is_unsigned)
        ):
            return distinct[k:].tolist()
    return []
