"""`moselect check`: a model in use on rows that came later."""

from __future__ import annotations

from typing import Annotated, Any

import moselect
from moselect.cli.options import (
    Json,
    ModelPath,
    Quiet,
    Read,
    RowGroup,
    RowWeight,
    data_argument,
    option,
)
from moselect.cli.predict import read_rows
from moselect.cli.terminal import Terminal
from moselect.datasets.sources import check_source
from moselect.listing import in_one_line

NOT_KEPT = 3  # exit code
MOST_ROWS = 6  # of mistakes and columns that are printed


def check(
    model: ModelPath,
    data: Annotated[str, data_argument("Later rows, with or without their classes.")],
    target: Annotated[
        str | None, option("Column of the classes; by default the target of training.")
    ] = None,
    unlabelled: Annotated[
        bool,
        option("Estimate shares and cost; the rows have no classes.", "--unlabelled"),
    ] = False,
    weight: RowWeight = None,
    group: RowGroup = None,
    reading: Read = None,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Compare the cost of a model on later rows with the estimate at its selection.

    The exit code is 3 if the cost is higher than estimated.
    """
    if unlabelled and target is not None:
        raise ValueError(
            "give --target or --unlabelled: rows have classes or they have none"
        )
    check_source(data)
    terminal = Terminal(quiet=quiet, json=json)
    with terminal.progress(f"checking the model on {data}"):
        from moselect.datasets.target_and_features import (
            choose_target,
            role_values,
            target_values,
        )
        from moselect.selection.monitoring import reference_of

        known = moselect.io.read_model(model)
        reference = reference_of(known)
        source, table = read_rows(known, data, reading, terminal)
        usable = moselect.predictor.predict_table(known, table).scored
        trained = known.about.get("target") if known.card is None else known.card.predicts
        name, labels = target or trained or "", None
        if not unlabelled:
            if target is None and name not in table:
                trained = f" ('{in_one_line(name)}' in training)" if name else ""
                raise ValueError(
                    f"no column of '{data}' is known to hold the classes{trained}: name it with "
                    "--target, or estimate shares and cost without classes by --unlabelled"
                )
            values = target_values(
                source, choose_target(source, name), known.classes_.tolist()
            )
            usable &= values.notna().to_numpy()
            labels = values[usable].to_numpy()
        roles = {
            role: None
            if column is None
            else role_values(source, role, column, name)[usable]
            for role, column in (("weights", weight), ("groups", group))
        }
        if not usable.any():
            raise ValueError(f"no row of '{data}' can be predicted and compared")
        if not usable.all():
            terminal.warn(
                f"{(~usable).sum()} of {len(usable)} rows have no class and are left out"
            )
        # A model refuses columns that it does not take.
        table = table[[column.name for column in reference.columns]]
        result = moselect.check(known, table[usable], labels, *roles.values())
    if terminal.json:
        terminal.print_json(_record_of(result))
    else:
        _print(result, terminal)
    if result.holds is False:
        raise SystemExit(NOT_KEPT)


def _print(check: moselect.selection.Check, terminal: Terminal) -> None:
    terminal.print(f"{check.verdict[0].upper()}{check.verdict[1:]}.")
    table = terminal.table("class", "share shown", "share now")
    for label, row in check.class_shares.iterrows():
        estimate = f"{row['now']:.1%} ± {row['std_error']:.1%}"
        table.add_row(in_one_line(label), f"{row['reported']:.1%}", estimate)
    terminal.print(table)
    if check.mistakes is not None:
        table = terminal.table("mistake", "cost per row", "reported")
        dearer = check.mistakes[check.mistakes["difference"] > 0.0].head(MOST_ROWS)
        for mistake in dearer.to_dict("records"):
            words = in_one_line(f"{mistake['true']} as {mistake['predicted']}")
            table.add_row(words, f"{mistake['cost']:.3g}", f"{mistake['reported']:.3g}")
        terminal.print(table)
    limits = {} if check.limits is None else check.limits.to_dict("index")
    for limit, now in limits.items():
        state = "holds" if now["holds"] else "does not hold"
        terminal.print(
            f"{in_one_line(limit)}: {now['now']:.1%}, at most {now['limit']:.1%}: {state}"
        )
    drifted = check.drift[check.drift["drifted"]].sort_values("distance", ascending=False)
    for column, moved in drifted.head(MOST_ROWS).to_dict("index").items():
        terminal.print(
            f"'{in_one_line(column)}' has drifted: distribution shift {moved['distance']:.1%} "
            f"({moved['unchanged']:.1%} by chance), {moved['outside']:.1%} of rows out of range or "
            "with new levels"
        )


def _record_of(check: moselect.selection.Check) -> dict[str, Any]:
    tables = {
        name: getattr(check, name)
        for name in ("class_shares", "limits", "calibration", "drift")
    }
    return {
        "holds": check.holds,
        "verdict": check.verdict,
        "cost": check.cost,
        "std_error": check.error,
        "reported": {"cost": check.reported.cost, "std_error": check.reported.error},
        "mistakes": None if check.mistakes is None else check.mistakes.to_dict("records"),
        **{
            name: None if table is None else table.reset_index().to_dict("records")
            for name, table in tables.items()
        },
    }
