"""Folders and data of the repository."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
CLAIMS = DOCS / "data" / "claims.csv"
