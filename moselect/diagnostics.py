"""Codes of remarks on a table, for their documentation and to ignore them."""

import warnings
from collections.abc import Iterable
from enum import StrEnum


class Diagnostic(StrEnum):
    """Code of a remark; the reference explains each under its code."""

    LEAK = "MS101"
    GROUPS = "MS102"
    ROW_NUMBER = "MS103"
    COUNTS = "MS104"
    WEIGHTS = "MS105"
    MISSING_CODES = "MS106"
    DUPLICATES = "MS107"

    def remark(self, text: str) -> str:
        """Prefix the text of a remark with its code."""
        return f"{self}: {text}"


def ignore_warnings(codes: Iterable[str]) -> None:
    """Silence warnings that begin with one of the codes.

    Raises
    ------
    ValueError
        If a code is unknown.
    """
    for code in codes:
        if code not in list(Diagnostic):
            raise ValueError(f"unknown code {code!r}: ignore {', '.join(Diagnostic)}")
        warnings.filterwarnings("ignore", f"{code}: ")
