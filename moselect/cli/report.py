"""`moselect report`: the page of a run folder."""

from __future__ import annotations

import shlex
from pathlib import Path

from moselect.cli.terminal import Terminal
from moselect.report import make_page
from moselect.storage import check_file_path, read_run, replacing


def run_report(path: Path, out: Path, force: bool, terminal: Terminal) -> None:
    """Write the page of a run, complete or not at all."""
    check_file_path(out, replace=force)
    run = read_run(path)
    data = {name: run.record["data"][name] for name in ("name", "target", "fingerprint")}
    page = make_page(run.front, data, shlex.quote(str(path)))
    with replacing(out) as file:
        file.write(page.html.encode())
    if terminal.json:
        terminal.print_json({"page": str(out)})
    else:
        terminal.results.print(str(out), soft_wrap=True)
