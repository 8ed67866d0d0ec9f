"""What a search found, in a table and in words."""

from __future__ import annotations

import shlex
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from moselect.cli.terminal import Terminal
from moselect.front import Front
from moselect.metrics.objectives import ALL_OBJECTIVES, Objective
from moselect.storage import Run

MOST_MODELS = 4
MODEL_WIDTH = 18  # of its column in a table, after those of the names and chance
FIRST_WIDTH = 17
LEAST_SHOWN = 0.005  # figures have two digits
OVERFITTED = 0.5  # share of a gain above chance whose loss on new data is warned of


def print_summary(run: Run, terminal: Terminal) -> None:
    """Print a handful of models of a run that differ, and how to take one."""
    front, record = run.front, run.record
    objectives = _shown_objectives(front)
    found = outstanding(front)
    room = max(1, (terminal.results.width - FIRST_WIDTH) // MODEL_WIDTH)
    models = dict(islice(found.items(), room))
    table = terminal.table("", "chance", *(f"model {i}" for i in models))
    for objective in objectives:
        cells = (_cell(front, objective.name, i) for i in models)
        table.add_row(objective.label, f"{front.chance[objective.name]:.3f}", *cells)
    terminal.results.print(table)
    terminal.results.print(f"{_legend(front)}\n")
    for i, reasons in models.items():
        terminal.results.print(f"model {i}: {', '.join(reasons)}")
    for objective in objectives:
        terminal.results.print(f"{objective.label}: {objective.meaning}", style="dim")
    if len(found) == 1:
        terminal.results.print("The other models cannot be told apart from it on new data.")
    for warning in overfitting(front):
        terminal.warn(warning)
    terminal.results.print(
        f"\n{len(front):,} model{'s' * (len(front) > 1)} from {record['n_evaluations']:,} "
        f"evaluations in {record['seconds']:.1f} s (seed {record['settings']['random_state']}; "
        f"hypervolume above chance {record['hypervolume_above_chance']:.4f})"
    )
    terminal.results.print(f"Run folder: {run.path}", soft_wrap=True)
    select = f"moselect select {shlex.quote(str(run.path))}"
    preference = ",".join(f"{one.name}={k}" for k, one in enumerate(objectives[:2], start=1))
    terminal.results.print("Choose a model for new data, by preference or for costs of mistakes:")
    for option in (f"--prefer {preference}", f"--class-costs {','.join('1' * len(front.classes))}"):
        terminal.results.print(f"  {select} {option}", soft_wrap=True)


def print_summary_json(run: Run, terminal: Terminal) -> None:
    """Print the record of a run, with its folder and the models of the summary."""
    front = run.front
    figures = {
        "training": front.objectives,
        "expected": front.expected,
        "expected_se": front.expected_se,
        "holdout": front.holdout,
    }
    models = [
        {"model": i, "best": reasons}
        | {
            name: None if table is None else table.iloc[i].to_dict()
            for name, table in figures.items()
        }
        for i, reasons in outstanding(front).items()
    ]
    terminal.print_json(
        {"run": str(run.path), **run.record, "models": models, "warnings": overfitting(front)}
    )


def outstanding(front: Front) -> dict[int, list[str]]:
    """Return the indices of a handful of models, the best choice first, and what each is best in.

    A model that is best in one objective stands for itself only if that can be told apart on new
    data from what the models before it reach there.
    """
    first = front.balanced()
    models = {first: ["balanced: the best choice if nothing is known of costs or preferences"]}
    indistinguishable = []
    for objective in _shown_objectives(front):
        name = objective.name
        index = front.best(name)
        if index in models:
            models[index].append(f"best {objective.label}")
        elif len(models) < MOST_MODELS and _differs(front, name, index, list(models)):
            models[index] = [f"best {objective.label}"]
        else:
            indistinguishable.append(objective.label)
    if indistinguishable:
        models[first].append(f"as good as the best in {', '.join(indistinguishable)} within noise")
    return models


def overfitting(front: Front) -> list[str]:
    """Return warnings of objectives in which most of the gain is lost on new data."""
    if front.expected is None:
        return []
    warnings = []
    for objective in _shown_objectives(front):
        i = front.best(objective.name)
        chance = front.chance[objective.name]
        training = front.objectives[objective.name].iloc[i]
        expected = front.expected[objective.name].iloc[i]
        lost = training - expected
        if lost >= LEAST_SHOWN and lost > OVERFITTED * (training - chance):
            warnings.append(
                f"overfitted: {objective.label} is {training:.2f} in training, but {expected:.2f} "
                f"is to be expected on new data (chance: {chance:.2f}): take more rows or fewer "
                "features, or trust select, which is fitted for new data"
            )
    return warnings


def _shown_objectives(front: Front) -> list[Objective]:
    """Return the objectives of a front; with two classes, one of each kind, for the rest agree."""
    shown = [one for one in ALL_OBJECTIVES if one.name in front.objectives]
    if len(front.classes) > 2:
        return shown
    kinds = {one.of_classes: one for one in reversed(shown)}
    return [one for one in shown if kinds[one.of_classes] is one]


def _differs(front: Front, name: str, index: int, others: list[int]) -> bool:
    """Return whether a model is better than others in an objective by more than its noise."""
    if front.expected is None or front.expected_se is None:
        return True
    values = front.expected[name]
    error = front.expected_se[name].iloc[index]
    return bool(np.isnan(error) or values.iloc[index] - values.iloc[others].max() > error)


def _cell(front: Front, name: str, i: int) -> str:
    training = f"{front.objectives[name].iloc[i]:.2f}"
    if front.holdout is not None:
        return f"{training} -> {front.holdout[name].iloc[i]:.2f}"
    expected = _at(front.expected, name, i)
    if np.isnan(expected):
        return training
    error = f"{_at(front.expected_se, name, i):.2f}".removeprefix("0")
    return f"{training} -> {expected:.2f}±{error}"


def _legend(front: Front) -> str:
    if front.holdout is not None:
        return "training -> held-out rows, which the search did not see"
    if front.expected is None or front.fold_fronts is None:
        return "training only: nothing was estimated for new data (--folds 5 or --holdout 0.3)"
    return (
        f"training -> expected on new data ± standard error (search repeated in "
        f"{len(front.fold_fronts)} folds)"
    )


def _at(table: pd.DataFrame | None, name: str, i: int) -> Any:
    return np.nan if table is None else table[name].iloc[i]
