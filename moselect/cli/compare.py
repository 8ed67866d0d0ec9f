"""`moselect compare`: fit with a progress bar, keep, and say which model is best at what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from moselect.comparison import (
    DEFAULT_MODELS,
    Comparison,
    compare,
    stratified_folds,
)
from moselect.comparison import Progress as FitsDone
from moselect.comparison.folds import N_FOLDS, N_REPEATS
from moselect.comparison.text import (
    best_cells,
    cells,
    footnotes,
    in_order,
    legend,
    seconds,
    short_measure,
)
from moselect.datasets import Dataset, load_dataset
from moselect.decision import Loss, resolve_costs
from moselect.metrics import encode_labels
from moselect.plots import model_front
from moselect.storage import read_comparison, write_comparison

MEASURES_ACROSS = 5  # that fit into 80 columns


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
    messages: Console,
    console: Console,
) -> None:
    """Do the whole job of `moselect compare`."""
    if data is None:
        raise ValueError("say what to compare on: a bundled name (boston), a CSV or Parquet file")
    previous = _previous(out, extend)
    dataset = load_dataset(data, **source)
    if costs[0] is not None:
        resolve_costs(len(dataset.labels), costs[0], costs[1], None)  # wrong ones are told at once
    if seed is None and previous is None:
        seed = int(np.random.SeedSequence().generate_state(1)[0])
    comparison = _compare(
        dataset,
        models or list(DEFAULT_MODELS),
        cv=_folds(dataset, folds, previous.random_state if previous and seed is None else seed),
        measures=measures,
        labels=dataset.labels,
        n_jobs=jobs,
        random_state=seed,
        previous=previous,
        messages=messages,
    )
    if out is not None:
        write_comparison(out, comparison)
    if comparison.interrupted:
        rest = "" if out is None else ": go on with the same command and --extend"
        messages.print(f"Interrupted{rest}.", highlight=False, markup=False)
    _print_table(comparison, console)
    _print_front(comparison, console)
    _print_tests(comparison, console)
    if costs[0] is not None:
        _print_costs(comparison, *costs, console)
    if out is not None:
        console.print(f"Comparison: {out}", highlight=False, markup=False, soft_wrap=True)
        _draw(comparison, out.with_suffix(".png"), messages, console)


def _previous(out: Path | None, extend: bool) -> Comparison | None:
    """Read what is to be extended; refuse to replace what is not."""
    if extend and out is None:
        raise ValueError("--extend needs the file to extend: --out FILE")
    if out is None or not out.exists():
        if out is not None and not out.absolute().parent.is_dir():
            raise ValueError(f"there is no folder '{out.absolute().parent}' for --out")
        return None
    if not extend:
        raise ValueError(f"'{out}' exists already: add to it (--extend) or name another (--out)")
    return read_comparison(out)


def _folds(dataset: Dataset, asked: tuple[int | None, int | None], seed: int | None) -> Any:
    """Give the folds that were asked for; None for those of the comparison to extend, or usual."""
    if asked == (None, None):
        return None
    n_folds, n_repeats = asked
    codes = encode_labels(dataset.y, np.asarray(dataset.labels))
    return stratified_folds(codes, n_folds or N_FOLDS, n_repeats or N_REPEATS, seed or 0)


def _compare(
    dataset: Dataset, models: list[str], *, messages: Console, **settings: Any
) -> Comparison:
    bar = Progress(
        SpinnerColumn(),
        BarColumn(bar_width=20),
        TextColumn("{task.completed} of {task.total} fits, {task.fields[model]}"),
        TimeRemainingColumn(),
        console=messages,
        transient=True,
    )

    def report(done: FitsDone) -> None:
        bar.update(task, total=done.n_fits, completed=done.n_done, model=done.model)

    with bar:
        task = bar.add_task("", total=None, model="starting")
        return compare(models, dataset.X, dataset.y, report=report, **settings)


def _print_table(comparison: Comparison, console: Console) -> None:
    plain = console.color_system is None  # bold would not be seen
    fit = comparison.table["seconds", "fit"]
    for first in range(0, len(comparison.measures), MEASURES_ACROSS):
        measures = comparison.measures[first : first + MEASURES_ACROSS]
        shown, best = cells(comparison, measures), best_cells(comparison, measures)
        table = _table("model", *(short_measure(name) for name in measures), "fit s")
        for name in in_order(comparison):
            values = [
                _marked(shown[measure][name], bool(best[measure][name]), plain)
                for measure in measures
            ]
            table.add_row(escape(name), *values, seconds(fit[name]))
        console.print(table)
    mark = "*" if plain else "bold"
    _say(f"{legend(comparison)}; {mark}: best; seed {comparison.random_state}", console)
    for line in footnotes(comparison):
        _say(line, console)


def _marked(text: str, best: bool, plain: bool) -> str:
    if plain:
        return f"{text}{'*' if best else ' '}"
    return f"[bold]{text}[/]" if best else text


def _print_front(comparison: Comparison, console: Console) -> None:
    front = comparison.front()
    names = ", ".join(short_measure(name) for name in comparison.measures)
    _say(f"\nNot dominated in {names}: {', '.join(front) or 'none'}", console)


def _print_tests(comparison: Comparison, console: Console) -> None:
    """Print p-values of the differences from the best, a column for each measure."""
    found = {
        measure: comparison.test(measure)
        for measure in comparison.measures
        if comparison.table[measure, "mean"].count() > 1
    }
    if not found:
        return
    _say("", console)
    for first in range(0, len(found), MEASURES_ACROSS):
        measures = list(found)[first : first + MEASURES_ACROSS]
        table = _table("p, against the best", *(short_measure(name) for name in measures))
        for name in in_order(comparison):
            if name not in comparison.failures:
                table.add_row(escape(name), *(_p_value(found[m], name) for m in measures))
        console.print(table)
    _say("Corrected resampled t-test, adjusted for the number of models (Holm).", console)


def _p_value(tests: Any, name: str) -> str:
    if name not in tests.index:
        return "best" if str(tests.index.name).endswith(f" {name}") else ""
    p = tests.loc[name, "p adjusted"]
    return "n/a" if np.isnan(p) else f"{p:.3f}" if p >= 0.001 else "<0.001"


def _print_costs(
    comparison: Comparison, class_costs: list[float] | None, loss: Loss, console: Console
) -> None:
    costs = comparison.costs(class_costs, loss)
    _say("", console)
    table = _table("model", "cost", "std. error", "above least", "std. error")
    for name, *row in costs.itertuples():
        table.add_row(escape(str(name)), *(f"{value:.4f}" for value in row))
    console.print(table)
    _say(
        f"Least cost of mistakes on objects held out: {costs.index[0]}\n"
        "The models did not know of these costs when they were fitted.",
        console,
    )


def _draw(comparison: Comparison, path: Path, messages: Console, console: Console) -> None:
    try:
        figure = model_front(comparison).get_figure(root=True)
    except ValueError as error:
        messages.print(f"No picture: {error}", highlight=False, markup=False)
        return
    assert figure is not None
    figure.savefig(path, dpi=150)
    console.print(f"Picture: {path}", highlight=False, markup=False, soft_wrap=True)


def _say(line: str, console: Console) -> None:
    console.print(line, highlight=False, markup=False)


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column(first)
    for other in others:
        table.add_column(other, justify="right", no_wrap=True)
    return table
