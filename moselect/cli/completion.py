"""Completions for the shell, without slow imports: they appear while the user types."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from moselect.metrics.objectives import OBJECTIVES
from moselect.search.settings import PRESETS

# Copies of names in packages that are slow to import; tests compare them.
BINNINGS = ("uniform", "quantile", "normalised", "printed")
BUNDLED = ("boston",)
KNOWN_MODELS = (
    "trivial",
    "multinomial",
    "ordinal_ridge",
    "proportional_odds",
    "gaussian_process",
    "additive",
    "pool",
    "cost_sensitive",
    "pareto_search",
    "gradient_boosting",
    "cost_thresholds",
    "ordinal_probit",
    "frank_hall",
    "svor_explicit",
    "svor_implicit",
    "redsvm",
    "nnop",
    "nnpom",
    "orboost",
)

# Patterns of the files that an argument may name.
TABLES = ("*.csv", "*.csv.gz", "*.tsv", "*.parquet", "*.xlsx")
MODELS = ("*.json", "*.skops")
RECORDS = ("run.json", "unfinished/run.json")  # in a run folder


def data_files() -> dict[str, Path]:
    """Return the CSV files that can be called by name: those in the folder MOSELECT_DATA."""
    folder = os.environ.get("MOSELECT_DATA")
    return {file.stem: file for file in sorted(Path(folder).glob("*.csv"))} if folder else {}


def data_sets(incomplete: str) -> list[str]:
    """Offer the names of data sets, and tables."""
    return [*BUNDLED, *data_files(), "openml:", *tables(incomplete)]


def tables(incomplete: str) -> list[str]:
    """Offer files of tables."""
    return _files(incomplete, TABLES)


def models(incomplete: str) -> list[str]:
    """Offer files of models."""
    return _files(incomplete, MODELS)


def run_folders(incomplete: str) -> list[str]:
    """Offer run folders, and folders in which there may be some."""
    return [
        f"{folder}" if any((folder / record).is_file() for record in RECORDS) else f"{folder}/"
        for folder in _beside(incomplete)
        if folder.is_dir()
    ]


def objectives(incomplete: str) -> list[str]:
    """Offer the objectives that a list with commas does not have yet."""
    return _others(OBJECTIVES, incomplete)


def known_models(incomplete: str) -> list[str]:
    """Offer the models of a comparison that a list with commas does not have yet."""
    return _others(KNOWN_MODELS, incomplete)


def presets() -> list[str]:
    """Offer the presets."""
    return list(PRESETS)


def binnings() -> list[str]:
    """Offer the binnings that have names."""
    return list(BINNINGS)


def _others(names: Sequence[str], incomplete: str) -> list[str]:
    *given, _ = incomplete.split(",")
    return [",".join([*given, name]) for name in names if name not in given]


def _files(incomplete: str, patterns: tuple[str, ...]) -> list[str]:
    """Offer files that look like one of the patterns, and folders on the way to them."""
    found = []
    for path in _beside(incomplete):
        if path.is_dir():
            found.append(f"{path}/")
        elif any(path.match(pattern) for pattern in patterns):
            found.append(f"{path}")
    return found


def _beside(incomplete: str) -> list[Path]:
    """Return the files in the folder that was typed so far, without hidden ones."""
    folder = Path(incomplete if incomplete.endswith("/") else Path(incomplete).parent)
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:
        return []
