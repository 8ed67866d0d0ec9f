"""`moselect select`: from a run folder and costs to one model, and the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from moselect import __version__
from moselect.datasets import load_dataset
from moselect.decision import Loss
from moselect.models import class_scores
from moselect.plots import OBJECTIVE_NAMES
from moselect.search import ParetoSearch, SelectionReport
from moselect.storage import check_data, read_run, write_model

WIDTH = NormalDist().inv_cdf(0.975)  # standard errors on either side of a 95 % interval


def run_select(
    path: Path,
    data: str | None,
    class_costs: list[float] | None,
    loss: Loss,
    costs_file: Path | None,
    priors: list[float] | None,
    out: Path,
    console: Console,
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
    _print_costs(report, console)
    _print_confusion(report, console)
    _print_place(report, console)
    console.print("The class of an object by its score, the weighted sum of its features:")
    for label, scores in zip(model.classes_, class_scores(model), strict=True):
        console.print(f"  {label}: {scores}", highlight=False, markup=False, soft_wrap=True)
    console.print(f"Model: {out}", highlight=False, markup=False, soft_wrap=True)


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


def _print_costs(report: SelectionReport, console: Console) -> None:
    table = _table("expected cost", "training", "cross-fitted", "95 % interval")
    for name, row in report.costs.iterrows():
        cost, error = row["cross-fitted"], row["standard error"]
        if np.isnan(cost):
            cells = ("not known", "")
        else:
            low, high = max(0.0, cost - WIDTH * error), cost + WIDTH * error
            cells = (f"{cost:.4g}", f"{low:.4g} to {high:.4g}")
        style = "bold" if name == "selected" else ""
        table.add_row(str(name), f"{row['training']:.4g}", *cells, style=style)
    console.print(table)
    console.print(
        "Cross-fitted: each object is judged by a model that was fitted without it.\n",
        highlight=False,
    )


def _print_confusion(report: SelectionReport, console: Console) -> None:
    table = _table("true class", *(f"as {escape(str(label))}" for label in report.confusion))
    for label, counts in report.confusion.iterrows():
        table.add_row(escape(str(label)), *map(str, counts))
    console.print(table)
    console.print("Objects, cross-fitted, by the selected model.\n", highlight=False)


def _print_place(report: SelectionReport, console: Console) -> None:
    names = (OBJECTIVE_NAMES[str(name)].short for name in report.objectives)
    table = _table("selected model", *names)
    for name, values in report.objectives.iterrows():
        table.add_row(str(name), *(f"{value:.4f}" for value in values))
    console.print(table)
    better = report.n_dominating
    where = (
        "No model of the front is as good in all of them."
        if better == 0
        else f"{better} of the front's models are at least as good in all of them, in training."
    )
    console.print(f"{where}\n", highlight=False)


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(first)
    for other in others:
        table.add_column(other, justify="right")
    return table
