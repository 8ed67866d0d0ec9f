"""List the papers' experiments, or run them and put what they find beside what is printed.

python -m experiments                       lists them
python -m experiments all                   runs all; or give names
python -m experiments ballante --quick      small sizes, into a new folder that is named
python -m experiments all --out folder      leaves the files here as they are
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table

from experiments import catalogue, verdicts
from experiments.catalogue import Experiment


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m experiments",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="experiments to run, or 'all'"
    )
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--out", type=Path, help="folder for results and figures")
    options = parser.parse_args(arguments)
    experiments = {
        experiment.name: experiment for experiment in catalogue.find_experiments()
    }
    unknown = sorted(set(options.names) - {"all", *experiments})
    if unknown:
        parser.error(f"'{unknown[0]}' is none of all, {', '.join(experiments)}")
    console = Console()
    if not options.names:
        show_list(console, list(experiments.values()))
        return 0
    chosen = [e for name, e in experiments.items() if {"all", name} & set(options.names)]
    out = options.out
    if out is None and options.quick:
        out = Path(tempfile.mkdtemp(prefix="moselect-experiments-"))
    judged = run_all(chosen, out, quick=options.quick)
    for name, table in judged.items():
        show_results(console, name, table)
    if out is None:
        write_pages(list(experiments.values()))
    else:
        console.print(f"Results and figures: {out}", soft_wrap=True)
    return 0


def show_list(console: Console, experiments: list[Experiment]) -> None:
    table = Table(
        "name", "what is reproduced", title="Papers", title_justify="left", box=None
    )
    for experiment in experiments:
        table.add_row(experiment.name, experiment.summary)
    console.print(table)
    others = Table(title="\nOther scripts", title_justify="left", box=None)
    others.add_column("command", no_wrap=True)
    others.add_column("purpose")
    for script in catalogue.find_scripts():
        others.add_row(script.command, script.summary)
    console.print(others)


def run_all(
    experiments: list[Experiment], out: Path | None, *, quick: bool
) -> dict[str, pd.DataFrame]:
    """Run experiments into their own folders, or into folders of their names in ``out``."""
    mpl.use("Agg")
    judged = {}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        for experiment in experiments:
            task = progress.add_task(experiment.name, total=1.0)
            folder = experiment.folder if out is None else out / experiment.name
            folder.mkdir(parents=True, exist_ok=True)
            results = experiment.run(
                folder,
                quick=quick,
                report=lambda share, task=task: progress.update(task, completed=share),
            )
            verdicts.write_results(results, folder / "results.csv")
            expected = verdicts.read_expected(experiment.folder / "expected.csv")
            judged[experiment.name] = verdicts.judge(
                expected, results, complete=not quick
            )
            progress.update(task, completed=1.0)
    return judged


def show_results(console: Console, name: str, judged: pd.DataFrame) -> None:
    table = Table(*verdicts.HEADINGS, title=f"\n{name}", title_justify="left")
    for row in verdicts.shown(judged):
        table.add_row(*map(escape, row))
    console.print(table)
    console.print(verdicts.count(judged))


def write_pages(experiments: list[Experiment]) -> None:
    """Write the table of each paper into its page; counts and differences into the one above."""
    judged = {}
    whole = catalogue.HERE / "README.md"
    for experiment in experiments:
        results = experiment.folder / "results.csv"
        if results.exists():
            expected = verdicts.read_expected(experiment.folder / "expected.csv")
            table = verdicts.judge(
                expected, verdicts.read_results(results), complete=True
            )
            judged[experiment.name] = table
            verdicts.fill_in(experiment.folder / "README.md", verdicts.markdown(table))
            verdicts.fill_in(whole, verdicts.differences(table), experiment.name)
    summaries = {experiment.name: experiment.summary for experiment in experiments}
    verdicts.fill_in(whole, verdicts.counts(judged, summaries))


if __name__ == "__main__":
    sys.exit(main())
