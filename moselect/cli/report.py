"""`moselect report`: the page of a run folder."""

from __future__ import annotations

import shlex
from pathlib import Path

from moselect.report import make_page
from moselect.storage import read_run, replacing


def run_report(path: Path, out: Path) -> Path:
    """Write the page of a run, complete or not at all; gives its path."""
    run = read_run(path)
    data = {name: run.record["data"][name] for name in ("name", "target", "fingerprint")}
    page = make_page(run.front, data, shlex.quote(str(path)))
    with replacing(out) as file:
        file.write(page.html.encode())
    return out
