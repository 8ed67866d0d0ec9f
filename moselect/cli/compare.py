"""`moselect compare`: fit with a progress bar, keep, and say which model is best at what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from moselect.cli.compare_tables import print_comparison, print_comparison_json
from moselect.cli.terminal import Terminal
from moselect.comparison import DEFAULT_MODELS, Comparison, compare, stratified_folds
from moselect.comparison import Progress as FitsDone
from moselect.comparison.folds import N_FOLDS, N_REPEATS
from moselect.datasets import Dataset, load_dataset
from moselect.decision import Costs, Loss
from moselect.labels import encode_labels
from moselect.plots import model_front
from moselect.storage import read_comparison, write_comparison


def run_compare(
    data: str | None,
    source: dict[str, Any],
    models: list[str] | None,
    measures: list[str] | None,
    folds: tuple[int | None, int | None],
    costs: tuple[list[float] | None, Loss],
    seed: int | None,
    jobs: int | None,
    out: Path | None,
    extend: bool,
    terminal: Terminal,
) -> None:
    """Do the whole job of `moselect compare`."""
    if data is None:
        raise ValueError(
            "say what to compare on: a CSV or Parquet file, or a name that moselect datasets lists"
        )
    previous = _previous(out, extend)
    dataset = load_dataset(data, **source)
    if costs[0] is not None:
        Costs(*costs).matrix(len(dataset.labels))  # an error before models are fitted
    if seed is None:
        seed = (
            int(np.random.SeedSequence().generate_state(1)[0])
            if previous is None
            else previous.random_state
        )
    comparison = _compare(
        dataset,
        models or list(DEFAULT_MODELS),
        terminal,
        cv=_folds(dataset, *folds, seed),
        measures=measures,
        labels=dataset.labels,
        n_jobs=jobs,
        random_state=seed,
        previous=previous,
    )
    pictures = [] if out is None else _keep(comparison, out, terminal)
    if comparison.interrupted:
        rest = "" if out is None else ": go on with the same command and --extend"
        terminal.say(f"Interrupted{rest}.")
    if terminal.json:
        print_comparison_json(comparison, costs, [out, *pictures] if out else [], terminal)
        return
    print_comparison(comparison, costs, terminal)
    for path in [out, *pictures] if out else []:
        terminal.say(f"Written: {path}")


def _previous(out: Path | None, extend: bool) -> Comparison | None:
    """Read what is to be extended; refuse to replace what is not."""
    if out is None:
        if extend:
            raise ValueError("--extend needs the file to extend: --out FILE")
        return None
    if not out.exists():
        if not out.absolute().parent.is_dir():
            raise ValueError(f"there is no folder '{out.absolute().parent}' for --out")
        return None
    if not extend:
        raise ValueError(f"'{out}' exists already: add to it (--extend) or name another (--out)")
    return read_comparison(out)


def _folds(dataset: Dataset, n_folds: int | None, n_repeats: int | None, seed: int) -> Any:
    """Give the folds that were asked for; None for those of the comparison to extend, or usual."""
    if n_folds is None and n_repeats is None:
        return None
    codes = encode_labels(dataset.y, np.asarray(dataset.labels))
    return stratified_folds(
        codes,
        N_FOLDS if n_folds is None else n_folds,
        N_REPEATS if n_repeats is None else n_repeats,
        seed,
    )


def _compare(
    dataset: Dataset, models: list[str], terminal: Terminal, **settings: Any
) -> Comparison:
    bar = terminal.progress("{task.completed} of {task.total} fits, {task.fields[model]}")

    def report(done: FitsDone) -> None:
        bar.update(task, total=done.n_fits, completed=done.n_done, model=done.model)

    with bar:
        task = bar.add_task("", total=None, model="starting")
        return compare(models, dataset.X, dataset.y, report=report, **settings)


def _keep(comparison: Comparison, out: Path, terminal: Terminal) -> list[Path]:
    """Write a comparison, and a picture beside it if there is something to draw."""
    write_comparison(out, comparison)
    try:
        figure = model_front(comparison).get_figure(root=True)
    except ValueError as error:
        terminal.say(f"No picture: {error}")
        return []
    assert figure is not None
    picture = out.with_suffix(".png")
    figure.savefig(picture, dpi=150)
    return [picture]
