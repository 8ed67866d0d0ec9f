"""Schema numbers of files: which one is read, and the way out for another."""

from __future__ import annotations


def check_schema(what: str, found: object, reads: int, renew: str) -> None:
    """Raise ValueError unless a file has the schema that this version reads.

    ``renew`` says how to make a file like ``what`` anew.
    """
    if type(found) is int and found == reads:
        return
    newer = type(found) is int and found > reads
    way_out = "update moselect (pip install --upgrade moselect)" if newer else renew
    raise ValueError(
        f"{what} has schema {str(found)[:50]}, but this version reads schema {reads}: {way_out}"
    )
