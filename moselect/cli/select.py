"""`moselect select`: from a run folder to one model, and the evidence for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from moselect import __version__
from moselect.cli.evidence_tables import print_evidence, print_member
from moselect.cli.selected_card import card_of_member, card_of_selected
from moselect.cli.terminal import Terminal, in_one_line
from moselect.datasets import Dataset, load_dataset
from moselect.decision import Costs, Evidence, Loss, SelectedPool
from moselect.export.export_model import check_export, export_model
from moselect.models import ModelCard, OrdinalLinearClassifier
from moselect.models.linear import class_scores
from moselect.storage import (
    Run,
    check_data,
    check_file_path,
    check_model_path,
    read_cost_matrix,
    read_run,
    search_of,
    suffix_of,
    write_cost_template,
    write_model,
    write_pool,
)

LIMIT_NOT_MET = 3  # exit code


@dataclass(frozen=True)
class Asked:
    """What a model was asked for by."""

    class_costs: list[float] | None = None
    loss: Loss | None = None
    costs_file: Path | None = None
    priors: list[float] | None = None
    preferences: dict[str, float] | None = None
    model: int | None = None
    best: str | None = None
    balanced: bool = False
    kind: str | None = None
    limits: dict[str, float] | None = None

    def check(self) -> None:
        """Raise ValueError if it was asked for in more than one way."""
        ways = {
            "--class-costs": self.class_costs is not None,
            "--cost-matrix": self.costs_file is not None,
            "--prefer": self.preferences is not None,
            "--model": self.model is not None,
            "--best": self.best is not None,
            "--balanced": self.balanced,
        }
        given = [option for option, is_given in ways.items() if is_given]
        if len(given) > 1:
            raise ValueError(f"give one of {' and '.join(given)}")
        if self.priors is not None and not (self.class_costs or self.costs_file):
            raise ValueError("--priors needs costs: --class-costs or --cost-matrix")
        if (self.kind or self.limits) and self.is_member:
            raise ValueError("--kind and --limit go with --class-costs, --cost-matrix or --prefer")

    @property
    def ignores_loss(self) -> bool:
        """Whether a loss was given that changes nothing."""
        return self.loss is not None and self.class_costs is None

    @property
    def is_member(self) -> bool:
        """Whether a model of the front is wanted as it is."""
        return self.model is not None or self.best is not None or self.balanced


Model = OrdinalLinearClassifier | SelectedPool


@dataclass(frozen=True)
class Output:
    """Files for the model."""

    model: Path | None  # None: model.json or model.skops
    export: Path | None = None
    table: str = "data"  # in SQL
    force: bool = False

    def path(self, model: Model) -> Path:
        """Return the file for a model."""
        pool = isinstance(model, SelectedPool)
        return self.model or Path("model.skops" if pool else f"model{suffix_of(model)}")

    def check(self, run: Run, asked: Asked) -> None:
        """Raise ValueError if a file cannot be written, before anything is fitted."""
        if not asked.is_member and asked.kind in (None, "cheapest", "simple", "pool"):
            ways = "give --kind linear or --kind curves"
            if self.export is not None:
                raise ValueError(f"a pool of models cannot be exported: {ways}")
            if self.model is not None and self.model.suffix != ".skops":
                raise ValueError(
                    f"'{self.model}': a pool of models is a .skops file: write to "
                    f"'{self.model.with_suffix('.skops')}', or {ways}"
                )
            check_file_path(self.model or Path("model.skops"), replace=self.force)
            return
        model = run.front[0]
        check_file_path(self.path(model), replace=self.force)
        check_model_path(self.path(model), model)
        if self.export is not None:
            check_export(model, self.export, overwrite=self.force)

    def write(self, model: Model, about: dict[str, Any], card: ModelCard | None) -> None:
        """Write the model, and what it is exported to."""
        if isinstance(model, SelectedPool):
            steps = [step for _, step in model.pipeline.steps]
            write_pool(
                self.path(model),
                steps[-1],
                preparation=steps[0] if len(steps) > 1 else None,
                cost_matrix=model.costs,
                about=about,
            )
            return
        if self.export is not None:
            export_model(model, self.export, card=card, table=self.table, overwrite=self.force)
        write_model(self.path(model), model, about, card)


def limits_of(given: list[str] | None) -> dict[str, float]:
    """Read limits, each a mistake and a share; ValueError if one has no share."""
    found = {}
    for text in given or []:
        words, _, share = text.rpartition(":")
        try:
            found[words] = float(share)
        except ValueError:
            raise ValueError(f"--limit {text}: write 'severe<serious:0.2'") from None
    return found


def run_template(path: Path, template: Path, force: bool, terminal: Terminal) -> None:
    """Write a cost matrix to fill in."""
    write_cost_template(read_run(path).front.classes.tolist(), template, overwrite=force)
    terminal.say(
        f"Costs to fill in: {template}\nThen: moselect select {path} --cost-matrix {template}"
    )
    if terminal.json:
        terminal.print_json({"cost_template": str(template)})


def run_select(
    path: Path, data: str | None, asked: Asked, output: Output, terminal: Terminal
) -> None:
    """Do the whole job of `moselect select`."""
    asked.check()
    run = read_run(path)
    output.check(run, asked)
    if asked.ignores_loss:
        terminal.warn("--loss changes nothing here: it says how --class-costs grow")
    if asked.is_member:
        _take_member(run, data, asked, output, terminal)
        return
    costs = _costs(run, asked)
    dataset = data_of(run, data)
    search = search_of(run.record, labels=dataset.labels)
    selector = search.selector(run.front, dataset.X, dataset.y)
    model: Model
    if costs is not None:
        model = selector.for_costs(costs, asked.kind, asked.limits)
    else:
        model = selector.for_preferences(asked.preferences, asked.kind, asked.limits)
    evidence = model.evidence
    assert evidence is not None  # a selected model has some
    card = None
    if isinstance(model, OrdinalLinearClassifier):
        card = card_of_selected(model, evidence, dataset, run.record)
    output.write(model, _about(evidence, run.record, asked.priors), card)
    if terminal.json:
        terminal.print_json({**_files(model, output), **_as_record(model, evidence)})
    else:
        print_evidence(evidence, terminal)
        _print_rule(model, output, terminal)
    if not all(limit.met for limit in evidence.limits):
        raise SystemExit(LIMIT_NOT_MET)


def _costs(run: Run, asked: Asked) -> Costs | None:
    classes = run.front.classes
    for option, given in (("--class-costs", asked.class_costs), ("--priors", asked.priors)):
        if given is not None and len(given) != len(classes):
            raise ValueError(
                f"{option} has {len(given)} numbers, but there are {len(classes)} "
                f"classes: {', '.join(in_one_line(str(label)) for label in classes)}"
            )
    if asked.costs_file is not None:
        return Costs(
            cost_matrix=read_cost_matrix(asked.costs_file, classes.tolist()), priors=asked.priors
        )
    if asked.class_costs is None:
        return None
    return Costs(asked.class_costs, asked.loss or "absolute", priors=asked.priors)


def data_of(run: Run, data: str | None) -> Dataset:
    """Load the data that a run was searched on."""
    loaded_by = dict(run.record["data"]["loaded_by"])
    if data is not None:
        loaded_by["source"] = data
    if loaded_by.get("source") is None:
        raise ValueError(f"'{run.path}' does not say where its data are: say where, --data")
    try:
        dataset = load_dataset(**loaded_by)
    except ValueError as error:
        raise ValueError(f"{error}; if the data have moved, say where: --data") from error
    check_data(run.record, dataset)
    return dataset


def _take_member(
    run: Run, data: str | None, asked: Asked, output: Output, terminal: Terminal
) -> None:
    """Write a model of the front as it is, and print its figures."""
    front = run.front
    if asked.best is not None:
        index = front.best(asked.best)
    else:
        index = front.balanced() if asked.model is None else asked.model
    if index >= len(front):
        raise ValueError(f"--model {index}: the models of the front are 0 to {len(front) - 1}")
    figures = {
        "expected": front.expected,
        "expected_se": front.expected_se,
        "holdout": front.holdout,
        "training": front.objectives,
    }
    shown = {
        name: table.iloc[index].to_dict() for name, table in figures.items() if table is not None
    }
    model = front[index]
    card = None
    try:
        card = card_of_member(model, front, index, data_of(run, data), run.record)
    except ValueError as error:  # the model itself does not need the data
        terminal.warn(f"the model has no model card: {error}")
    about = {"data": _data(run.record), "member": index, "moselect": __version__}
    output.write(model, about, card)
    if terminal.json:
        terminal.print_json({**_files(model, output), "member": index, **shown})
        return
    print_member(front, index, terminal)
    _print_rule(model, output, terminal)


def _files(model: Model, output: Output) -> dict[str, str]:
    export = {} if output.export is None else {"export": str(output.export)}
    return {"model": str(output.path(model)), **export}


def _data(record: dict[str, Any]) -> dict[str, Any]:
    return {name: record["data"][name] for name in ("name", "target", "fingerprint")}


def _about(
    evidence: Evidence, record: dict[str, Any], priors: list[float] | None
) -> dict[str, Any]:
    """Return what a model's file is to hold about it."""
    selected = evidence.rules.loc[evidence.selected].astype(float)
    return {
        "data": _data(record),
        "cost_matrix": None if evidence.costs is None else evidence.costs.matrix.tolist(),
        "priors": priors,
        "preferences": None if evidence.preferences is None else dict(evidence.preferences),
        f"expected_{evidence.value}": selected["new data"],
        "standard_error": selected["standard error"],
        "moselect": __version__,
    }


def _as_record(model: Model, evidence: Evidence) -> dict[str, Any]:
    return {
        "classes": model.classes_,
        "thresholds": getattr(model, "thresholds_", None),
        "cost_matrix": None if evidence.costs is None else evidence.costs.matrix,
        "preferences": evidence.preferences,
        "compared_by": evidence.value,
        "rules": evidence.rules.to_dict("index"),
        "differences": {rival: found._asdict() for rival, found in evidence.differences.items()},
        "verdicts": evidence.verdicts,
        "confusion": evidence.confusion.to_numpy(),
        "objectives": evidence.objectives.to_dict("index"),
        "kind": evidence.selected,
        "limits": [str(limit) for limit in evidence.limits],
    }


def _print_rule(model: Model, output: Output, terminal: Terminal) -> None:
    """Print which scores mean which class, and where the model is."""
    if isinstance(model, SelectedPool):
        terminal.results.print(
            "A pool of models predicts the class of least expected cost under its probabilities."
        )
        terminal.results.print(f"Model: {output.path(model)}", soft_wrap=True)
        return
    summed = "features" if suffix_of(model) == ".json" else "scores by other models"
    terminal.results.print(f"The class of a row by its score, the weighted sum of its {summed}:")
    for label, scores in zip(model.classes_, class_scores(model), strict=True):
        terminal.results.print(f"  {in_one_line(str(label))}: {scores}")
    terminal.results.print(f"Model: {output.path(model)}", soft_wrap=True)
    if output.export is not None:
        terminal.results.print(f"Exported to: {output.export}", soft_wrap=True)
