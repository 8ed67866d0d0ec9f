"""`moselect select`: from a run folder to one model, and the evidence for it."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import moselect
from moselect.cli.files import (
    Output,
    card_of_member,
    costs_for,
    draw_evidence,
    select_writable,
    try_form,
)
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
    UsageError,
    limits_of,
    option,
    stated,
)
from moselect.cli.parsers import numbers, weights
from moselect.cli.tables import (
    figures_of,
    print_figures,
    print_groups,
    records_of,
)
from moselect.cli.terminal import Terminal
from moselect.io.run_record import TRIALS, read_record
from moselect.listing import names

if TYPE_CHECKING:  # slow to import
    from moselect.inspection.groups import GroupEstimates
    from moselect.predictor import Model

SUMMARY = "summary.html"
TUNED = "tuned"  # candidate name of the trials of a run folder
# Exit code of a selection without a candidate that meets the limits.
LIMIT_NOT_MET = 3


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
    # Each of these determines the model alone; together they would contradict each other.
    ways = stated(
        class_costs=class_costs,
        cost_matrix=cost_matrix,
        metric=metric,
        prefer=prefer,
        member=member,
        best=best,
        balanced=balanced or None,
    )
    if len(ways) > 1:
        flags = (f"--{way.replace('_', '-')}" for way in ways)
        raise UsageError(f"give one of {' and '.join(flags)}")
    if class_costs is None and cost_matrix is None and (priors or refer):
        raise UsageError("--priors and --refer need --class-costs or --cost-matrix")
    if loss is not None and class_costs is None:
        raise UsageError("--loss needs --class-costs")
    # Members of the front are taken as they are, without candidates and cross-validation.
    is_member = bool(ways.keys() & {"member", "best", "balanced"})
    if is_member and (model or candidates or limit or by):
        raise UsageError(
            "--model, --candidates, --limit and --by need --class-costs, --cost-matrix, "
            "--metric or --prefer"
        )
    if conditions is not None and model != "scorecard":
        raise UsageError("--conditions needs --model scorecard")
    if dialect is not None and export is None:
        raise UsageError("--dialect needs --export FILE.sql")
    limits = limits_of(limit)
    # A wrong folder is an error before the slow imports.
    read_record(run)
    output = Output(out, export, dialect, force, (run, data, cost_matrix))
    terminal = Terminal(quiet=quiet, json=json)
    with terminal.progress(f"reading {run}") as show:
        # First: deep within other imports it takes a tenth longer (experiments/benchmarks).
        import sklearn.linear_model  # noqa: F401

        from moselect.cli.selected import print_evidence, print_rule, record_of_selection
        from moselect.export.exporting import export_model
        from moselect.export.summary import summarise
        from moselect.io.kept import cached_selector
        from moselect.io.run_file import write_selection
        from moselect.report.headline import criterion_words
        from moselect.tables.tables import check_column

        searched = moselect.io.read_run(run)
        front = searched.front
        if searched.record["interrupted"]:
            terminal.inform(
                f"The search in '{run}' was interrupted: its front comes from "
                f"{searched.record['n_evaluations']:,} evaluations."
            )
        output.check_early("best member" if is_member else model, front[0])
        recorded = searched.record["data"]
        about = {"fingerprint": recorded["fingerprint"], "moselect": moselect.__version__}
        groups: Mapping[str, GroupEstimates] = {}
        if is_member:
            index = front.balanced() if member is None else member
            index = index if best is None else front.best(best)
            if index >= len(front):
                raise ValueError(
                    f"--member {index}: the models of the front are 0 to {len(front) - 1}"
                )
            about["member"] = index
            selected: Model = front[index].replace(card=card_of_member(searched, index))
            document = {"member": index, "figures": figures_of(front, index)}
        else:
            dataset, selector, kept = cached_selector(
                searched, data, show, -1, conditions
            )
            given = class_costs, cost_matrix, loss, priors
            costs = costs_for(searched, *given, refer=refer, metric=metric)
            added = [name for name in candidates or () if name != TUNED]
            if TUNED in (candidates or ()):
                from moselect.tuning.trial import TrialArchive  # an extra

                TrialArchive(run / TRIALS, selector).restore(selector)
            # Columns that are no features have groups, limits and costs of rows, too.
            table = dataset.table
            for name in by or ():
                check_column(name, [*table])

            if model in added:
                try_form(selector, model, output)

            def fit(without: Collection[str]) -> Model:
                return selector.select(
                    costs, model, limits, added or None, table, prefer, without
                )

            selected = select_writable(fit, model, output, terminal)
            show("writing the model")
            evidence = selected.evidence
            groups = {name: evidence.group_estimates(name) for name in by or ()}
            # A check and a reader of the file find here the expected value, and its data.
            about |= {
                "priors": priors,
                f"expected_{evidence.value}": evidence.expected,
                "std_error": evidence.expected_se,
                "criterion": criterion_words(evidence),
                "preferences": evidence.criteria.preferences,
                # columns of weights and groups, which a check counts, too
                "sample_weight": recorded["loaded_by"].get("weight"),
                "weight_type": recorded["loaded_by"].get("weight_type"),
                "groups": recorded["loaded_by"].get("group"),
            }
            names_of_data = {"predicts": dataset.target, "data": recorded["name"]}
            card = summarise(selected, groups=groups, **names_of_data)
            selected = selected.replace(card=card)
            document = {**record_of_selection(selected), "by": records_of(groups)}
        files = output.write(selected, about)
        if not is_member:
            # A page has scorecards of the usual length.
            file = files["file"] if conditions is None else None
            kept.keep_decision(evidence, costs, limits, by or (), file)
            show("drawing figures")

        def write(folder: Path) -> None:
            export_model(selected, folder / SUMMARY)
            if not is_member:
                draw_evidence(evidence, front, groups.values(), folder)

        try:
            files["summary"] = str(write_selection(run, write) / SUMMARY)
        except OSError as error:  # the model is written: figures are no reason to fail
            terminal.warn(
                f"no summary and figures could be written to '{run}' ({error.strerror})"
            )
    if terminal.json:
        terminal.print_json({**files, **document})
    elif is_member:
        print_figures(front, index, f"model {index} of the front", terminal)
        terminal.print(selected.summary)
    else:
        print_evidence(evidence, terminal)
        print_groups(groups, terminal)
        print_rule(selected, terminal)
    if not terminal.json:
        for name, path in files.items():
            terminal.print(f"{name.capitalize()}: {path}", soft_wrap=True)
        terminal.print(
            f"Next: moselect predict {shlex.quote(files['file'])} NEW_ROWS -o classes.csv",
            soft_wrap=True,
        )
    if not is_member and not all(limit.met for limit in evidence.limits):
        raise SystemExit(LIMIT_NOT_MET)
