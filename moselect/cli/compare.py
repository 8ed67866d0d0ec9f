"""`moselect compare`: fit with a progress bar, keep each model as it ends, and print tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from moselect.cli.compare_tables import print_comparison, print_comparison_json
from moselect.cli.compare_winner import check_winner_path, save_winner
from moselect.cli.terminal import Terminal
from moselect.comparison import DEFAULT_MODELS, Comparison, compare
from moselect.datasets import Dataset, load_dataset
from moselect.decision import Costs
from moselect.plots import cost_over_complexity, model_front
from moselect.storage import read_cost_matrix
from moselect.storage.atomic import check_file_path, replacing
from moselect.storage.comparison_file import append_comparison


def run_compare(
    data: str | None,
    source: dict[str, Any],
    settings: dict[str, Any],
    class_costs: list[float] | None,
    cost_matrix: Path | None,
    out: Path | None,
    save_best: Path | None,
    terminal: Terminal,
) -> None:
    """Do the whole job of `moselect compare`; ``settings`` are those of `compare_with_progress`."""
    if data is None:
        raise ValueError(
            "say what to compare on: a CSV or Parquet file, or a name that moselect datasets lists"
        )
    if save_best is not None:
        check_winner_path(save_best)
    if out is not None:
        _check_new(out)
    dataset = load_dataset(data, **source)
    costs = _costs(class_costs, cost_matrix, dataset.labels)
    lost: list[OSError] = []

    def keep(comparison: Comparison) -> None:
        try:
            if out is not None and not lost:
                append_comparison(out, comparison)
        except OSError as error:
            if not comparison.results:
                raise
            lost.append(error)  # the other models are fitted and printed all the same

    try:
        comparison = compare_with_progress(dataset, terminal, costs=costs, keep=keep, **settings)
    except KeyboardInterrupt:  # before any model was done
        if out is not None:
            out.unlink(missing_ok=True)
        raise
    fitted = len(comparison.failures) < len(comparison.results)
    written = [out] if out is not None and not lost and fitted else []
    if out is not None and not fitted:
        out.unlink()
    try:
        if out in written:
            written += _draw(comparison, out, terminal)
        if save_best is not None and fitted:
            saved = save_winner(comparison, dataset, save_best)
            if isinstance(saved, str):
                terminal.say(f"{saved[0].upper()}{saved[1:]}.")
            else:
                written.append(saved)
    finally:  # what cannot be kept is printed all the same
        _show(comparison, written, terminal)
    if not fitted:
        raise ValueError("every model failed, for the reasons above: nothing was kept")
    if lost:
        raise lost[0]


def compare_with_progress(
    dataset: Dataset,
    terminal: Terminal,
    *,
    models: Sequence[str] | None = None,
    keep: Callable[[Comparison], None] | None = None,
    **settings: Any,
) -> Comparison:
    """Return what `compare` gives with these settings; a bar names the model that is fitted."""
    names = models or DEFAULT_MODELS
    bar = terminal.progress("{task.completed} of {task.total} models, {task.fields[fitting]}")

    def report(comparison: Comparison) -> None:
        n_done = len(comparison.results)
        fitting = f"fitting {names[n_done]}" if n_done < len(names) else "done"
        bar.update(task, completed=n_done, fitting=fitting)
        if keep is not None:
            keep(comparison)

    with bar:
        task = bar.add_task("", total=len(names), fitting="")
        return compare(
            names, dataset.X, dataset.y, labels=dataset.labels, report=report, **settings
        )


def _costs(
    class_costs: list[float] | None, cost_matrix: Path | None, labels: Sequence[Any]
) -> Costs | None:
    if class_costs is not None and cost_matrix is not None:
        raise ValueError("give one of --class-costs and --cost-matrix")
    if cost_matrix is not None:
        return Costs(cost_matrix=read_cost_matrix(cost_matrix, labels))
    return None if class_costs is None else Costs(class_costs)


def _show(comparison: Comparison, written: list[Path], terminal: Terminal) -> None:
    if comparison.interrupted:
        terminal.say("Interrupted.")
    if terminal.json:
        print_comparison_json(comparison, written, terminal)
        return
    print_comparison(comparison, terminal)
    for path in written:
        terminal.say(f"Written: {path}")


def _check_new(out: Path) -> None:
    check_file_path(out)
    for path in (out, *_pictures_of(out)):
        if path.exists():
            raise ValueError(f"'{path}' exists already: name another file (--out)")


def _draw(comparison: Comparison, out: Path, terminal: Terminal) -> list[Path]:
    """Write pictures beside a comparison, if there is something to draw."""
    written = []
    for picture, draw in _pictures_of(out).items():
        try:
            figure = draw(comparison).get_figure(root=True)
        except ValueError as error:
            terminal.say(f"No picture: {error}")
            continue
        assert figure is not None
        with replacing(picture) as file:
            figure.savefig(file, format="png", dpi=150)
        plt.close(figure)
        written.append(picture)
    return written


def _pictures_of(out: Path) -> dict[Path, Callable[[Comparison], Axes]]:
    """Return the pictures that belong to a comparison, none of them the comparison's own path."""
    base = out.with_name(f"{out.name}.png") if out.suffix.lower() == ".png" else out
    return {
        base.with_suffix(".png"): model_front,
        base.with_name(f"{base.stem}-complexity.png"): cost_over_complexity,
    }
