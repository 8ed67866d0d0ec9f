"""`moselect select`: from a run folder and costs to one model, and the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from moselect import __version__
from moselect.cli.terminal import Terminal, in_one_line, short
from moselect.datasets import TrainingData, load_dataset
from moselect.decision import Costs, LinearRuleFitter, Loss
from moselect.front import Evidence, SelectedClassifier, select, split_holdout
from moselect.models import class_scores
from moselect.plots import OBJECTIVE_NAMES
from moselect.search import ParetoSearch, search_folds
from moselect.storage import check_data, check_file_path, read_run, write_model

WIDTH = NormalDist().inv_cdf(0.975)  # standard errors on either side of a 95 % interval


def run_select(
    path: Path,
    data: str | None,
    class_costs: list[float] | None,
    loss: Loss,
    costs_file: Path | None,
    priors: list[float] | None,
    out: Path,
    force: bool,
    terminal: Terminal,
) -> None:
    """Do the whole job of `moselect select`."""
    if (class_costs is None) == (costs_file is None):
        raise ValueError(
            "say what mistakes cost, by either --class-costs (such as 1,1,5: a cost for each "
            "class, lowest first) or --cost-matrix FILE"
        )
    check_file_path(out, replace=force)
    run = read_run(path)
    for option, given in (("--class-costs", class_costs), ("--priors", priors)):
        if given is not None and len(given) != len(run.front.classes):
            raise ValueError(
                f"{option} has {len(given)} numbers, but there are {len(run.front.classes)} "
                f"classes: {', '.join(in_one_line(str(label)) for label in run.front.classes)}"
            )
    loaded_by = dict(run.record["data"]["loaded_by"])
    if data is not None:
        loaded_by["source"] = data
    try:
        dataset = load_dataset(**loaded_by)
    except ValueError as error:
        raise ValueError(f"{error}; if the data have moved, say where: --data") from error
    check_data(run.record, dataset)
    matrix = None if costs_file is None else read_costs(costs_file)
    costs = Costs(class_costs, loss, matrix, priors)
    search = ParetoSearch(**run.record["settings"])
    samples = TrainingData.from_table(dataset.X, dataset.y, dataset.labels)
    kept, _ = split_holdout(samples, search.holdout, np.random.default_rng(search.random_state))
    training = samples.take(kept)
    folds = LinearRuleFitter(training.X, training.codes, training.n_classes).folds
    model = select(run.front, training, costs, search_folds(search, training, folds))
    report = model.evidence
    assert report is not None  # a selected model has some
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
    report: Evidence, record: Mapping[str, Any], priors: list[float] | None
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


def _print_json(model: SelectedClassifier, report: Evidence, out: Path, terminal: Terminal) -> None:
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


def _print_costs(report: Evidence, terminal: Terminal) -> None:
    table = terminal.table("expected cost", "training", "cross-validated", "95 % interval")
    for name, row in report.costs.iterrows():
        cost, error = row["cross-validated"], row["standard error"]
        if np.isnan(cost):
            cells = ("not known", "")
        else:
            low, high = max(0.0, cost - WIDTH * error), cost + WIDTH * error
            cells = (f"{cost:.4g}", f"{low:.4g} to {high:.4g}")
        style = "bold" if name == "selected" else ""
        table.add_row(str(name), f"{row['training']:.4g}", *cells, style=style)
    terminal.results.print(table)
    terminal.results.print(
        "Cross-validated: each row is judged by a model that was fitted without it.\n"
    )


def _print_confusion(report: Evidence, terminal: Terminal) -> None:
    """Show the confusion matrix: columns have names, or numbers, or, with many classes, lines."""
    names = [short(label) for label in report.confusion]
    counts = report.confusion.to_numpy()
    headings = [f"as {name}" for name in names]
    if not _fits(names, headings, terminal):
        headings = [f"as {k}" for k in range(1, len(names) + 1)]
        names = [f"{k} {name}" for k, name in enumerate(names, start=1)]
    if _fits(names, headings, terminal):
        table = terminal.table("true class", *headings)
        for name, row in zip(names, counts, strict=True):
            table.add_row(name, *map(str, row))
        terminal.results.print(table)
    else:
        terminal.results.print("True class: predicted classes", style="bold")
        for name, row in zip(names, counts, strict=True):
            given = [f"{n} {what}" for n, what in zip(row, headings, strict=True) if n]
            terminal.results.print(f"{name}: {', '.join(given)}")
    terminal.results.print("Rows, cross-validated, by the selected model.\n")


def _fits(names: list[str], headings: list[str], terminal: Terminal) -> bool:
    first = max(map(len, ["true class", *names]))
    return first + sum(len("  ") + len(heading) for heading in headings) <= terminal.results.width


def _print_place(report: Evidence, terminal: Terminal) -> None:
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
    for label, scores in zip(model.classes_, class_scores(model), strict=True):
        terminal.results.print(f"  {in_one_line(str(label))}: {scores}")
    terminal.results.print(f"Model: {out}", soft_wrap=True)
