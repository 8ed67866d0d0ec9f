"""Table 3.2: VUS and BSC of twelve vectors of classes, listed by ascending score."""

from __future__ import annotations

import pandas as pd

from moselect.metrics import u_pairs_score, vus_score

VECTORS = (
    "1234567",
    "1112345",
    "7654321",
    "5432111",
    "1112354",
    "5111234",
    "5111111",
    "5111116",
    "5111115",
    "1115111",
    "5115111",
    "1523454",
)


def table_3_2() -> pd.DataFrame:
    """Give both measures of each vector in per cent."""
    rows = []
    for vector in VECTORS:
        classes = [int(digit) for digit in vector]
        places = range(len(classes))
        # Without tied scores BSC is the share of pairs in order.
        for name, measure in (("VUS", vus_score), ("BSC", u_pairs_score)):
            rows.append((f"3.2: {vector} {name}", 100.0 * measure(classes, places)))
    return pd.DataFrame(rows, columns=["key", "here"])
