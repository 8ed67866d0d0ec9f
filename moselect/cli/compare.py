"""`moselect compare`: fit with a progress bar, keep each model as it ends, and print tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from moselect import __version__
from moselect.cli.commands.report import save_figure
from moselect.cli.terminal import Terminal, decimals_of
from moselect.comparison import Comparison, compare, fit_model
from moselect.comparison.costs import behind_words, cost_verdict
from moselect.datasets import Dataset
from moselect.decision.costs import as_costs
from moselect.listing import in_one_line
from moselect.models.finished import finished
from moselect.plots import model_front
from moselect.storage import write_comparison, write_model
from moselect.storage.atomic import check_file_path
from moselect.storage.model_file import suffix_of

MOST_ROWS, MOST_NOTES = 14, 3
HEADINGS = ("decides", "VUS", "terms")
NOT_KEPT = 3  # exit code
HELD_BY_FILES = (
    *("proportional_odds", "gaussian_process", "curves", "points", "pool", "linear"),
    "pareto_search",
)


def run_compare(
    dataset: Dataset,
    names: Sequence[str],
    settings: dict[str, Any],
    out: Path | None,
    save_best: Path | None,
    terminal: Terminal,
) -> None:
    """Compare the named models; ``settings`` are those of `moselect.compare`."""
    picture = None if out is None else out.with_name(f"{out.stem}.png")
    if picture is not None:
        check_file_path(picture, replace=False)
    lost: list[OSError] = []
    bar = terminal.progress("{task.completed} of {task.total} models, {task.fields[fitting]}")

    def report(comparison: Comparison) -> None:
        n_done = len(comparison.results)
        fitting = f"fitting {names[n_done]}" if n_done < len(names) else "done"
        bar.update(task, completed=n_done, fitting=fitting)
        if out is None or n_done == 0:
            return
        try:
            write_comparison(out, comparison, overwrite=n_done > 1)
        except OSError as error:  # the other models are fitted and printed all the same
            lost.append(error)

    with bar:
        task = bar.add_task("", total=len(names), fitting="")
        comparison = compare(
            names,
            dataset.X,
            dataset.y,
            labels=dataset.labels,
            report=report,
            **dataset.roles,
            **settings,
        )
    if comparison.interrupted:
        terminal.say("Interrupted.")
    (_print_json if terminal.json else _print_table)(comparison, terminal)
    if len(comparison.failures) == len(comparison.results):
        raise ValueError("every model failed, for the reasons above")
    if picture is not None:
        try:
            save_figure(model_front(comparison).figure, picture)
        except ValueError as error:
            terminal.say(f"No picture: {error}")
    if lost:
        raise lost[-1]
    if save_best is None:
        return
    try:
        path = _save_winner(comparison, dataset, save_best, settings.get("prepare", True))
    except TypeError:
        terminal.say(
            f"Not saved: {comparison.best_for()} is no sum of terms and no pool; as a kind of "
            "model it is kept by moselect select RUN --models."
        )
        raise SystemExit(NOT_KEPT) from None
    terminal.say(f"Written: {path}")


def _print_table(comparison: Comparison, terminal: Terminal) -> None:
    """Print what models cost, cheapest first, and how to keep the cheapest."""
    told = [in_one_line(line) for line in comparison.notes]
    if len(comparison.failures) == len(comparison.results):
        terminal.results.print("\n".join(told))
        return
    costs = comparison.costs()
    shown, others = costs[:MOST_ROWS], costs.index[MOST_ROWS:]
    vus = comparison.measured(["vus"])["vus", "mean"]
    decimals = decimals_of(shown["standard error"])
    table = terminal.table("cost of a row", "on new data", "beside the best", *HEADINGS)
    for (name, row), score in zip(shown.iterrows(), vus[shown.index], strict=True):
        table.add_row(
            str(name),
            f"{row['cost']:.{decimals}f} ± {row['standard error']:.{decimals}f}",
            "" if name == costs.index[0] else behind_words(row),
            row["decision"],
            f"{score:.2f}" if score == score else "",
            f"{row['terms']:g}" if row["terms"] == row["terms"] else "",
        )
    terminal.results.print(table)
    if len(others):
        terminal.results.print(f"Dearer: {', '.join(others)}.")
    unit = "By the given costs" if comparison.fitted_for else "A mistake costs its distance"
    n_folds, seed = len(comparison.folds), comparison.random_state
    terminal.results.print(
        f"{unit}; {n_folds} folds, seed {seed}. Models are fitted for the costs, decide by their "
        "probabilities (plug-in), or are taken as they are."
    )
    for line in told[:MOST_NOTES]:
        terminal.results.print(line)
    terminal.results.print(f"{cost_verdict(costs)}.")
    winner = str(costs.index[0])
    if winner in HELD_BY_FILES:
        terminal.results.print(
            f"To keep it: the same with --models {winner} --save-best model.json"
        )


def _print_json(comparison: Comparison, terminal: Terminal) -> None:
    """Print all that the tables say, and more digits."""
    table = comparison.table
    working = len(comparison.failures) < len(comparison.results)
    costs = comparison.costs() if working else None
    terminal.print_json(
        {
            "classes": comparison.classes,
            "n_samples": len(comparison.codes),
            "n_folds": len(comparison.folds),
            "random_state": comparison.random_state,
            "fingerprint": comparison.fingerprint,
            "models": {
                name: {
                    "estimator": result.description,
                    "failure": result.failure,
                    "warnings": comparison.warnings.get(name, {}),
                    "measures": {m: table[m].loc[name].to_dict() for m in comparison.measures},
                    "seconds": table["seconds"].loc[name].to_dict(),
                }
                for name, result in comparison.results.items()
            },
            "front": comparison.front(),
            "costs": None if costs is None else costs.to_dict("index"),
            "verdict": None if costs is None else cost_verdict(costs),
        }
    )


def _save_winner(comparison: Comparison, dataset: Dataset, path: Path, prepare: Any) -> Path:
    """Fit the cheapest model to all rows and write it to a file; TypeError if none can hold it."""
    costs = comparison.costs()
    name = str(costs.index[0])
    stated = comparison.fitted_for
    model = fit_model(
        name,
        dataset.X,
        dataset.y,
        **{role: dataset.roles[role] for role in dataset.roles if role != "times"},
        costs=stated,
        prepare=prepare,
        random_state=comparison.random_state,
    )
    data = {"name": dataset.name, "target": dataset.target, "fingerprint": dataset.fingerprint}
    about: dict[str, Any] = {"data": data, "model": name, "moselect": __version__}
    figures = costs[["cost", "standard error"]].astype(float).to_dict("index")[name]
    about |= {"expected_cost": figures["cost"], "standard_error": figures["standard error"]}
    matrix = as_costs(stated).matrix(len(comparison.classes))
    found = finished(model, dataset.X, matrix)
    path = path if suffix_of(found) == ".json" else path.with_suffix(".skops")
    write_model(path, found, about | {"cost_matrix": matrix}, overwrite=False)
    return path
