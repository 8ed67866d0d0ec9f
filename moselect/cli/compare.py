"""`moselect compare`: fit with a progress bar, keep each model as it ends, and print tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from moselect import __version__
from moselect.cli.pictures import save_figure
from moselect.cli.terminal import Terminal, in_one_line
from moselect.columns.steps import steps_of
from moselect.comparison import Comparison, compare, fit_model
from moselect.comparison.costs import cost_verdict, simplest_verdict
from moselect.comparison.text import (
    footnotes,
    in_order,
    legend,
    measures_table,
    p_text,
    seconds,
    short_measure,
)
from moselect.datasets import Dataset
from moselect.models import OrdinalLinearClassifier, OrdinalPool
from moselect.plots import model_front
from moselect.storage import write_comparison, write_model
from moselect.storage.atomic import check_file_path

PICTURES: dict[str, Callable[[Comparison], Any]] = {".png": model_front}


def run_compare(
    dataset: Dataset,
    names: Sequence[str],
    settings: dict[str, Any],
    out: Path | None,
    save_best: Path | None,
    terminal: Terminal,
) -> None:
    """Compare the named models; ``settings`` are those of `moselect.compare`."""
    pictures = [] if out is None else [out.with_name(out.stem + end) for end in PICTURES]
    for picture in pictures:
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
            names, dataset.X, dataset.y, labels=dataset.labels, report=report, **settings
        )
    if comparison.interrupted:
        terminal.say("Interrupted.")
    (_print_json if terminal.json else _print_tables)(comparison, terminal)
    if len(comparison.failures) == len(comparison.results):
        raise ValueError("every model failed, for the reasons above")
    for picture, draw in zip(pictures, PICTURES.values(), strict=False):
        try:
            save_figure(draw(comparison).figure, picture)
        except ValueError as error:
            terminal.say(f"No picture: {error}")
    if lost:
        raise lost[-1]
    if save_best is not None:
        terminal.say(_save_winner(comparison, dataset, save_best))


def _print_tables(comparison: Comparison, terminal: Terminal) -> None:
    """Print measures, the models that are not dominated, and what models cost."""
    _print_table(measures_table(comparison).drop(columns="fit s"), terminal)
    terminal.results.print(f"{legend(comparison)}; seed {comparison.random_state}")
    for line in footnotes(comparison):
        terminal.results.print(in_one_line(line))
    names = ", ".join(short_measure(name) for name in comparison.measures)
    terminal.results.print(f"Not dominated in {names}: {', '.join(comparison.front()) or 'none'}\n")
    if len(comparison.failures) == len(comparison.results):
        return
    costs = comparison.costs()
    marks = costs["significant"].map({True: "*", False: " "})
    table = pd.DataFrame(
        {
            "cost": costs["cost"].map("{:.4f}".format),
            "above least": costs["above least"].map("{:.4f}".format) + marks,
            "p": costs["p adjusted"].map(p_text),
            "terms": costs["terms"].map("{:g}".format).replace("nan", "none"),
            "fit s": costs["seconds"].map(seconds),
            "decision": costs["decision"],
        }
    )
    _print_table(table.rename_axis(None), terminal)
    unit = "" if comparison.fitted_for else " (no costs given: its distance in classes)"
    terminal.results.print(
        f"Cost of a row on new data{unit}, held out. *: significantly above the least, p < 0.05.\n"
    )
    simplest = f" {simplest_verdict(costs)}." if len(costs) > 1 else ""
    terminal.results.print(f"{cost_verdict(costs)}.{simplest}")


def _print_table(table: pd.DataFrame, terminal: Terminal) -> None:
    terminal.results.print(table.to_string(line_width=terminal.results.width), soft_wrap=True)


def _print_json(comparison: Comparison, terminal: Terminal) -> None:
    """Print all that the tables say, more digits, and tests."""
    table = comparison.table
    working = len(comparison.failures) < len(comparison.results)
    costs = comparison.costs() if working else None
    tested = [m for m in comparison.measures if table[m, "mean"].count() > 1]
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
            "tests": {m: comparison.test(m).to_dict("index") for m in tested},
            "costs": None if costs is None else costs.to_dict("index"),
            "verdict": None if costs is None else cost_verdict(costs),
        }
    )


def _save_winner(comparison: Comparison, dataset: Dataset, path: Path) -> str:
    """Fit the winner to all rows and write it to a new file; returns what is to be said of it.

    The winner is the model of least cost; without costs, that of the best mean rank. Models that
    are neither linear rules nor pools are objects of scikit-learn, which no safe file can hold.
    """
    costs = comparison.fitted_for
    name = in_order(comparison)[0] if costs is None else comparison.best_for()
    model = fit_model(name, dataset.X, dataset.y, costs=costs, random_state=comparison.random_state)
    data = {"name": dataset.name, "target": dataset.target, "fingerprint": dataset.fingerprint}
    about: dict[str, Any] = {"data": data, "model": name, "moselect": __version__}
    matrix = None
    if costs is not None:
        matrix = costs.matrix(len(comparison.classes))
        figures = comparison.costs()[["cost", "standard error"]].astype(float).to_dict("index")
        about["expected_cost"] = figures[name]["cost"]
        about["standard_error"] = figures[name]["standard error"]
    *before, last = steps_of(model)
    if isinstance(last, OrdinalPool):
        path = path.with_suffix(".skops")
        prepared = before[0] if before else None
        write_model(path, last, about, preparation=prepared, cost_matrix=matrix, overwrite=False)
        return f"Written: {path}"
    rule = getattr(model, "model_", None)
    if not isinstance(rule, OrdinalLinearClassifier):
        return (
            f"Not saved: {name} is neither a linear rule nor a pool, and only these can be written "
            "to a file; fit it in Python: moselect.comparison.fit_model."
        )
    write_model(path, rule, about | {"cost_matrix": matrix}, overwrite=False)
    return f"Written: {path}"
