"""`moselect check`: a model in use on rows that came later."""

import math
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

import moselect
from moselect import plots
from moselect._types import Document
from moselect.cli.model_requests import CheckRequest
from moselect.cli.pictures import check_picture, save_figure
from moselect.cli.requests import check_output
from moselect.cli.results import print_sections, records_of
from moselect.cli.terminal import Terminal
from moselect.datasets.source_tables import find_source
from moselect.datasets.target import (
    EACH_ROW,
    choose_target,
    role_values,
    target_bins,
    target_classes,
)
from moselect.inference.standard_errors import interval
from moselect.io.atomic import hold, write_file
from moselect.io.tables import as_csv
from moselect.listing import in_one_line, rounded, with_interval
from moselect.monitoring import Check
from moselect.monitoring.reference import reference_of
from moselect.predictor import Model
from moselect.predictor.predictions import predict_table, read_rows
from moselect.report.sections import group_sections
from moselect.tables.amounts import with_parts
from moselect.tables.tables import Source

# Exit code of a model whose cost has increased.
DOES_NOT_HOLD = 3


def check(request: CheckRequest) -> None:
    """Check a model on later rows, and print the verdict."""
    check_output(request.history, True, request.model, request.data)
    terminal = request.terminal()
    # From reading to writing, so that no check of another process is lost.
    held = nullcontext() if request.history is None else hold(request.history)
    with held, terminal.progress(f"checking the model on {request.data}"):
        result = _run(request, terminal)
        groups = {column: result.by(column) for column in request.by or ()}
        if request.history is not None:
            table = result.history
            assert table is not None
            if "time" not in table:
                table.insert(0, "time", None)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            table.loc[table.index[-1], "time"] = now
            write_file(request.history, as_csv(table))
            terminal.inform(f"Checks: {request.history}")
            _draw(table, request.history.with_suffix(".png"), terminal)
    if terminal.json:
        terminal.print_json(_record_of(result) | {"by": records_of(groups)})
    else:
        _print(result, terminal)
        print_sections(group_sections(groups), terminal)
    if result.holds is False:
        raise SystemExit(DOES_NOT_HOLD)


def _run(request: CheckRequest, terminal: Terminal) -> Check:
    """Compare the reported cost of the model with its cost on later rows."""
    known = moselect.io.read_model(request.model)
    reference = reference_of(known)
    source = find_source(request.data, request.reading)
    terminal.inform(*source.notes)
    table = read_rows(known, source)
    usable = predict_table(known, table).scored
    name = request.target or ("" if known.card is None else known.card.predicts)
    labels = None
    if not request.unlabelled:
        if request.target is None and name not in table:
            known_as = f" ('{in_one_line(name)}' in training)" if name else ""
            raise ValueError(
                f"no column of '{request.data}' holds the classes{known_as}: name it with "
                "--target, or estimate shares and cost without classes with --unlabelled"
            )
        column = choose_target(source, name)
        classes = known.classes_.tolist()
        leave_out: Any = known.about.get("leave_out") or ()
        values = target_classes(source, column, classes, leave_out)
        edges: Any = known.about.get("bin_edges")
        if edges is not None:
            how = "read as classes"
            if not values.dropna().isin(classes).all():
                how = "binned as in training"
                values = target_bins(source, column, edges, leave_out)
            terminal.inform(f"'{in_one_line(column)}' is {how}")
        usable &= values.notna().to_numpy()
        labels = values[usable].to_numpy()
    roles = _roles(request, known, source, name, terminal)
    # Limits of the selection that hold by group are checked by group.
    by_columns = [] if request.unlabelled else reference.by_columns
    columns = dict.fromkeys([*by_columns, *(request.by or ())])
    roles["by"] = source.table[[choose_target(source, column) for column in columns]]
    checks = None
    if request.history is not None and request.history.exists():
        checks = pd.read_csv(request.history, dtype={"digest": str, "time": str})
    if not usable.any():
        raise ValueError(f"no row of '{request.data}' can be predicted and compared")
    if not usable.all():
        terminal.warn(
            f"{(~usable).sum()} of {len(usable)} rows have no class and are excluded"
        )
    # A model refuses columns that it does not take.
    priced = [] if known.row_costs is None else known.row_costs.columns
    taken = [*(column.name for column in reference.columns), *priced]
    table = with_parts(table, taken)[[*dict.fromkeys(taken)]]
    roles = {role: values[usable] for role, values in roles.items()}
    if "sample_weight" in roles:
        roles["weight_type"] = request.weight_type or known.about.get("weight_type")
    return moselect.check(known, table[usable], labels, **roles, history=checks)


def _roles(
    request: CheckRequest, known: Model, source: Source, name: str, terminal: Terminal
) -> Document:
    """Return weights and groups of the rows, by default of the columns of training."""
    roles: Document = {}
    for role, column in (("sample_weight", request.weight), ("groups", request.group)):
        in_training = known.about.get(role)
        if column is not None or in_training in (*source.table, EACH_ROW):
            roles[role] = role_values(source, role, str(column or in_training), name)
        elif in_training is not None:
            terminal.warn(
                f"'{request.data}' has no column '{in_one_line(in_training)}' (the {role} in "
                "training): assuming independent rows of equal weight"
            )
    return roles


def _draw(checks: pd.DataFrame, picture: Path, terminal: Terminal) -> None:
    """Draw the checks; they are kept, so that a picture is no reason to fail."""
    try:
        check_picture(picture)
        save_figure(plots.checks(checks).figure, picture)
    except (OSError, ValueError) as error:
        terminal.warn(f"no picture of the checks: {error}")
    else:
        terminal.inform(f"Picture: {picture}")


# Mistakes and columns that are printed.
SHOWN_ROWS = 6


def _print(check: Check, terminal: Terminal) -> None:
    terminal.print(f"{check.verdict[0].upper()}{check.verdict[1:]}.")
    heading = "share in this file, % (95 %)"
    if check.mistakes is None:
        heading += " (estimated)"
    shares = []
    for label, row in check.class_shares.iterrows():
        shown = "unknown"
        if not math.isnan(row["now"]):
            share = 100.0 * row["now"], 100.0 * row["std_error"]
            ends = interval(*share, least=0.0, most=100.0)
            shown = with_interval(ends, 1)
        shares.append([in_one_line(label), f"{row['reported']:.1%}", shown])
    terminal.print_table([["class", "share in training", heading], *shares])
    if check.mistakes is not None:
        rising = check.mistakes[check.mistakes["difference"].round(9) > 0.0]
        costs = (
            (in_one_line(f"{true} as {predicted}"), rounded(cost), rounded(reported))
            for _, true, predicted, cost, reported, _ in rising.head(
                SHOWN_ROWS
            ).itertuples()
        )
        terminal.print_table([["error", "mean cost", "at selection"], *costs])
    limits = {} if check.limits is None else check.limits.to_dict("index")
    for limit, now in limits.items():
        state = "holds" if now["holds"] else "does not hold"
        terminal.print(
            f"{in_one_line(limit)}: {now['now']:.1%}, at most {now['limit']:.1%}: {state}"
        )
    drifted = check.drift[check.drift["drifted"]].sort_values("distance", ascending=False)
    for column, moved in drifted.head(SHOWN_ROWS).to_dict("index").items():
        terminal.print(
            f"'{in_one_line(column)}' has drifted: distribution shift {moved['distance']:.1%} "
            f"({moved['unchanged']:.1%} by chance), {moved['outside']:.1%} of rows out of range or "
            "with new levels"
        )


def _record_of(check: Check) -> Document:
    fields = {name: each for name, each in vars(check).items() if name[0] != "_"}
    reported = {"cost": check.reported.cost, "std_error": check.reported.error}
    return fields | {"std_error": fields.pop("error"), "reported": reported}
