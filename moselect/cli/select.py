"""`moselect select`: from a run folder and costs to one model, and the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from moselect import __version__
from moselect.cli.terminal import Terminal, in_one_line, short
from moselect.datasets import load_dataset
from moselect.decision import Loss
from moselect.plots import OBJECTIVE_NAMES
from moselect.search import ParetoSearch, SelectedClassifier, SelectionReport
from moselect.storage import check_data, read_run, write_model

SHORTEST_NAME = 4  # of a class, at the top of a column
WIDTH = NormalDist().inv_cdf(0.975)  # standard errors on either side of a 95 % interval


def run_select(
    path: Path,
    data: str | None,
    class_costs: list[float] | None,
    loss: Loss,
    costs_file: Path | None,
    priors: list[float] | None,
    out: Path,
    terminal: Terminal,
) -> None:
    """Do the whole job of `moselect select`."""
    run = read_run(path)
    loaded_by = dict(run.record["data"]["loaded_by"])
    if data is not None:
        loaded_by["source"] = data
    dataset = load_dataset(**loaded_by)
    check_data(run.record, dataset)
    costs = None if costs_file is None else read_costs(costs_file)
    search = ParetoSearch(**{**run.record["settings"], "labels": dataset.labels})
    search.adopt(run.front, dataset.X, dataset.y)
    model = search.select(class_costs, loss, cost_matrix=costs, priors=priors)
    report = model.report
    assert report is not None  # a selected model has one
    write_model(out, model, _about(report, run.record, priors))
    if terminal.json:
        _print_json(model, report, out, terminal)
    else:
        _print_costs(report, terminal)
        _print_confusion(report, terminal)
        _print_place(report, terminal)
        _print_rule(model, out, terminal)


def read_costs(path: Path) -> np.ndarray:
    """Read a cost matrix: r lines of r numbers, true classes down, predicted ones across."""
    try:
        return np.loadtxt(path, delimiter=",", ndmin=2, comments=None)
    except OSError as error:
        raise ValueError(f"cannot read the costs '{path}': {error.strerror}") from None
    except ValueError:
        raise ValueError(
            f"'{path}' is no cost matrix: give r lines of r numbers with commas between them, "
            "no heading; true classes down, predicted ones across"
        ) from None


def _about(
    report: SelectionReport, record: Mapping[str, Any], priors: list[float] | None
) -> dict[str, Any]:
    """Give what a model's file is to say about it."""
    _, cost, error = map(float, report.costs.loc["selected"])
    return {
        "data": {name: record["data"][name] for name in ("name", "target", "fingerprint")},
        "cost_matrix": report.cost_matrix.tolist(),
        "priors": priors,
        "expected_cost": cost,
        "standard_error": error,
        "moselect": __version__,
    }


def _print_json(
    model: SelectedClassifier, report: SelectionReport, out: Path, terminal: Terminal
) -> None:
    terminal.print_json(
        {
            "model": str(out),
            "classes": model.classes_,
            "thresholds": model.thresholds_,
            "cost_matrix": report.cost_matrix,
            "costs": report.costs.to_dict("index"),
            "confusion": report.confusion.to_numpy(),
            "objectives": report.objectives.to_dict("index"),
            "n_dominating": report.n_dominating,
        }
    )


def _print_costs(report: SelectionReport, terminal: Terminal) -> None:
    table = terminal.table("expected cost", "training", "cross-fitted", "95 % interval")
    for name, row in report.costs.iterrows():
        cost, error = row["cross-fitted"], row["standard error"]
        if np.isnan(cost):
            cells = ("not known", "")
        else:
            low, high = max(0.0, cost - WIDTH * error), cost + WIDTH * error
            cells = (f"{cost:.4g}", f"{low:.4g} to {high:.4g}")
        style = "bold" if name == "selected" else ""
        table.add_row(str(name), f"{row['training']:.4g}", *cells, style=style)
    terminal.results.print(table)
    terminal.results.print(
        "Cross-fitted: each object is judged by a model that was fitted without it.\n"
    )


def _print_confusion(report: SelectionReport, terminal: Terminal) -> None:
    counts, labels = report.confusion, list(report.confusion)
    digits = len(str(counts.to_numpy().max()))
    first = max(len("true class"), *(len(short(label)) for label in labels))
    room = (terminal.results.width - first) // len(labels) - len("  ")  # in each column
    if room < max(digits, SHORTEST_NAME):
        for label, row in counts.iterrows():
            told = ", ".join(f"{n} as {short(name)}" for name, n in row.items() if n)
            terminal.results.print(f"{short(label)}: {told}")
    else:
        prefix = "as " if room >= len("as ") + max(len(short(label)) for label in labels) else ""
        table = terminal.table(
            "true class", *(prefix + short(label, room - len(prefix)) for label in labels)
        )
        for label, row in counts.iterrows():
            table.add_row(short(label), *map(str, row))
        terminal.results.print(table)
    terminal.results.print("Objects, cross-fitted, by the selected model.\n")


def _print_place(report: SelectionReport, terminal: Terminal) -> None:
    names = (OBJECTIVE_NAMES[str(name)].short for name in report.objectives)
    table = terminal.table("selected model", *names)
    for name, values in report.objectives.iterrows():
        table.add_row(str(name), *map(terminal.number, values))
    terminal.results.print(table)
    better = report.n_dominating
    where = (
        "No model of the front is as good in all of them."
        if better == 0
        else f"{better} of the front's models are at least as good in all of them, in training."
    )
    terminal.results.print(f"{where}\n")


def _print_rule(model: SelectedClassifier, out: Path, terminal: Terminal) -> None:
    """Say which scores mean which class, and where the model is."""
    terminal.results.print("The class of an object by its score, the weighted sum of its features:")
    ends = [-np.inf, *model.thresholds_, np.inf]
    for label, low, high in zip(model.classes_, ends, ends[1:], strict=False):
        if low == high:
            scores = "never"
        elif low == -np.inf:
            scores = f"up to {high:.6g}"
        elif high == np.inf:
            scores = f"above {low:.6g}"
        else:
            scores = f"above {low:.6g}, up to {high:.6g}"
        terminal.results.print(f"  {in_one_line(str(label))}: {scores}", soft_wrap=True)
    terminal.results.print(f"Model: {out}", soft_wrap=True)
