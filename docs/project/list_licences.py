"""Print the licences of dependencies as CSV: ``python docs/project/list_licences.py``.

Each package is listed once, with the first set of dependencies that brings it: moselect itself, or
an extra. What is not installed is left out of the table and named on standard error.
"""

from __future__ import annotations

import csv
import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

EXTRAS = (
    "",
    "classifiers",
    "dask",
    "excel",
    "models",
    "notebook",
    "onnx",
    "parquet",
    "sql",
    "test",
    "docs",
    "dev",
)
LONGEST = 60  # characters of a name; some packages put the whole text into the field
NOT_A_NAME = ("copyright", "license agreement", "====", "unknown")
CLASSIFIER = "License :: "
PHRASES = {
    "Permission is hereby granted, free of charge": "MIT",
    "Redistribution and use in source and binary forms": "BSD",
    "PSF LICENSE AGREEMENT": "PSF-2.0",
}


def licence(found: Distribution) -> str:
    """Return the licence of a package: as declared, or else recognised by its text."""
    about = found.metadata
    text = (about.get("License-Expression") or about.get("License") or "").strip()
    first = text.splitlines()[0].strip() if text else ""
    if first and len(first) <= LONGEST and not first.lower().startswith(NOT_A_NAME):
        return first
    named = [
        entry.split(" :: ")[-1]
        for entry in about.get_all("Classifier") or []
        if entry.startswith(CLASSIFIER) and entry.count(" :: ") > 1
    ]
    if named:
        return ", ".join(named)
    files = [file for file in found.files or [] if "licen" in file.name.lower()]
    texts = [text, *(file.read_text() for file in files)]
    phrases = (
        name for phrase, name in PHRASES.items() if any(phrase in one for one in texts)
    )
    return next(phrases, "not declared")


def needed(name: str, extras: frozenset[str]) -> list[Requirement]:
    """List the requirements of a package here, with some of its extras."""
    criteria = []
    for text in distribution(name).requires or []:
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None or any(
            marker.evaluate({"extra": extra}) for extra in extras or frozenset({""})
        ):
            criteria.append(requirement)
    return criteria


def closure(name: str, extra: str, listed: dict[str, str], missing: set[str]) -> None:
    """Add to ``listed`` all that a package with an extra needs, directly or not."""
    waiting = [(name, frozenset({extra}))]
    visited = set()
    while waiting:
        package, extras = waiting.pop()
        if (package, extras) in visited:
            continue
        visited.add((package, extras))
        try:
            requirements = needed(package, extras)
        except PackageNotFoundError:
            missing.add(package)
            continue
        if package != name:
            listed.setdefault(package, extra or "moselect")
        waiting += [
            (canonicalize_name(one.name), frozenset(one.extras | {""}))
            for one in requirements
        ]


def main() -> None:
    """Print the table."""
    listed: dict[str, str] = {}
    missing: set[str] = set()
    for extra in EXTRAS:
        closure("moselect", extra, listed, missing)
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["package", "needed by", "licence"])
    for by in ("moselect", *EXTRAS[1:]):
        for package in sorted(name for name, first in listed.items() if first == by):
            words = re.sub(r"\s+", " ", licence(distribution(package)))
            table.writerow([package, by, words])
    if missing:
        sys.stderr.write(f"Not installed: {', '.join(sorted(missing))}.\n")


if __name__ == "__main__":
    main()
