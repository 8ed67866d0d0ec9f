"""`moselect select`: from a run folder to one model, and the evidence for it."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated

import moselect
from moselect.cli.options import (
    By,
    ClassCosts,
    CostMatrix,
    Dialect,
    Force,
    Growth,
    Json,
    Limits,
    Metric,
    Moved,
    Names,
    Numbers,
    Quiet,
    Refer,
    RunFolder,
    numbers,
    option,
    weights,
)
from moselect.cli.request import Request
from moselect.cli.tables import print_groups, records_of
from moselect.cli.terminal import Terminal
from moselect.io.run_record import read_record
from moselect.listing import names


def select(
    run: RunFolder,
    quiet: Quiet = False,
    json: Json = False,
    out: Annotated[
        Path | None,
        option(
            "File for the model: .json, or .npz for an ensemble; by default model.json.",
            *("--out", "-o"),
        ),
    ] = None,
    class_costs: ClassCosts = None,
    loss: Annotated[
        Growth,
        option(
            "How the cost grows with the distance between classes: absolute by default."
        ),
    ] = None,
    cost_matrix: CostMatrix = None,
    metric: Metric = None,
    priors: Annotated[
        Numbers,
        option(
            "Class prevalence in production, if it differs from the data: 0.9,0.1",
            read=numbers,
        ),
    ] = None,
    prefer: Annotated[
        Mapping[str, float] | None,
        option(
            "Objective weights, instead of costs: vus=2,accuracy=1; equal by default.",
            read=weights,
        ),
    ] = None,
    member: Annotated[
        int | None, option("Select a model of the front by its number.", min=0)
    ] = None,
    best: Annotated[
        str | None, option("Select the model of the front that is best in an objective.")
    ] = None,
    balanced: Annotated[
        bool, option("Select the compromise model of the front.", "--balanced")
    ] = False,
    model: Annotated[
        str | None,
        option(
            "Candidate to select: scorecard, linear, additive, ensemble, cheapest, or simple (the "
            "simplest within 5 % of the lowest cost). By default the cheapest."
        ),
    ] = None,
    candidates: Annotated[
        Names,
        option(
            "Further candidates, separated by commas, by the names of moselect compare: "
            "random_forest,gradient_boosting; tuned adds the trials of moselect tune.",
            read=names,
        ),
    ] = None,
    conditions: Annotated[
        int | None,
        option("Number of rules of a scorecard; by default 8.", min=1, max=20),
    ] = None,
    limit: Limits = None,
    refer: Refer = None,
    by: By = None,
    export: Annotated[
        Path | None,
        option(
            "Also write the model as .sql or .onnx, or a printable page as .html or .txt."
        ),
    ] = None,
    dialect: Dialect = None,
    data: Moved = None,
    force: Force = False,
) -> None:
    """Cross-validate models for given costs or preferences, and write the best one.

    A new folder in the run folder contains a two-page summary and the figures.
    """
    # The fields of the request have the names of the options.
    given = locals()
    request = Request(**{each.name: given[each.name] for each in fields(Request)})
    read_record(run)
    request.check()
    terminal = Terminal(quiet=quiet, json=json)
    with terminal.progress(f"reading {run}") as show:
        # First: deep within other imports it takes a tenth longer (experiments/benchmarks).
        import sklearn.linear_model  # noqa: F401

        from moselect.cli.selected import print_evidence, print_rule, record_of
        from moselect.cli.selecting import print_files, selected, write_member

        searched = moselect.io.read_run(run)
        if searched.record["interrupted"]:
            terminal.inform(
                f"The search in '{run}' was interrupted: its front comes from "
                f"{searched.record['n_evaluations']:,} evaluations."
            )
        request.check_files(searched.front[0])
        if not request.is_member:
            result = selected(searched, request, show, terminal)
    if request.is_member:
        write_member(searched, request, terminal)
        return
    evidence = result.model.evidence
    if terminal.json:
        about = {**record_of(result.model), "by": records_of(result.groups)}
        terminal.print_json({**result.files, **about})
    else:
        print_evidence(evidence, terminal)
        print_groups(result.groups, terminal)
        print_rule(result.model, terminal)
        print_files(result.files, terminal)
    if not all(limit.met for limit in evidence.limits):
        # exit code
        limit_not_met = 3
        raise SystemExit(limit_not_met)
